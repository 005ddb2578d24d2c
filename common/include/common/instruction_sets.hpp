#pragma once

#include "common/options.hpp"

// One binary that uses the vectors of the machine on which it runs. Some of this is macros, because
// attributes cannot be named in another way.

namespace common {

/// Whether this process may use the registers of AMX, of which Linux wants to be asked first: they
/// make a thread's state larger by 8 KB.
bool may_use_amx();

inline bool machine_has(InstructionSet set) {
#if defined(__x86_64__)
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

/// The best that the machine has, but no more than `at_most`.
inline InstructionSet best_instruction_set(InstructionSet at_most) {
    int set = static_cast<int>(at_most);
    while (!machine_has(static_cast<InstructionSet>(set))) --set;  // it has the baseline
    return static_cast<InstructionSet>(set);
}

}  // namespace common

/// Before a function: it is compiled for several instruction sets, and the machine's best is chosen
/// when the program starts. (The address sanitizer does not survive being called that early.)
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define FOR_SEVERAL_INSTRUCTION_SETS \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FOR_SEVERAL_INSTRUCTION_SETS
#endif

/// Of functions and lambdas that such functions call: they become part of each version.
#define ALWAYS_INLINE __attribute__((always_inline))
