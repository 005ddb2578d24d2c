// With tools/older_cpu.cpp loaded before it, this program must see the instructions of an older
// CPU: in a constructor, in main(), in functions with several versions, and in another thread. Its
// argument is the CPU, avx2 or sse4. Exit code: 0 if it does.

#include <fmt/format.h>

#include <string>
#include <thread>

#include "common/instruction_sets.hpp"
#include "harness/machine.hpp"

namespace {

using common::InstructionSet;
using common::machine_has;

const bool constructor_saw_avx512 = machine_has(InstructionSet::avx512);
const bool constructor_saw_avx2 = machine_has(InstructionSet::avx2);

#if LABS_X86_LEVELS
__attribute__((target("default"))) int chosen_version() {
    return 1;
}
__attribute__((target("arch=x86-64-v3"))) int chosen_version() {
    return 3;
}
__attribute__((target("arch=x86-64-v4"))) int chosen_version() {
    return 4;
}
#else
int chosen_version() {
    return 1;
}
#endif

int failures = 0;

template <class T>
void expect_equal(const char* what, const T& found, const T& expected) {
    if (found == expected) return;
    fmt::print("{}: {} instead of {}\n", what, found, expected);
    ++failures;
}

}  // namespace

int main(int, char** arguments) {
    const std::string cpu = arguments[1];
    const bool has_avx2 = cpu == "avx2" && LABS_X86_LEVELS;  // true of all CPUs that can hide it
    expect_equal("AVX-512 in a constructor", constructor_saw_avx512, false);
    expect_equal("AVX2 in a constructor", constructor_saw_avx2, has_avx2);
    expect_equal("AVX-512 in main", machine_has(InstructionSet::avx512), false);
    expect_equal("AMX in main", machine_has(InstructionSet::amx), false);
    expect_equal("the version of a function", chosen_version(), has_avx2 ? 3 : 1);
    std::thread([&] {
        __builtin_cpu_init();
        expect_equal("AVX2 in a thread", machine_has(InstructionSet::avx2), has_avx2);
    }).join();
    const std::string name = harness::machine().cpu;
    fmt::print("{}\n", name);
    if (cpu == "sse4") {
        expect_equal("the restriction in the name of the CPU",
                     name.find(" restricted to SSE4 (") != std::string::npos, true);
    }
    return failures > 0 ? 1 : 0;
}
