// labs_summary: answers run_all.sh's questions about a run, and writes its reports.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <ostream>

#include "common/error.hpp"
#include "common/file.hpp"
#include "report.hpp"

namespace {

namespace fs = std::filesystem;
using common::ExitCode;
using common::summary::Run;

void write(const fs::path& path, const std::string& text) {
    common::write_file(path, [&](std::ostream& out) { out << text; });
}

/// `pages` are the folders that get an index.html, the output folder first.
ExitCode report(const Run& run, const std::vector<fs::path>& pages) {
    const fs::path& output = pages.front();
    write(output / "summary.md", as_markdown(run));
    write(output / "results.json", as_json(run));
    write_junit(run, output / "junit.xml");
    const std::string page = as_html(run);
    for (const fs::path& folder : pages) write(folder / "index.html", page);
    const bool colours = isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
    fmt::print("\n{}As a page: {}\n", as_terminal(run, colours),
               (pages.back() / "index.html").string());
    return run.ok() ? ExitCode::done : ExitCode::failed;
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
    if (listed->parsed() && !common::summary::read_lab(folder).listed) return ExitCode::failed;
    if (tests->parsed()) fmt::print("{}\n", describe_tests(common::summary::read_lab(folder)));
    if (failing->parsed()) {
        fmt::print("{}\n", failing_variants(common::summary::read_lab(folder)));
    }
    if (bench->parsed()) fmt::print("{}\n", common::summary::read_lab(folder).bench);
    if (error->parsed()) fmt::print("{}\n", common::summary::first_error(folder));
    if (!all->parsed()) return ExitCode::done;
    for (const std::string& lab : labs) {
        run.labs.push_back(common::summary::read_lab(folder / lab));
    }
    run.when = common::timestamp();
    run.machine = common::machine();
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
