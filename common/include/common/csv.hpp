#pragma once

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace common {

/// Writes a CSV file (RFC 4180) row by row. Until `finish` it is called NAME.partial, so that a
/// file under its own name is always complete; the rows of an interrupted run stay in the .partial
/// file.
class CsvFile {
  public:
    /// Throws BadUsage if the file cannot be created.
    CsvFile(std::filesystem::path path, std::vector<std::string> header);

    /// Throws std::invalid_argument if the number of fields is not the header's, Failed if the
    /// disk is full.
    void add(std::span<const std::string> fields);

    /// Renames the file to its final name.
    void finish();

  private:
    std::filesystem::path path_;
    std::filesystem::path partial_;
    std::size_t columns_;
    std::ofstream out_;

    void write(std::span<const std::string> fields);
};

/// The rows of a CSV file, header first; quoting undone. Throws BadUsage if it cannot be read.
std::vector<std::vector<std::string>> read_csv(const std::filesystem::path& path);

}  // namespace common
