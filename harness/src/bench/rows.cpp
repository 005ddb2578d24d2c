#include "bench/rows.hpp"

#include <fmt/format.h>

#include "harness/machine.hpp"

namespace harness {
namespace {

std::string number(double value) {
    return fmt::format("{:.6g}", value);
}

bool are_noisy(const Samples& samples) {
    return too_noisy(statistics(samples.kernel_ms).spread(), samples.disturbed_part());
}

/// True if a ratio of the two times can be stated.
bool comparable(const Samples& a, const Samples& b) {
    return a.size() > 0 && b.size() > 0 && !are_noisy(a) && !are_noisy(b);
}

/// The columns that depend on times. All are empty if there are no times; ratios are empty if one
/// of the two times is too noisy.
struct TimeColumns {
    std::string min, median, mean, max, total, gb_per_s, percent, speedup_kernel, speedup_total;
    std::string q1, q3, spread, total_spread, disturbed, noise, copy;
};

TimeColumns time_columns(const Result& result, const Result* baseline) {
    if (!result.timed()) return {};
    const Statistics kernel = statistics(result.samples.kernel_ms);
    const Statistics total = statistics(result.samples.total_ms);
    const auto megabytes = static_cast<double>(result.bytes) / 1e6;
    TimeColumns columns;
    columns.min = number(kernel.min);
    columns.median = number(kernel.median);
    columns.mean = number(kernel.trimmed_mean);
    columns.max = number(kernel.max);
    columns.total = number(total.trimmed_mean);
    columns.gb_per_s = number(megabytes / kernel.trimmed_mean);
    columns.q1 = number(kernel.q1);
    columns.q3 = number(kernel.q3);
    columns.spread = number(kernel.spread());
    columns.total_spread = number(total.spread());
    columns.disturbed = number(result.samples.disturbed_part());
    columns.noise = noise(kernel.spread(), result.samples.disturbed_part());
    if (result.copy.size() > 0) {
        const double copy_ms = statistics(result.copy.kernel_ms).trimmed_mean;
        columns.copy = number(megabytes / copy_ms);
        if (comparable(result.samples, result.copy)) {
            columns.percent = number(100 * copy_ms / kernel.trimmed_mean);
        }
    }
    if (baseline != nullptr && comparable(result.samples, baseline->samples)) {
        const double reference = statistics(baseline->samples.kernel_ms).trimmed_mean;
        columns.speedup_kernel = number(reference / kernel.trimmed_mean);
        columns.speedup_total = number(reference / total.trimmed_mean);
    }
    return columns;
}

std::vector<std::vector<std::string>> sample_rows(const Trial& trial, const Samples& samples) {
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        rows.push_back({trial.variant.name, std::to_string(i + 1), number(samples.kernel_ms[i]),
                        number(samples.total_ms[i]), samples.disturbed[i] ? "1" : "0"});
    }
    return rows;
}

/// A column of the CSV files, and its value in one row.
struct Field {
    std::string column;
    std::string value;
};

std::vector<Field> leading_fields(const Lab& lab, const std::string& experiment, const Trial& trial,
                                  const cv::Mat& in, const Result& result, const Result* baseline) {
    const TimeColumns times = time_columns(result, baseline);
    return {{"lab", lab.name},
            {"experiment", experiment},
            {"variant", trial.variant.name},
            {"backend", std::string(to_string(trial.variant.backend))},
            {"width", std::to_string(in.cols)},
            {"height", std::to_string(in.rows)},
            {"channels", std::to_string(in.channels())},
            {"parameters", trial.parameters},
            {"repeats", std::to_string(result.samples.size())},
            {"kernel_ms_min", times.min},
            {"kernel_ms_median", times.median},
            {"kernel_ms_mean", times.mean},
            {"kernel_ms_max", times.max},
            {"total_ms_mean", times.total},
            {"cold_ms", number(result.cold_ms)},
            {"bytes", std::to_string(result.bytes)},
            {"gb_per_s", times.gb_per_s},
            {"percent_of_copy", times.percent},
            {"speedup_kernel", times.speedup_kernel},
            {"speedup_total", times.speedup_total},
            {"max_abs_error", number(result.verdict.max_abs_error)},
            {"cpu", machine().cpu},
            {"threads", std::to_string(trial.options.threads)},
            {"gpu", machine().gpu},
            {"compiler", machine().compiler},
            {"commit", machine().commit},
            {"timestamp", timestamp()},
            {"kernel_ms_q1", times.q1},
            {"kernel_ms_q3", times.q3},
            {"spread", times.spread},
            {"total_spread", times.total_spread},
            {"disturbed", times.disturbed},
            {"copy_gb_per_s", times.copy},
            {"noise", times.noise}};
}

}  // namespace

std::vector<std::string> columns_of(const Lab& lab, const Experiment& experiment) {
    std::vector<std::string> columns;
    for (const Field& field : leading_fields(lab, "", {}, {}, {}, nullptr)) {
        columns.push_back(field.column);
    }
    columns.insert(columns.end(), lab.columns.begin(), lab.columns.end());
    columns.insert(columns.end(), experiment.columns.begin(), experiment.columns.end());
    return columns;
}

std::vector<ResultRow> rows_of(const Lab& lab, const Experiment& experiment, const Trial& trial,
                               const cv::Mat& in, const Result& result, const Result* baseline) {
    std::vector<std::string> fields;
    for (const Field& field : leading_fields(lab, experiment.name, trial, in, result, baseline)) {
        fields.push_back(field.value);
    }
    fields.insert(fields.end(), trial.columns.begin(), trial.columns.end());

    auto lines = result.measured;
    if (lines.empty()) lines.emplace_back(experiment.columns.size());
    const bool noisy = result.timed() && are_noisy(result.samples);
    std::vector<ResultRow> rows;
    for (const std::vector<std::string>& line : lines) {
        rows.push_back({.fields = fields, .samples = {}, .noisy = noisy});
        rows.back().fields.insert(rows.back().fields.end(), line.begin(), line.end());
    }
    rows.back().samples = sample_rows(trial, result.samples);
    return rows;
}

}  // namespace harness
