// labs_points: prints a student's points, and adds them to results.json. See points.hpp.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <ostream>

#include "common/error.hpp"
#include "common/file.hpp"
#include "points.hpp"

namespace {

namespace fs = std::filesystem;
using common::BadUsage;
using common::ExitCode;
using harness::summary::LabScore;
using harness::summary::PointsInput;

/// "lab1" of "lab1-convolution".
std::string number_of(const std::string& lab) {
    return lab.substr(0, lab.find('-'));
}

/// Prints the runs of the lab's program that count something, a line each, with tabs between.
void print_counter_runs(const fs::path& rules) {
    for (const auto& run : harness::summary::counter_runs(rules)) {
        fmt::print("{}\t{}\t{}\t{}\n", run.file, run.variant, run.input, run.options);
    }
}

void add_to_results(const fs::path& path, const std::vector<LabScore>& scores) {
    std::ifstream in(path);
    auto results = nlohmann::ordered_json::parse(in, nullptr, /*allow_exceptions=*/false);
    if (!results.is_object()) throw BadUsage(fmt::format("cannot read '{}'", path.string()));
    for (const LabScore& score : scores) {
        results["labs"][score.lab]["points"] = points_as_json(score);
    }
    common::write_file(path, [&](std::ostream& out) { out << results.dump(2) << "\n"; });
}

void report(const fs::path& output, const std::vector<std::string>& labs, const fs::path& key) {
    std::vector<LabScore> scores;
    for (const std::string& lab : labs) {
        const fs::path rules = fs::path("grading") / (number_of(lab) + ".json");
        if (!fs::exists(rules)) {
            fmt::print(stderr, "note: {} has no points: there is no {}\n", lab, rules.string());
            continue;
        }
        const PointsInput input{.rules = rules,
                                .answers = fs::path(lab) / "answers.txt",
                                .key = key / number_of(lab) / "answers.txt"};
        scores.push_back(score_lab(harness::summary::read_lab(output / lab), input));
        fmt::print("\n{}", points_as_text(scores.back()));
    }
    add_to_results(output / "results.json", scores);
}

void dispatch(int argc, const char* const* argv) {
    CLI::App app("Computes points from what run_all.sh left, from the root of the tree");
    app.require_subcommand(1);
    fs::path path;
    fs::path key = "grading/key";
    std::vector<std::string> labs;
    auto* counters = app.add_subcommand("counters", "what to count: file, variant, input, options");
    counters->add_option("RULES", path, "grading/labN.json")->required();
    auto* all = app.add_subcommand("report", "prints the points, and adds them to results.json");
    all->add_option("--key", key, "the folder of the answers; default: grading/key");
    all->add_option("OUTPUT", path, "the output folder of run_all.sh")->required();
    all->add_option("LAB", labs, "the labs, as lab1-convolution")->required();
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& help) {
        app.exit(help);
        return;
    } catch (const CLI::ParseError& wrong) {
        throw BadUsage(std::string(wrong.what()) + " (see --help)");
    }
    counters->parsed() ? print_counter_runs(path) : report(path, labs, key);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        dispatch(argc, argv);
        return static_cast<int>(ExitCode::done);
    } catch (const common::Error& error) {
        fmt::print(stderr, "error: {}\n", error.what());
        return static_cast<int>(error.code);
    } catch (const std::exception& error) {
        fmt::print(stderr, "error: {}\n", error.what());
        return static_cast<int>(ExitCode::failed);
    }
}
