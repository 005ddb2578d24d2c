#pragma once

#include <string>

namespace grading {

/// Returns the first word in a student's own lines that may hide accesses from the counters, or
/// change the counters; "" if there is none. `preprocessed` is the compiler's output for `source`,
/// whose name is `file`.
std::string hides_accesses(const std::string& source, const std::string& preprocessed,
                           const std::string& file);

/// The first of the undefined symbols, as `nm -u` prints them, that a counted module of the lab
/// with this namespace may not have; "" if there is none.
std::string forbidden_symbol(const std::string& symbols, const std::string& lab);

}  // namespace grading
