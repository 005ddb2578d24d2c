#pragma once

#include <string>

#pragma GCC visibility push(hidden)  // from modules of students

namespace races {

/// What ThreadSanitizer reports: the stacks of two accesses.
struct Report {
    static constexpr int depth = 16;
    struct {
        void* stack[depth];
        bool is_write;
    } accesses[2];
    int count;
};

/// Copies ThreadSanitizer's report. It holds its locks meanwhile, so nothing may be allocated here:
/// since GCC 13, malloc takes one of them.
Report copy_of(void* report);

/// Describes a data race: both lines and the cause, and below them the line that writes; "" if the
/// report is about something else, or about a variable of the compiler. `module_source` is the file
/// of a variant that was loaded as a module, or "".
std::string text_of(const Report& report, const std::string& module_source);

}  // namespace races

#pragma GCC visibility pop
