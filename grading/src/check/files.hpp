#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <string>

namespace grading {

/// These throw if that does not succeed.
void make_folder(const std::filesystem::path& path, mode_t mode = 0755);
void write(const std::filesystem::path& path, const std::string& content);

/// Copies what a program in the sandbox has written, if it is a regular file of at most `most`
/// bytes.
bool take_over(const std::filesystem::path& from, const std::filesystem::path& to,
               std::size_t most);

/// "" if it cannot be read.
std::string content_of(const std::filesystem::path& path);

}  // namespace grading
