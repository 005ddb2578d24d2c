#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "test_output.hpp"

namespace harness::summary {
namespace {

namespace fs = std::filesystem;

/// Reads "KEY VALUE" lines; the last line of a key counts.
std::map<std::string, std::string> read_state(const fs::path& path) {
    std::map<std::string, std::string> state;
    std::ifstream in(path);
    for (std::string key, value; in >> key && std::getline(in >> std::ws, value);) {
        state[key] = value;
    }
    return state;
}

std::string first_line(const fs::path& path) {
    std::ifstream in(path);
    std::string first;
    std::getline(in, first);
    return first;
}

std::string last_line(const fs::path& path) {
    std::ifstream in(path);
    std::string last;
    for (std::string line; std::getline(in, line);) last = line;
    return last;
}

std::set<std::string> read_words(const fs::path& path) {
    std::ifstream in(path);
    return {std::istream_iterator<std::string>(in), {}};
}

/// Name and backend of each variant, and whether it was built. Variants that cannot run here get
/// their outcome.
std::vector<VariantReport> read_variants(const fs::path& folder) {
    const auto built = read_words(folder / "built.txt");
    std::ifstream in(folder / "variants.json");
    const auto rows = nlohmann::json::parse(in, nullptr, /*allow_exceptions=*/false);
    std::vector<VariantReport> variants;
    for (const auto& row : rows.is_array() ? rows : nlohmann::json::array()) {
        VariantReport variant;
        variant.name = row.value("name", "");
        variant.backend = row.value("backend", "");
        variant.built = built.contains(variant.name);
        variant.emulated = row.value("emulated", false);
        if (!row.value("available", false)) {
            variant.outcome = Outcome::skipped;
            variant.message = row.value("reason", "");
        }
        variants.push_back(std::move(variant));
    }
    return variants;
}

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// Adds a variant that was left out of the build because of a fault.
void add_left_out(std::vector<VariantReport>& variants, const std::string& name, Outcome outcome,
                  const std::string& message) {
    auto found = std::find_if(variants.begin(), variants.end(),
                              [&](const auto& variant) { return variant.name == name; });
    // Absent if the lab does not build for another reason, or if the table lacks the variant.
    if (found == variants.end()) found = variants.insert(found, VariantReport{.name = name});
    found->built = false;
    found->outcome = outcome;
    found->message = message;
}

void add_left_out(std::vector<VariantReport>& variants, const fs::path& folder) {
    for (const fs::path& log : files_in(folder / "not_compiled")) {
        add_left_out(variants, log.stem(), Outcome::not_compiled, first_error(log));
    }
    for (const fs::path& file : files_in(folder / "not_loaded")) {
        add_left_out(variants, file.filename(), Outcome::crash, last_line(file));
    }
}

/// Sets the outcome to the worst of the variant's tests, and counts these tests.
void apply_tests(VariantReport& variant, const std::vector<TestCase>& tests) {
    const TestCase* worst = nullptr;
    int total = 0;
    int like_worst = 0;
    for (const TestCase& test : tests) {
        if (test.last_part() != variant.name) continue;
        ++total;
        // A test that ran counts more than a skipped one.
        const auto rank = [](const TestCase& t) {
            return t.outcome == Outcome::skipped ? -1 : static_cast<int>(t.outcome);
        };
        if (worst == nullptr || rank(test) > rank(*worst)) {
            worst = &test;
            like_worst = 0;
        }
        if (test.outcome == worst->outcome) ++like_worst;
    }
    if (worst == nullptr) return;
    variant.outcome = worst->outcome;
    variant.message = worst->outcome == Outcome::not_done ? "" : worst->message;
    if (!is_failure(worst->outcome)) return;
    const std::string known = fmt::format("WRONG {} ", variant.name);
    if (variant.message.starts_with(known)) variant.message.erase(0, known.size());
    variant.message +=
        fmt::format(" (in {} of {} tests, first {})", like_worst, total, worst->name);
}

/// A variant that refuses most configurations passes all tests, but is reported as `refused`.
void apply_refusals(VariantReport& variant, const std::vector<TestCase>& tests) {
    Configurations& all = variant.configurations;
    for (const TestCase& test : tests) {
        if (test.last_part() != variant.name) continue;
        all.checked += test.configurations.checked;
        all.refused += test.configurations.refused;
        all.left_out += test.configurations.left_out;
        if (all.first_reason.empty()) all.first_reason = test.configurations.first_reason;
    }
    if (is_failure(variant.outcome) || variant.backend == "peer") return;
    if (all.refused <= all.checked + all.left_out) return;
    variant.outcome = Outcome::refused;
    variant.message = all.text();
}

Outcome outcome_of_message(const std::string& line) {
    if (line.find(": WRONG") != std::string::npos) return Outcome::wrong;
    return line.find(": CRASH: ") != std::string::npos ? Outcome::crash : Outcome::failed;
}

/// The benchmark verifies every result too, on larger images than the tests. Its worst message
/// about the variant counts.
void apply_bench(VariantReport& variant, const std::string& lab, const fs::path& log) {
    if (is_failure(variant.outcome)) return;
    const std::string start = lab + " " + variant.name + " ";
    std::ifstream in(log);
    for (std::string line; std::getline(in, line);) {
        if (!line.starts_with(start)) continue;
        const Outcome outcome = outcome_of_message(line);
        if (is_failure(variant.outcome) && outcome <= variant.outcome) continue;
        variant.outcome = outcome;
        variant.message = "in the benchmark: " + line.substr(lab.size() + 1);
    }
}

void read_outcomes(LabReport& lab, const fs::path& folder) {
    for (VariantReport& variant : lab.variants) {
        apply_tests(variant, lab.tests);
        apply_refusals(variant, lab.tests);
        apply_bench(variant, lab.name, folder / "bench.log");
        if (variant.outcome == Outcome::not_tested)
            variant.message = "there is no result of a test";
        // A variant that is wrong in one configuration gets no time.
        const auto timing = lab.timings.fastest.find(variant.name);
        if (!is_failure(variant.outcome) && timing != lab.timings.fastest.end())
            variant.timing = timing->second;
    }
    add_left_out(lab.variants, folder);
}

/// The next lines that are not empty, without their indentation.
std::string next_lines(std::istream& in, int count) {
    std::string text;
    for (std::string line; count > 0 && std::getline(in, line);) {
        const std::size_t start = line.find_first_not_of(' ');
        if (start == std::string::npos) continue;
        text.append(" ").append(line, start);
        --count;
    }
    return text;
}

/// The experiments that `bench` had to run: those named in its arguments, or all.
std::set<std::string> announced(const fs::path& folder, const std::string& arguments) {
    static const std::regex experiment(R"(^ {20,}(\w+): .*)");
    std::set<std::string> known;
    std::ifstream in(folder / "bench_help.txt");
    for (std::string line; std::getline(in, line) && !line.starts_with("Options:");) {
        if (std::smatch match; std::regex_match(line, match, experiment)) known.insert(match[1]);
    }
    std::set<std::string> named;
    std::istringstream words(arguments);
    for (std::string word; words >> word;) {
        if (known.contains(word)) named.insert(word);
    }
    return named.empty() ? known : named;
}

/// Checks the files, because a variant may end the benchmark with exit code 0.
std::string classify_bench(const fs::path& folder, std::map<std::string, std::string>& state) {
    std::string bench = state["bench"];
    if (bench.starts_with("failed")) return bench + ": " + last_line(folder / "bench.log");
    if (bench != "ok") return bench;
    for (const fs::path& file : files_in(folder / "csv")) {
        if (file.extension() == ".partial") {
            return fmt::format("failed: it left {} behind", file.filename().string());
        }
    }
    for (const std::string& name : announced(folder, state["bench_arguments"])) {
        if (!fs::exists(folder / "csv" / (name + ".csv"))) {
            return fmt::format("failed: it wrote no {}.csv", name);
        }
    }
    return bench;
}

}  // namespace

std::string_view LabReport::status() const {
    if (!finished) return "not finished";
    if (build == "failed") return "does not build";
    const bool variants_ok = std::none_of(variants.begin(), variants.end(),
                                          [](const auto& v) { return is_failure(v.outcome); });
    const bool ok = variants_ok && failed_tests() == 0 && trouble.empty();
    return ok ? "ok" : "failed";
}

int LabReport::count(Outcome outcome) const {
    return static_cast<int>(std::count_if(tests.begin(), tests.end(), [outcome](const auto& test) {
        return test.outcome == outcome;
    }));
}

int LabReport::failed_tests() const {
    return static_cast<int>(std::count_if(
        tests.begin(), tests.end(), [](const auto& test) { return is_failure(test.outcome); }));
}

LabReport read_lab(const fs::path& folder) {
    LabReport lab;
    lab.name = folder.filename();
    lab.folder = folder;
    auto state = read_state(folder / "state");
    lab.build = state["build"];
    lab.bench = classify_bench(folder, state);
    lab.figures = state["figures"];
    lab.finished = state.contains("finished");
    lab.variants = read_variants(folder);
    lab.listed = !lab.variants.empty();
    lab.tests = read_ctest(folder / "ctest.xml", folder / "ctest.log");
    if (lab.tests.empty()) lab.tests = read_gtest_logs(folder);
    if (!lab.bench.empty()) lab.timings = read_timings(folder / "csv");
    read_outcomes(lab, folder);

    if (lab.build == "failed") {
        const std::string error = first_error(folder / "build.log");
        lab.trouble = error.empty() ? first_error(folder / "configure.log") : error;
        if (lab.trouble.empty()) lab.trouble = "see configure.log and build.log";
    } else if (lab.finished && lab.tests.empty()) {
        lab.trouble = "no test ran; see ctest.log";
    } else if (lab.finished && !lab.listed && lab.name != "harness") {
        const std::string said = first_line(folder / "list.log");
        lab.trouble =
            "its program lists no variants" + (said.empty() ? "; see variants.json" : ": " + said);
    } else {
        if (lab.bench.starts_with("failed")) lab.trouble = "benchmark " + lab.bench;
        if (lab.figures.starts_with("failed")) {
            lab.trouble += (lab.trouble.empty() ? "figures " : "; figures ") + lab.figures;
        }
    }
    return lab;
}

std::string failing_variants(const LabReport& lab) {
    std::string text;
    for (const VariantReport& variant : lab.variants) {
        const bool runs = variant.built && variant.outcome != Outcome::not_compiled;
        if (!runs || !is_failure(variant.outcome)) continue;
        text += (text.empty() ? "" : ",") + variant.name;
    }
    return text;
}

bool Run::ok() const {
    return std::all_of(labs.begin(), labs.end(), [](const LabReport& lab) { return lab.ok(); });
}

std::string first_error(const fs::path& log) {
    static const std::regex error(
        R"(\berror\s*(#\S*\s*)?:|CMake Error|undefined reference|multiple definition|ptxas fatal)");
    static const std::regex folders(R"(/[^ :]*/((lab\d|harness|common)[^ :]*))");
    std::ifstream in(log);
    for (std::string line; std::getline(in, line);) {
        if (!std::regex_search(line, error)) continue;
        // CMake's message is on the lines that follow.
        if (line.find("CMake Error") != std::string::npos) line += next_lines(in, 3);
        return std::regex_replace(line, folders, "$1");
    }
    return "";
}

}  // namespace harness::summary
