#pragma once

#include "common/options.hpp"

// One binary that uses the vector instructions of the machine on which it runs. Some of these are
// macros, because attributes cannot be named in another way.

/// 1 if the compiler knows the names of x86-64's levels. Clang has them from version 18 on; older
/// ones, which find data races as well, compile for the baseline only.
#if defined(__x86_64__) && (!defined(__clang__) || __clang_major__ >= 18)
#define LABS_X86_LEVELS 1
#else
#define LABS_X86_LEVELS 0
#endif

#if LABS_X86_LEVELS && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace common {

/// True if this process may use AMX. Linux grants it on request, because its registers enlarge a
/// thread's state by 8 KB.
inline bool may_use_amx() {
#if LABS_X86_LEVELS && defined(__linux__)
    // The numbers are those of <asm/prctl.h>, which older systems do not have.
    constexpr int ask_for_permission = 0x1023;
    constexpr int tile_data = 18;
    static const bool may = __builtin_cpu_supports("amx-int8") &&
                            syscall(SYS_arch_prctl, ask_for_permission, tile_data) == 0;
    return may;
#else
    return false;
#endif
}

inline bool machine_has(InstructionSet set) {
#if LABS_X86_LEVELS
    switch (set) {
        case InstructionSet::baseline:
            return true;
        case InstructionSet::avx2:
            return __builtin_cpu_supports("x86-64-v3");
        case InstructionSet::avx512:
            return __builtin_cpu_supports("x86-64-v4");
        case InstructionSet::avx512_vbmi:
            return __builtin_cpu_supports("x86-64-v4") && __builtin_cpu_supports("avx512vbmi");
        case InstructionSet::amx:
            return machine_has(InstructionSet::avx512_vbmi) && may_use_amx();
    }
#endif
    return set == InstructionSet::baseline;
}

/// The best that the machine has, up to `at_most`.
inline InstructionSet best_instruction_set(InstructionSet at_most) {
    int set = static_cast<int>(at_most);
    while (!machine_has(static_cast<InstructionSet>(set))) --set;  // it has the baseline
    return static_cast<InstructionSet>(set);
}

}  // namespace common

/// Before a function: it is compiled for several instruction sets, and the machine's best is chosen
/// when the program starts. (Sanitizers do not survive being called that early.)
#if LABS_X86_LEVELS && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FOR_SEVERAL_INSTRUCTION_SETS \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FOR_SEVERAL_INSTRUCTION_SETS
#endif

/// Marks functions and lambdas that such functions call: they become part of each version.
#define ALWAYS_INLINE __attribute__((always_inline))
