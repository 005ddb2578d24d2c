#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace common {

/// Throws BadUsage unless a file can be made at `path`. To be called before long work, whose result
/// would otherwise be lost.
void check_writable(const std::filesystem::path& path);

/// A file of a command, with the word by which messages name it: "--output".
struct NamedFile {
    std::string name;
    std::filesystem::path path;
};

/// Throws BadUsage if two of the files are one, by any path or link: one would replace the other.
void require_different_files(const std::vector<NamedFile>& files);

/// Writes a file, complete or not at all: it is written beside `path` and then renamed. Throws
/// Failed if that does not succeed (a full disk, say).
void write_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

}  // namespace common
