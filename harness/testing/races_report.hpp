#pragma once

#include <string>

#pragma GCC visibility push(hidden)  // from modules of students

namespace races {

/// Describes a data race that ThreadSanitizer reports: both lines and the cause, and below them the
/// line that writes; "" if the report is about something else, or about a variable of the compiler.
/// `module_source` is the file of a variant that was loaded as a module, or "".
std::string text_of(void* report, const std::string& module_source);

}  // namespace races

#pragma GCC visibility pop
