#pragma once

// The text of a lab's source file, in which the cause of a data race is looked for.

#include <string>
#include <vector>

namespace races {

/// An access of a racing thread.
struct Access {
    std::string file{};
    int line = 0;
    bool is_write = false;
};

/// The lines of a file, which count from 1.
std::vector<std::string> lines_of(const std::string& path);

/// Why two threads access the same variable, from the line that writes it; "" if that is not clear.
std::string cause_of(const Access& written);

}  // namespace races
