// The part of the grader that asks the judge: tests, counters and speeds of a file, and races.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "check/grader.hpp"
#include "check/rules.hpp"
#include "check/wanted.hpp"
#include "judge/worker_process.hpp"

namespace grading {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double spare_part = 0.1;  ///< of a file's time: for the judge to write its result

json to_json(const WorkerFiles& files) {
    json to{{"program", files.program},
            {"module", files.module},
            {"name", files.name},
            {"on_device", files.on_device},
            {"libraries", files.libraries}};
    if (files.gpu) to["gpu"] = *files.gpu;
    return to;
}

/// The environment of a judge.
std::vector<std::string> judge_environment() {
    std::vector<std::string> environment{"PATH=/usr/bin:/bin", "OMP_WAIT_POLICY=passive"};
    for (const char* name : {"TMPDIR", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"}) {
        const char* const value = std::getenv(name);
        if (value != nullptr) environment.push_back(fmt::format("{}={}", name, value));
    }
    return environment;
}

/// At least one test called the variant, and it did not say that it is not done yet.
bool has_begun(const json& judged) {
    return std::ranges::any_of(judged.at("tests"), [](const json& test) {
        return test["outcome"] == "right" || test["outcome"] == "wrong";
    });
}

}  // namespace

json Grader::task_of(const Job& job) const {
    const WorkerFiles files = job.lane->workshop.worker_files(job.file.variant, job.file.on_device);
    return {{"variant", to_json(files)},
            {"sandbox", job.lane->sandbox.description()},
            {"seed", seed_.hex()},
            {"class_seed", class_seed_},
            {"test_seconds", options_.test_seconds},
            {"run_tests", true},
            {"only_test", ""},
            {"speeds", json::array()},
            {"references", json::array()},
            {"counters", counters_of(job.file.variant, points_)}};
}

void Grader::add_speeds(json& task, const Job& job) {
    std::vector<std::string> references;
    for (const json& speed : speeds_of(lab_, job.file.variant, points_)) {
        task["speeds"].push_back(speed);
        const std::string name = speed.at("against");
        if (std::find(references.begin(), references.end(), name) != references.end()) continue;
        references.push_back(name);
        const bool on_cpu = !job.file.variant.starts_with("cuda_");
        if (on_cpu && name.starts_with("peer_")) continue;  // the judge has these libraries
        task["references"].push_back(to_json(job.lane->workshop.reference(name)));
    }
}

/// Adds what the judge found to `job`. Returns false if it was killed at `end`; tests that it has
/// begun shortly before fail with a timeout.
bool Grader::judge(Job& job, json task, Clock::time_point end,
                   const std::vector<std::string>& settings) const {
    const double seconds = std::chrono::duration<double>(end - Clock::now()).count();
    if (seconds <= 0) return false;
    const fs::path folder = job.lane->workshop.judge_folder();
    const fs::path task_file = folder / "task.json";
    const fs::path result_file = folder / "result.json";
    fs::remove(result_file);
    task["seconds"] = seconds * (1 - spare_part);
    std::ofstream(task_file) << task;
    std::vector<std::string> environment = judge_environment();
    environment.insert(environment.end(), settings.begin(), settings.end());
    Process judge({.arguments = {settings_.judge(lab_.number), task_file, result_file},
                   .environment = environment,
                   .folder = folder});
    if (!judge.wait(end)) return false;
    if (judge.status() != 0) {
        std::string said = judge.text();
        said = printable(said.substr(said.size() > 300 ? said.size() - 300 : 0));
        std::replace(said.begin(), said.end(), '\n', ' ');
        throw MachineFault(fmt::format("the judge of {} ended with {}: {}", job.file.variant,
                                       describe_status(judge.status()), said));
    }
    const json judged = json::parse(std::ifstream(result_file));
    if (job.judged.is_null()) {
        job.judged = judged;
    } else {
        job.judged["speeds"] = judged.at("speeds");
        if (judged.contains("gpu")) job.judged["gpu"] = judged["gpu"];
    }
    return true;
}

/// Accesses of kernels that the emulation does not see become a test that was not done.
/// A race becomes the first test that failed, because it explains others. The judge does not know
/// the test `races` of the labs: this takes its place. A task for several threads that one thread
/// does is not done: a given file under its name would be, so no other test counts.
void Grader::look_for_races(Job& job, Clock::time_point end) const {
    if (!has_begun(job.judged)) return;
    if (job.file.on_device && job.unseen.empty()) return;
    const RaceFound found = job.file.on_device ? RaceFound{.not_checked = job.unseen}
                                               : job.lane->workshop.race_in(job.file, end);
    const std::string reason =
        found.not_checked.empty() ? found.race : "not checked: " + found.not_checked;
    const std::string outcome = !found.not_checked.empty() ? "skipped"
                                : found.race.empty()       ? to_string(Outcome::right)
                                                           : to_string(Outcome::wrong);
    json& tests = job.judged["tests"];
    const bool is_undone = is_of_one_thread(found.race) && is_of_a_task(job.file.variant, points_);
    if (is_of_one_thread(found.race) && !is_undone) return;
    std::erase_if(tests.get_ref<json::array_t&>(),
                  [&](const json& test) { return is_undone || test["name"] == "races"; });
    json test{{"name", job.file.on_device ? "accesses" : "races"},
              {"outcome", outcome},
              {"reason", reason},
              {"picture", ""},
              {"hidden", false},
              {"ms", 0}};
    tests.insert(tests.begin(), std::move(test));
}

}  // namespace grading
