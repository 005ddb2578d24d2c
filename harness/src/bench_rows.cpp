#include "bench_rows.hpp"

#include <fmt/format.h>

#include "harness/machine.hpp"

namespace common {
namespace {

std::string number(double value) {
    return fmt::format("{:.6g}", value);
}

bool too_noisy(const Samples& samples) {
    return common::too_noisy(statistics(samples.kernel_ms).spread(), samples.disturbed_part());
}

/// Whether a ratio of the two times can be stated.
bool comparable(const Samples& a, const Samples& b) {
    return a.size() > 0 && b.size() > 0 && !too_noisy(a) && !too_noisy(b);
}

/// All that depends on times: empty without them, and ratios where one side is too noisy.
struct TimeColumns {
    std::string min, median, mean, max, total, gb_per_s, percent, speedup_kernel, speedup_total;
    std::string q1, q3, spread, disturbed, copy;
};

TimeColumns time_columns(const Result& result, const Result* baseline) {
    if (!result.timed()) return {};
    const Statistics kernel = statistics(result.samples.kernel_ms);
    const double total = statistics(result.samples.total_ms).trimmed_mean;
    const auto megabytes = static_cast<double>(result.bytes) / 1e6;
    TimeColumns columns{.min = number(kernel.min),
                        .median = number(kernel.median),
                        .mean = number(kernel.trimmed_mean),
                        .max = number(kernel.max),
                        .total = number(total),
                        .gb_per_s = number(megabytes / kernel.trimmed_mean),
                        .percent = {},
                        .speedup_kernel = {},
                        .speedup_total = {},
                        .q1 = number(kernel.q1),
                        .q3 = number(kernel.q3),
                        .spread = number(kernel.spread()),
                        .disturbed = number(result.samples.disturbed_part()),
                        .copy = {}};
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
        columns.speedup_total = number(reference / total);
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

}  // namespace

const std::vector<std::string>& leading_columns() {
    static const std::vector<std::string> columns{"lab",
                                                  "experiment",
                                                  "variant",
                                                  "backend",
                                                  "width",
                                                  "height",
                                                  "channels",
                                                  "parameters",
                                                  "repeats",
                                                  "kernel_ms_min",
                                                  "kernel_ms_median",
                                                  "kernel_ms_mean",
                                                  "kernel_ms_max",
                                                  "total_ms_mean",
                                                  "cold_ms",
                                                  "bytes",
                                                  "gb_per_s",
                                                  "percent_of_copy",
                                                  "speedup_kernel",
                                                  "speedup_total",
                                                  "max_abs_error",
                                                  "cpu",
                                                  "threads",
                                                  "gpu",
                                                  "compiler",
                                                  "commit",
                                                  "timestamp",
                                                  "kernel_ms_q1",
                                                  "kernel_ms_q3",
                                                  "spread",
                                                  "disturbed",
                                                  "copy_gb_per_s"};
    return columns;
}

std::vector<ResultRow> rows_of(const Lab& lab, const std::string& experiment,
                               std::size_t own_columns, const Trial& trial, const cv::Mat& in,
                               const Result& result, const Result* baseline) {
    const TimeColumns times = time_columns(result, baseline);
    std::vector<std::string> row{lab.name,
                                 experiment,
                                 trial.variant.name,
                                 std::string(to_string(trial.variant.backend)),
                                 std::to_string(in.cols),
                                 std::to_string(in.rows),
                                 std::to_string(in.channels()),
                                 trial.parameters,
                                 std::to_string(result.samples.size()),
                                 times.min,
                                 times.median,
                                 times.mean,
                                 times.max,
                                 times.total,
                                 number(result.cold_ms),
                                 std::to_string(result.bytes),
                                 times.gb_per_s,
                                 times.percent,
                                 times.speedup_kernel,
                                 times.speedup_total,
                                 number(result.verdict.max_abs_error),
                                 machine().cpu,
                                 std::to_string(trial.options.threads),
                                 machine().gpu,
                                 machine().compiler,
                                 machine().commit,
                                 timestamp(),
                                 times.q1,
                                 times.q3,
                                 times.spread,
                                 times.disturbed,
                                 times.copy};
    row.insert(row.end(), trial.columns.begin(), trial.columns.end());

    auto lines = result.measured;
    if (lines.empty()) lines.emplace_back(own_columns);
    std::vector<ResultRow> rows;
    for (const std::vector<std::string>& line : lines) {
        rows.push_back({.fields = row, .samples = {}, .noisy = false});
        rows.back().fields.insert(rows.back().fields.end(), line.begin(), line.end());
    }
    rows.back().samples = sample_rows(trial, result.samples);
    const bool noisy = result.timed() && too_noisy(statistics(result.samples.kernel_ms).spread(),
                                                   result.samples.disturbed_part());
    for (ResultRow& each : rows) each.noisy = noisy;
    return rows;
}

}  // namespace common
