// grade_check: grades one submission. See docs/grading.md.

#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>

#include "check/output.hpp"
#include "check/rules.hpp"
#include "check/workshop.hpp"
#include "common/error.hpp"

namespace grading {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Arguments {
    fs::path submission;
    int lab = 0;
    fs::path out;
    std::string hidden;
    std::string part = "all";  ///< or "tests" or "speed"
    double test_seconds = 60;
    std::vector<fs::path> rules;
};

/// The speed that results.json shows, whatever the tasks want.
json usual_speed(int lab, const std::string& variant) {
    const std::vector<std::string> first_kernels{"cuda_per_channel", "cuda_lines", "cuda_naive",
                                                 "cuda_global_atomics"};
    if (variant.starts_with("cuda_")) {
        return {{"against", first_kernels.at(static_cast<std::size_t>(lab - 1))},
                {"where", json::object()}};
    }
    const std::vector<std::string> quadratic{"omp_outer", "omp_inner", "omp_nested"};
    if (lab != 2) return {{"against", "seq"}, {"where", json::object()}};
    if (std::find(quadratic.begin(), quadratic.end(), variant) == quadratic.end()) {
        return {{"against", "seq_scan"}, {"where", json::object()}};
    }
    return {{"against", "seq_naive"}, {"where", {{"width", 100}, {"height", 100}}}};
}

std::vector<json> speeds_of(int lab, const std::string& variant, const json& points) {
    std::vector<json> speeds;
    if (points.is_object()) {
        for (const json& task : points.at("tasks")) {
            if (task.value("variant", "") != variant || !task.contains("speed")) continue;
            speeds.push_back({{"against", task["speed"].value("against", "seq")},
                              {"where", task["speed"].value("where", json::object())}});
        }
    }
    speeds.push_back(usual_speed(lab, variant));
    return speeds;
}

json to_json(const WorkerFiles& files) {
    json to{{"program", files.program},
            {"module", files.module},
            {"name", files.name},
            {"on_device", files.on_device},
            {"libraries", files.libraries}};
    if (files.gpu) to["gpu"] = *files.gpu;
    return to;
}

std::uint64_t secret_seed() {
    std::uint64_t seed = 0;
    checked(getrandom(&seed, sizeof seed, 0), "getrandom");
    return seed >> 1;
}

class Grader {
  public:
    explicit Grader(Arguments arguments)
        : arguments_(std::move(arguments)),
          settings_(Settings::read()),
          lab_(lab_numbered(arguments_.lab, settings_.source)),
          sandbox_(Sandbox::find(lease_.user())),
          workshop_(settings_, lab_, lease_, sandbox_) {
        const fs::path rules = settings_.source / lab_.points();
        if (fs::exists(rules)) {
            points_ = read_rules(rules, settings_.source, arguments_.hidden);
            if (points_.at("lab") != lab_.folder) {
                throw common::BadUsage(rules.string() + ": is not for " + lab_.folder);
            }
        }
    }

    Grade grade() {
        workshop_.probe();
        const Intake intake = take_in(arguments_.submission);
        Grade result;
        result.lab = lab_.folder;
        for (const RefusedFile& file : intake.refused) {
            result.variants.push_back({file.variant, file.file, "refused", file.reason});
        }
        for (const SubmittedFile& file : intake.files) result.variants.push_back(graded(file));
        result.items = items_of(result.variants, points_);
        result.facts = {{"sandbox", sandbox_.description()},
                        {"gpu", workshop_.why_no_gpu().empty() ? "used" : workshop_.why_no_gpu()},
                        {"seed", seed_},
                        {"test_seconds", arguments_.test_seconds}};
        return result;
    }

  private:
    Arguments arguments_;
    Settings settings_;
    LabFacts lab_;
    Lease lease_;
    Sandbox sandbox_;
    Workshop workshop_;
    json points_;
    std::uint64_t seed_ = secret_seed();

    GradedVariant graded(const SubmittedFile& file) {
        GradedVariant variant{file.variant, file.file, "", ""};
        if (const auto said = workshop_.compile(file)) {
            variant.verdict = "does not compile";
            variant.reason = *said;
            return variant;
        }
        conclude(variant, judged(file));
        return variant;
    }

