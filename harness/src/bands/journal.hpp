#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace harness {

/// How far a run in bands is.
struct Progressed {
    std::string run;  ///< what the run does, and on which file
    int band_rows = 0;
    bool measured = false;  ///< the first pass is complete
    std::vector<std::uint64_t> totals{};
    int rows = 0;  ///< of the input whose output is in the file
};

/// The file that keeps it. Every `write` replaces the file at once, so it is never half-written.
class Journal {
  public:
    explicit Journal(std::filesystem::path file) : file_(std::move(file)) {}

    /// Nothing if there is no such file, or it is no journal.
    std::optional<Progressed> read() const;
    void write(const Progressed& progressed) const;
    void remove() const;

  private:
    std::filesystem::path file_;
};

}  // namespace harness
