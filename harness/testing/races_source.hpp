#pragma once

// The text of a lab's source file, in which the cause of a data race is looked for.

#include <string>
#include <vector>

#pragma GCC visibility push(hidden)  // from modules of students

namespace races {

/// An access of a racing thread.
struct Access {
    std::string file{};
    int line = 0;
    bool is_write = false;
};

/// The lines of a file, which count from 1.
std::vector<std::string> lines_of(const std::string& path);

/// True if the line is a directive that begins a region or a task. The compiler makes the accesses
/// there: g++ copies shared references to a nested region or task, and back, unchanged.
bool is_copied_by_directive(const Access& access);

/// Why two threads access the same variable, from the line that writes it; "" if that is not clear.
std::string cause_of(const Access& written);

}  // namespace races

#pragma GCC visibility pop
