// grade_judge_labN TASK RESULT: judges one variant as the file TASK says and writes RESULT. Started
// by grade_check.

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <fstream>

#include "common/error.hpp"
#include "common/file.hpp"
#include "judge/judge.hpp"

namespace {

using nlohmann::json;

grading::WorkerFiles files_of(const json& from) {
    grading::WorkerFiles files{from.at("program").get<std::string>(),
                               from.at("module").get<std::string>(),
                               from.at("name"),
                               from.at("on_device"),
                               {}};
    for (const std::string path : from.at("libraries")) files.libraries.emplace_back(path);
    if (from.contains("gpu")) files.gpu = from["gpu"].get<grading::GpuAccess>();
    return files;
}

grading::Task task_of(const json& from) {
    grading::Task task{.variant = files_of(from.at("variant")),
                       .sandbox = from.at("sandbox"),
                       .seed = grading::Secret::from_hex(from.at("seed")),
                       .class_seed = from.at("class_seed"),
                       .test_seconds = from.at("test_seconds"),
                       .seconds = from.at("seconds"),
                       .tests = from.at("run_tests"),
                       .only_test = from.at("only_test"),
                       .speeds = from.at("speeds"),
                       .references = {},
                       .counters = from.at("counters")};
    for (const json& reference : from.at("references")) {
        task.references.push_back(files_of(reference));
    }
    return task;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3) return 2;
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // the judge, and with it its workers, ends with grade_check
    try {
        const grading::Task task = task_of(json::parse(std::ifstream(arguments[1])));
        const json result = grading::judge(grading::Sandbox(task.sandbox), task);
        common::write_file(arguments[2], [&](std::ostream& file) {
            file << result.dump(1, ' ', false, json::error_handler_t::replace);
        });
        std::fflush(nullptr);
        _exit(0);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "grade_judge: %s\n", error.what());
        return 1;
    }
}