    json judged(const SubmittedFile& file) {
        const fs::path folder = workshop_.judge_folder();
        const fs::path task_file = folder / "task.json";
        const fs::path result_file = folder / "result.json";
        fs::remove(result_file);
        const WorkerFiles files = workshop_.worker_files(file.variant, file.on_device);
        const bool timed = !file.on_device || files.gpu;
        json task{{"variant", to_json(files)},
                  {"sandbox", sandbox_.description()},
                  {"seed", seed_},
                  {"test_seconds", arguments_.test_seconds},
                  {"run_tests", arguments_.part != "speed" || !timed},
                  {"speeds", json::array()},
                  {"references", json::array()}};
        if (timed && arguments_.part != "tests") add_speeds(task, file.variant);
        std::ofstream(task_file) << task;

        std::vector<std::string> environment{"PATH=/usr/bin:/bin", "OMP_WAIT_POLICY=passive"};
        for (const char* name : {"LABS_RANDOM_MS", "LABS_EMULATED_MS", "TMPDIR", "LD_LIBRARY_PATH",
                                 "CUDA_VISIBLE_DEVICES"}) {
            const char* value = std::getenv(name);
            if (value != nullptr) environment.push_back(fmt::format("{}={}", name, value));
        }
        Process judge({.arguments = {settings_.judge(lab_.number), task_file, result_file},
                       .environment = environment,
                       .folder = folder});
        if (!judge.wait(Clock::now() + std::chrono::minutes(30)) || judge.status() != 0) {
            const std::string said = judge.text();
            throw common::Failed(
                fmt::format("the judge of {} failed: {}", file.variant,
                            printable(said.substr(said.size() > 300 ? said.size() - 300 : 0))));
        }
        return json::parse(std::ifstream(result_file));
    }

    void add_speeds(json& task, const std::string& variant) {
        std::vector<std::string> references;
        for (const json& speed : speeds_of(lab_.number, variant, points_)) {
            task["speeds"].push_back(speed);
            const std::string name = speed.at("against");
            if (std::find(references.begin(), references.end(), name) != references.end()) continue;
            references.push_back(name);
            const bool on_cpu = !variant.starts_with("cuda_");
            if (on_cpu && name.starts_with("peer_")) continue;  // the judge has these libraries
            task["references"].push_back(to_json(workshop_.reference(name)));
        }
    }
};

int check_rules(const Arguments& arguments) {
    const Settings settings = Settings::read();
    for (const fs::path& file : arguments.rules) {
        read_rules(file, settings.source, arguments.hidden);
    }
    return 0;
}

int check(const Arguments& arguments) {
    if (!fs::is_directory(arguments.submission)) {
        throw common::BadUsage(arguments.submission.string() + ": is no readable folder");
    }
    remove_output(arguments.out);
    Grader grader(arguments);  // its folder has the pictures for the feedback
    const Grade grade = grader.grade();
    write_output(grade, arguments.out);
    for (const GradedVariant& variant : grade.variants) {
        const std::string reason = variant.reason.substr(0, variant.reason.find('\n'));
        fmt::print("{}: {}{}\n", variant.name, variant.verdict,
                   reason.empty() ? "" : ": " + reason);
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
    check->add_option("submission", arguments.submission, "a folder with variant files")
        ->required();
    check->add_option("--lab", arguments.lab, "1 to 4")->required();
    check->add_option("--out", arguments.out, "the folder for results.json")->required();
    check->add_option("--hidden", arguments.hidden, "a folder with test files")
        ->take_last();  // the script adds it as an absolute path
    check
        ->add_option("--part", arguments.part,
                     "only the tests, which may run beside others, or the speed")
        ->check(CLI::IsMember({"all", "tests", "speed"}));
    check->add_option("--test-seconds", arguments.test_seconds, "a test's time (60)")
        ->check(CLI::Range(0.1, 3600.0));
    CLI::App* check_rules = app.add_subcommand("check-rules", "looks for mistakes in labN.json");
    check_rules->add_option("files", arguments.rules, "files like grading/lab1.json")->required();
    check_rules->add_option("--hidden", arguments.hidden, "a folder with test files")->take_last();
    try {
        app.parse(count, words);
        return *check ? grading::check(arguments) : grading::check_rules(arguments);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        fmt::print(stderr, "grade: {}\n", error.what());
        return 2;
    } catch (const common::Error& error) {
        fmt::print(stderr, "grade: {}\n", error.what());
        return static_cast<int>(error.code);
    } catch (const std::exception& error) {
        fmt::print(stderr, "grade: {}\n", error.what());
        return 1;
    }
}
