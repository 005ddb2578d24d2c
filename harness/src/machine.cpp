#include "harness/machine.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <omp.h>

#include <ctime>
#include <fstream>
#include <string>
#include <string_view>

#include "built_from.hpp"
#include "control_group.hpp"
#include "harness/device.hpp"

namespace harness {
namespace {

/// The value of the first line of /proc/cpuinfo that begins with `field`; empty if there is none.
std::string cpuinfo(std::string_view field) {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with(field)) return line.substr(line.find(':') + 1);
    }
    return {};
}

/// The restriction of this process by tools/older_cpu.cpp, as a part of the CPU's name; empty if it
/// sees all instructions of the CPU.
std::string restriction() {
#ifdef __x86_64__
    const std::string flags = cpuinfo("flags") + ' ';
    const auto has = [&](const char* flag) { return flags.find(flag) != std::string::npos; };
    if (has(" avx2 ") && !__builtin_cpu_supports("avx2")) return " restricted to SSE4";
    if (has(" avx512bw ") && !__builtin_cpu_supports("avx512bw")) return " restricted to AVX2";
#endif
    return {};
}

std::string cpu_model() {
    const std::string model = cpuinfo("model name");
    return (model.empty() ? "unknown CPU" : model.substr(1)) + restriction();
}

std::string compiler() {
#ifdef __clang__
    std::string text =
        fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    std::string text = fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
    text += std::string(" ") + build_flags;
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
