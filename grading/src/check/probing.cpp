// Tries to leave the sandbox, before anything is graded (src/probe/probe.cpp).

#include <algorithm>
#include <chrono>
#include <string>

#include "check/files.hpp"
#include "check/workshop.hpp"
#include "common/error.hpp"

namespace grading {

namespace fs = std::filesystem;

/// It registers no variant, and so its worker ends.
std::string Workshop::said_by_probe(Place place) const {
    if (place == Place::races) {
        return run_races("probe", module_of("probe"), folder_ / "bin",
                         Clock::now() + std::chrono::seconds(20))
            .text;
    }
    try {
        const WorkerProcess worker(sandbox_, worker_files("probe", place == Place::gpu_worker), 0,
                                   Clock::now() + std::chrono::seconds(20));
        return worker.text();
    } catch (const common::Error& failed) {
        return failed.what();
    } catch (const WorkerFailed& failed) {
        return failed.what();
    }
}

void Workshop::probe() {
    fs::copy_file(settings_.build / "grade_probe.so", module_of("probe"));
    for (const Place place : {Place::worker, Place::races, Place::gpu_worker}) {
        const bool on_gpu = place == Place::gpu_worker;
        if ((on_gpu && !gpu_) || (place == Place::races && races_libraries_.empty())) continue;
        std::string said = said_by_probe(place);
        const bool silent = said.find("probe: could ") == std::string::npos;
        const bool whole = said.find("probe: 16 attempts made") != std::string::npos;
        if (silent && whole) continue;
        std::replace(said.begin(), said.end(), '\n', ' ');
        said = printable(said, 1000);
        if (!on_gpu || !silent) {
            throw common::Failed("the sandbox does not hold, nothing is graded: " + said);
        }
        why_no_gpu_ = "the GPU does not work in the sandbox: " + said;
        gpu_.reset();
    }
    copy_headers();
}

}  // namespace grading
