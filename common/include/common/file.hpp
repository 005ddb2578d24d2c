#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>

namespace common {

/// Throws BadUsage unless a file can be made at `path`. To be called before long work, whose result
/// would otherwise be lost.
void check_writable(const std::filesystem::path& path);

/// Writes a file, complete or not at all: it is written beside `path` and then renamed. Throws
/// Failed if that does not succeed (a full disk, say).
void write_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

}  // namespace common
