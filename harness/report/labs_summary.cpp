// labs_summary: answers run_all.sh's questions about a run, and writes its reports.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <ostream>

#include "common/error.hpp"
#include "common/file.hpp"
#include "one_variant.hpp"
#include "report.hpp"

namespace {

namespace fs = std::filesystem;
using common::ExitCode;
using harness::summary::Outcome;
using harness::summary::Run;

void write(const fs::path& path, const std::string& text) {
    common::write_file(path, [&](std::ostream& out) { out << text; });
}

/// True if colours are wanted.
bool on_terminal() {
    return isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
}

/// `pages` are the folders that get an index.html, the output folder first.
ExitCode report(const Run& run, const std::vector<fs::path>& pages) {
    const fs::path& output = pages.front();
    write(output / "summary.md", as_markdown(run));
    write(output / "results.json", as_json(run));
    write_junit(run, output / "junit.xml");
    const std::string page = as_html(run);
    for (const fs::path& folder : pages) write(folder / "index.html", page);
    fmt::print("\n{}As a page: {}\n", as_terminal(run, on_terminal()),
               (pages.back() / "index.html").string());
    return run.ok() ? ExitCode::done : ExitCode::failed;
}

/// A lab that is finished, before the others are: its table, its ladder, and a page of its own.
void show(const Run& run) {
    const harness::summary::LabReport& lab = run.labs.front();
    const fs::path page = lab.folder / "index.html";
    write(page, as_html(run));
    fmt::print("\n{}\n{}As a page, with pictures and figures: {}\n\n",
               as_terminal(run, on_terminal()), as_staircase(lab), page.string());
}

/// The steps of run_all.sh after the tests of a variant, a line each, with tabs between.
void print_plan(const harness::summary::Plan& plan) {
    if (!plan.experiment.empty()) {
        fmt::print("bench\t{}\t{}\n", plan.experiment, fmt::join(plan.variants, ","));
    }
    for (const auto& run : plan.explanations) {
        fmt::print("explain\t{}\t{}\t{}\n", run.file, run.input, run.options);
    }
}

/// As `run` of the lab's program does: 77 for a variant that cannot run here, or is not begun.
ExitCode judge(const harness::summary::LabReport& lab, const std::string& variant,
               const fs::path& rules) {
    const auto verdict = verdict_on(lab, variant, rules);
    fmt::print("\n{}\n", verdict.text);
    if (is_failure(verdict.outcome)) return ExitCode::failed;
    return verdict.outcome == Outcome::ok ? ExitCode::done : ExitCode::unavailable;
}

ExitCode dispatch(int argc, const char* const* argv) {
    CLI::App app("Reads what run_all.sh left in its output folder");
    app.require_subcommand(1);
    fs::path folder;
    Run run;
    fs::path more;
    std::vector<std::string> labs;

    auto* listed = app.add_subcommand("listed", "fails if the lab's program listed no variants");
    listed->add_option("FOLDER", folder, "the lab's output folder")->required();
    auto* tests = app.add_subcommand("tests", "one line on how the tests of a lab went");
    tests->add_option("FOLDER", folder, "the lab's output folder")->required();
    auto* failing = app.add_subcommand("failing", "variants that are wrong, crash or hang");
    failing->add_option("FOLDER", folder, "the lab's output folder")->required();
    auto* bench = app.add_subcommand("bench", "how the benchmark of a lab went");
    bench->add_option("FOLDER", folder, "the lab's output folder")->required();
    auto* error = app.add_subcommand("error", "the first error in the log of a compiler");
    error->add_option("LOG", folder)->required();
    std::string name;
    fs::path rules;
    const auto of_variant = [&](const std::string& subcommand, const std::string& what) {
        auto* added = app.add_subcommand(subcommand, what);
        added->add_option("FOLDER", folder, "the lab's output folder")->required();
        added->add_option("VARIANT", name)->required();
        return added;
    };
    auto* plan = of_variant("plan", "what to measure after the tests of a variant");
    plan->add_option("--rules", rules, "grading/labN.json, if there is one");
    auto* variant = of_variant("variant", "the verdict on a variant; fails unless it is right");
    variant->add_option("--rules", rules, "grading/labN.json, if there is one");
    auto* one = app.add_subcommand("show", "prints table and ladder of a lab, writes its page");
    one->add_option("--mode", run.mode, "what to call the run in the title");
    one->add_option("FOLDER", folder, "the lab's output folder")->required();
    auto* look = app.add_subcommand("look", "prints the ladder of a lab before it was tested");
    look->add_option("FOLDER", folder, "a folder with variants.json and csv/")->required();
    auto* all = app.add_subcommand(
        "report",
        "prints the table, writes index.html, summary.md, results.json and junit.xml; fails if "
        "anything failed");
    all->add_option("--mode", run.mode, "what to call the run in the title");
    all->add_option("--report", more, "a folder that index.html goes to as well");
    all->add_option("OUTPUT", folder, "the output folder")->required();
    all->add_option("LAB", labs, "its folders to report on, in order")->required();

    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& help) {
        return static_cast<ExitCode>(app.exit(help));
    } catch (const CLI::ParseError& wrong) {
        throw common::BadUsage(std::string(wrong.what()) + " (see --help)");
    }
    if (listed->parsed() && !harness::summary::read_lab(folder).listed) return ExitCode::failed;
    if (tests->parsed()) fmt::print("{}\n", describe_tests(harness::summary::read_lab(folder)));
    if (failing->parsed()) {
        fmt::print("{}\n", failing_variants(harness::summary::read_lab(folder)));
    }
    if (bench->parsed()) fmt::print("{}\n", harness::summary::read_lab(folder).bench);
    if (look->parsed()) fmt::print("\n{}\n", as_staircase(harness::summary::read_lab(folder)));
    if (error->parsed()) fmt::print("{}\n", harness::summary::first_error(folder));
    if (plan->parsed()) print_plan(plan_for(harness::summary::read_lab(folder), name, rules));
    if (variant->parsed()) return judge(harness::summary::read_lab(folder), name, rules);
    run.when = harness::timestamp();
    run.machine = harness::machine();
    if (one->parsed()) {
        run.labs = {harness::summary::read_lab(folder)};
        show(run);
    }
    if (!all->parsed()) return ExitCode::done;
    for (const std::string& lab : labs) {
        run.labs.push_back(harness::summary::read_lab(folder / lab));
    }
    std::vector<fs::path> pages{folder};
    if (!more.empty()) pages.push_back(more);
    return report(run, pages);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return static_cast<int>(dispatch(argc, argv));
    } catch (const common::Error& error) {
        fmt::print(stderr, "error: {}\n", error.what());
        return static_cast<int>(error.code);
    } catch (const std::exception& error) {
        fmt::print(stderr, "error: {}\n", error.what());
        return static_cast<int>(ExitCode::failed);
    }
}
