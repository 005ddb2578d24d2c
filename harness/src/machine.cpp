#include "harness/machine.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <omp.h>

#include <ctime>
#include <fstream>

#include "commit.hpp"
#include "control_group.hpp"
#include "harness/device.hpp"

namespace harness {
namespace {

std::string cpu_model() {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("model name")) return line.substr(line.find(": ") + 2);
    }
    return "unknown CPU";
}

std::string compiler() {
    std::string text = fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
    const int cuda = device_facts().emulated ? 0 : device_facts().runtime_version;
    if (cuda > 0) {
        text += fmt::format(" CUDA {}.{}", cuda / 1000, cuda % 1000 / 10);
    }
    return text;
}

}  // namespace

int cpu_cores() {
    static const int cores = cores_within(control_group_limits(), omp_get_num_procs());
    return cores;
}

const Machine& machine() {
    static const Machine facts{
        .cpu = fmt::format("{} ({} cores)", cpu_model(), cpu_cores()),
        .gpu = device_facts().usable() && !device_facts().emulated ? device_facts().name : "none",
        .compiler = compiler(),
        .commit = ::commit,
    };
    return facts;
}

std::string timestamp() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace harness
