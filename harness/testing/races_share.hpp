#pragma once

// Which thread writes how much of the output: serial work that several threads do, each for itself,
// is no work in parallel.

#include <string>

#pragma GCC visibility push(hidden)  // from modules of students

namespace races {

/// The largest part of the output that one thread has written, 0 to 1.
double largest_share();

/// Above this part, one thread of four has done nearly all the work.
inline constexpr double most_of_one_thread = 0.75;

/// Why the part is not known, or "".
const std::string& why_share_is_unknown();

}  // namespace races

#pragma GCC visibility pop
