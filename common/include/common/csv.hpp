#pragma once

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace common {

/// One line of RFC 4180: fields with a comma, a quote or a line break are quoted. No line end.
std::string csv_line(std::span<const std::string> fields);

/// Writes a CSV file row by row. Until `finish` it is called NAME.partial, so a file under its own
/// name is always whole; what an interrupted run had measured stays in the .partial file.
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
