#pragma once

#include <string>

namespace grading {

/// Who looks at the accesses of a variant: the emulation of kernels, or ThreadSanitizer.
enum class Looking { emulation, thread_sanitizer };

/// g++'s -fsanitize=thread inserts no call for what a call itself reads or writes: a struct in
/// memory that is passed by value, the place of a struct that a function returns, and memory that a
/// built-in function such as `__builtin_memmove` copies. Returns the first of them, "FILE:LINE ..."
/// with the nearest line of `file`, or "" if all accesses are seen. A struct on the function's own
/// stack is none.
/// `dump` is what -fdump-tree-optimized-raw-lineno-asmname writes of the compilation. `defined` is
/// what nm --defined-only prints of its object.
std::string unseen_access(const std::string& dump, const std::string& defined,
                          const std::string& file, Looking looking);

}  // namespace grading
