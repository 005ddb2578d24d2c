#pragma once

#include <filesystem>
#include <vector>

#include "sandbox/descriptor.hpp"

namespace grading {

/// True if this kernel has Landlock, which restricts a process to some files without namespaces.
bool has_landlock();

/// Rules that allow reading and executing `readable` (files, or folders with all in them) and
/// writing in `writable`, the use of `devices`, and nothing else in any file system.
Descriptor landlock_rules(const std::vector<std::filesystem::path>& readable,
                          const std::vector<std::filesystem::path>& writable,
                          const std::vector<std::filesystem::path>& devices);

/// Restricts this process and its children. Allocates no memory: for a child after fork().
bool restrict_to(const Descriptor& rules);

}  // namespace grading
