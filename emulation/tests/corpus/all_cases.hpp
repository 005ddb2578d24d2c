#pragma once

// The corpus as a whole: its cases, the lines at fault, the table of README.md.

#include <string>
#include <vector>

#include "corpus.hpp"

namespace corpus {

std::vector<Case> all_cases();

/// The lines below the comments "fault: NAME", in order.
std::vector<int> marked_lines(const Case& one);

/// The name of the case's source file, without folders.
std::string file_name(const Case& one);

const char* name_of(Tool tool);

/// Case, the right kernel, the mistake, what the emulation says, what compute-sanitizer says.
std::string table_row(const Case& one);

}  // namespace corpus
