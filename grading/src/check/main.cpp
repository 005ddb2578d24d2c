// grade_check: grades one submission. See docs/grading.md.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>

#include "check/grader.hpp"
#include "check/output.hpp"
#include "check/rules.hpp"
#include "check/tested.hpp"
#include "common/error.hpp"
#include "common/file.hpp"

namespace grading {
namespace {

namespace fs = std::filesystem;

struct Arguments {
    GradeOptions options;
    fs::path out;
    std::vector<fs::path> rules;
};

constexpr int machine_fault = 3;  // beside common::ExitCode

/// While it lives, no other grading writes into the folder.
class OutLock {
  public:
    explicit OutLock(const fs::path& folder) {
        fs::create_directories(folder);
        const fs::path path = folder / ".lock";
        file_ = Descriptor(checked(
            open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600), path.string()));
        if (flock(file_.get(), LOCK_EX | LOCK_NB) == 0) return;
        throw common::BadUsage("--out " + folder.string() + ": another grading writes there");
    }

  private:
    Descriptor file_;
};

int check_rules(const Arguments& arguments) {
    const Settings settings = Settings::read();
    for (const fs::path& file : arguments.rules) {
        read_rules(file, settings.source, arguments.options.hidden);
    }
    return 0;
}

void refuse_overwriting(const fs::path& folder, const char* option, const fs::path& out) {
    if (folder.empty() || fs::weakly_canonical(folder) != fs::weakly_canonical(out)) return;
    throw common::BadUsage(std::string("--out: the results in ") + option +
                           " would be overwritten");
}

int check(const Arguments& arguments) {
    const fs::path& submission = arguments.options.submission;
    if (!fs::is_directory(submission)) {
        throw common::BadUsage(submission.string() + ": is no readable folder");
    }
    const GradeOptions& options = arguments.options;
    if (!options.tested.empty() && options.part != "speed") {
        throw common::BadUsage("--tested needs --part speed");
    }
    if (!options.task.empty() && options.keep.empty()) {
        throw common::BadUsage("--task needs --keep");
    }
    if (!options.keep.empty() && options.part == "all") {
        throw common::BadUsage("--keep needs --part tests or --part speed");
    }
    refuse_overwriting(options.tested, "--tested", arguments.out);
    refuse_overwriting(options.keep, "--keep", arguments.out);
    const OutLock lock(arguments.out);
    remove_output(arguments.out);
    Grader grader(arguments.options);  // its folder has the pictures for the feedback
    const Grade grade = grader.grade();
    if (arguments.options.part != "all") write_tested(grader.tested(), arguments.out);
    write_output(grade, arguments.out);
    for (const GradedVariant& variant : grade.variants) {
        const std::string reason = variant.reason.substr(0, variant.reason.find('\n'));
        fmt::print("{}: {}{}\n", variant.name, variant.verdict,
                   reason.empty() ? "" : ": " + reason);
    }
    for (const OtherFile& other : grade.others) fmt::print("not graded: {}\n", said_of(other));
    return 0;
}

/// For the comparison of a class: OUT/FILE has the text that the compiler sees. A line for each
/// file that is graded and has no such text says why.
int preprocess(const Arguments& arguments) {
    const Intake intake = take_in(arguments.options.submission);
    const Settings settings = Settings::read();
    const LabFacts lab = lab_numbered(arguments.options.lab, settings.source);
    const Lease lease;
    const Sandbox sandbox = Sandbox::find(lease.user());
    const Workshop workshop(settings, lab, lease, sandbox);
    workshop.copy_headers();
    fs::create_directories(arguments.out);
    for (const SubmittedFile& file : intake.files) {
        std::string text;
        const auto end = Clock::now() + std::chrono::seconds(30);
        const Compiled done = workshop.preprocess(file, end, text);
        if (done.ok()) {
            common::write_file(arguments.out / file.file, [&](std::ostream& to) { to << text; });
        } else {
            fmt::print("{}: {}\n", file.file, done.said.substr(0, done.said.find('\n')));
        }
    }
    return 0;
}

}  // namespace
}  // namespace grading

int main(int count, char** words) {
    umask(022);
    grading::Arguments arguments;
    CLI::App app("Grades a submission.", "grade");
    CLI::App* check = app.add_subcommand("check", "grades one submission");
    app.require_subcommand(1);
    check->add_option("submission", arguments.options.submission, "a folder with variant files")
        ->required();
    check->add_option("--lab", arguments.options.lab, "number of the lab")->required();
    check->add_option("--out", arguments.out, "the folder for results.json")->required();
    check->add_option("--hidden", arguments.options.hidden, "a folder with test files")
        ->take_last();  // the script adds it as an absolute path
    check
        ->add_option("--part", arguments.options.part,
                     "only the tests, which may run beside others, or the speed")
        ->check(CLI::IsMember({"all", "tests", "speed"}));
    check->add_option("--tested", arguments.options.tested,
                      "with --part speed: the output of --part tests for the same files, to which "
                      "the speeds are added");
    check->add_option("--task", arguments.options.task,
                      "grades this task only, as D; the results of the others are those in --keep");
    check->add_option("--keep", arguments.options.keep,
                      "an earlier output of the same --part, for the same files: only points are "
                      "counted again, but with --task");
    check->add_option("--seed", arguments.options.seed,
                      "repeats the inputs of a grading: its seed");
    check
        ->add_option("--class-seed", arguments.options.class_seed,
                     "of the random tests: those of a class have the same")
        ->check(CLI::NonNegativeNumber);
    check->add_option("--test-seconds", arguments.options.test_seconds, "a test's time (60)")
        ->check(CLI::Range(0.1, 3600.0));
    check
        ->add_option("--submission-seconds", arguments.options.submission_seconds,
                     "the time for all files of a submission together (600)")
        ->check(CLI::Range(1.0, 86400.0));
    CLI::App* preprocess =
        app.add_subcommand("preprocess", "writes what the compiler sees of a submission");
    preprocess->add_option("submission", arguments.options.submission, "a folder")->required();
    preprocess->add_option("--lab", arguments.options.lab, "number of the lab")->required();
    preprocess->add_option("--out", arguments.out, "the folder for the texts")->required();
    CLI::App* check_rules =
        app.add_subcommand("check-rules", "looks for mistakes in rules for points");
    check_rules->add_option("files", arguments.rules, "labN-name/assignment/points.json, say")
        ->required();
    check_rules->add_option("--hidden", arguments.options.hidden, "a folder with test files")
        ->take_last();
    try {
        app.parse(count, words);
        if (*preprocess) return grading::preprocess(arguments);
        return *check ? grading::check(arguments) : grading::check_rules(arguments);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        fmt::print(stderr, "grade: {}\n", error.what());
        return 2;
    } catch (const grading::MachineFault& fault) {
        fmt::print(stderr, "grade: {}\n", fault.what());
        return grading::machine_fault;
    } catch (const common::Error& error) {
        fmt::print(stderr, "grade: {}\n", error.what());
        return static_cast<int>(error.code);
    } catch (const std::exception& error) {
        fmt::print(stderr, "grade: {}\n", error.what());
        return 1;
    }
}
