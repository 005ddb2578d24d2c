#pragma once

// One binary that uses the vectors of the machine on which it runs. These are macros because
// attributes cannot be named in another way.

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
