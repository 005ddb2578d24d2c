// Reads the summary's numbers from the CSV files of a benchmark.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <sstream>

#include "common/csv.hpp"
#include "harness/statistics.hpp"
#include "report.hpp"

namespace harness::summary {

using namespace common;
namespace {

namespace fs = std::filesystem;

/// The columns of one timed row that matter here.
struct Row {
    std::string experiment;
    std::string variant;
    std::string backend;
    std::string size;         ///< "1920x1080x3"
    std::int64_t values = 0;  ///< width x height x channels
    std::string work;         ///< the parameters without those that say how: threads, block, grid
    Timing timing;
    std::string machine;
    bool copy_measured = false;

    std::string configuration() const {
        return fmt::format("{}, {}{}", experiment, size, work.empty() ? "" : ", " + work);
    }
};

std::optional<double> field_as_number(const std::string& text) {
    if (text.empty()) return std::nullopt;
    return std::stod(text);
}

std::string without_how(const std::string& parameters) {
    std::istringstream in(parameters);
    std::string kept;
    for (std::string pair; std::getline(in, pair, ';');) {
        const bool how =
            pair.starts_with("threads") || pair.starts_with("block") || pair.starts_with("grid");
        if (how) continue;
        kept += (kept.empty() ? "" : ";") + pair;
    }
    return kept;
}

/// A file without the columns that all labs share (the samples) yields no rows.
std::vector<Row> read_rows(const fs::path& path) {
    const auto table = read_csv(path);
    if (table.empty()) return {};
    const auto column = [&](const std::string& name) {
        return static_cast<std::size_t>(std::find(table[0].begin(), table[0].end(), name) -
                                        table[0].begin());
    };
    if (column("experiment") == table[0].size() || column("kernel_ms_mean") == table[0].size()) {
        return {};
    }
    std::vector<Row> rows;
    for (std::size_t i = 1; i < table.size(); ++i) {
        // An interrupted run may have left half a line.
        if (table[i].size() != table[0].size()) continue;
        const auto field = [&](const std::string& name) { return table[i].at(column(name)); };
        const auto if_there = [&](const std::string& name) {  // a column that older files lack
            return column(name) < table[0].size() ? field_as_number(field(name)) : std::nullopt;
        };
        const auto kernel_ms = field_as_number(field("kernel_ms_mean"));
        if (!kernel_ms) continue;  // it was wrong and not timed
        Row row{.experiment = field("experiment"),
                .variant = field("variant"),
                .backend = field("backend"),
                .size = fmt::format("{}x{}x{}", field("width"), field("height"), field("channels")),
                .values = std::stoll(field("width")) * std::stoll(field("height")) *
                          std::stoll(field("channels")),
                .work = without_how(field("parameters")),
                .timing = {.kernel_ms = *kernel_ms,
                           .spread = if_there("spread"),
                           .disturbed = if_there("disturbed"),
                           .speedup = field_as_number(field("speedup_kernel")),
                           .percent_of_copy = field_as_number(field("percent_of_copy")),
                           .parameters = field("parameters")},
                .machine =
                    fmt::format("{}; GPU: {}; {}", field("cpu"), field("gpu"), field("compiler")),
                .copy_measured = if_there("copy_gb_per_s").has_value()};
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<Row> read_all(const fs::path& csv_dir) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(csv_dir, error)) {
        const std::string extension = entry.path().extension();
        if (extension == ".csv" || extension == ".partial") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<Row> all;
    for (const fs::path& file : files) {
        const auto rows = read_rows(file);
        all.insert(all.end(), rows.begin(), rows.end());
    }
    return all;
}

/// The configuration of the largest image that most variants have; the first if there are several.
const Row& representative(const std::vector<Row>& rows) {
    std::map<std::string, std::set<std::string>> variants;
    for (const Row& row : rows) variants[row.configuration()].insert(row.variant);
    return *std::max_element(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
        return std::pair(a.values, variants[a.configuration()].size()) <
               std::pair(b.values, variants[b.configuration()].size());
    });
}

/// Leaves out ratios if this row, or the sequential row, is too noisy. The benchmark may have left
/// out the rate of the copy for the same reason.
void hold_back_ratios(Timing& timing, const Row* baseline, bool copy_measured) {
    timing.noise = why_too_noisy(timing, "its");
    if (!timing.noise.empty()) timing.percent_of_copy.reset();
    if (timing.noise.empty() && baseline != nullptr) {
        timing.noise = why_too_noisy(baseline->timing, baseline->variant + "'s");
    }
    if (!timing.noise.empty()) timing.speedup.reset();
    if (timing.noise.empty() && copy_measured && !timing.percent_of_copy) {
        timing.noise = "too noisy: the copy that was measured beside it";
    }
}

}  // namespace

std::string why_too_noisy(const Timing& timing, const std::string& whose) {
    if (timing.spread.value_or(0) > most_spread) {
        return fmt::format("too noisy: {} times spread by {:.0f} %", whose, 100 * *timing.spread);
    }
    if (timing.disturbed.value_or(0) > most_disturbed) {
        return fmt::format("too noisy: other work disturbed {:.0f} % of {} repeats",
                           100 * *timing.disturbed, whose);
    }
    return "";
}

bool Timings::too_noisy_to_rank() const {
    const auto noisy = std::count_if(fastest.begin(), fastest.end(),
                                     [](const auto& row) { return !row.second.noise.empty(); });
    return 3 * static_cast<std::size_t>(noisy) > fastest.size();
}

Timings read_timings(const fs::path& csv_dir, const std::string& experiment) {
    std::vector<Row> rows = read_all(csv_dir);
    if (!experiment.empty()) {
        std::erase_if(rows, [&](const Row& row) { return row.experiment != experiment; });
    }
    if (rows.empty()) return {};
    const Row& shown = representative(rows);
    Timings timings{
        .caption = shown.configuration(), .baseline = {}, .machine = shown.machine, .fastest = {}};
    const auto rank = [&](const Row& row) {  // the chosen configuration, else the largest image
        return row.configuration() == timings.caption ? INT64_MAX : row.values;
    };
    std::map<std::string, const Row*> best;
    for (const Row& row : rows) {
        const Row*& known = best[row.variant];
        if (known == nullptr || std::pair(rank(row), -row.timing.kernel_ms) >
                                    std::pair(rank(*known), -known->timing.kernel_ms)) {
            known = &row;
        }
    }
    std::map<std::string, const Row*> baselines;  // the first sequential row of a configuration
    for (const Row& row : rows) {
        if (row.backend == "seq") baselines.try_emplace(row.configuration(), &row);
    }
    if (const auto found = baselines.find(timings.caption); found != baselines.end()) {
        timings.baseline = found->second->variant;
    }
    for (const auto& [variant, row] : best) {
        Timing timing = row->timing;
        hold_back_ratios(timing, baselines[row->configuration()], row->copy_measured);
        if (row->configuration() != timings.caption) timing.elsewhere = row->configuration();
        timings.fastest[variant] = timing;
    }
    return timings;
}

}  // namespace harness::summary
