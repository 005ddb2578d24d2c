#pragma once

// Remembers that the variant that is known to be good was judged right on this machine.

#include <filesystem>
#include <string>

namespace grading {

class KnownGood {
  public:
    /// `folder` is one that submissions cannot write to. `setup` says how the variant was compiled
    /// and run.
    KnownGood(const std::filesystem::path& folder, std::string name, std::string setup);

    /// True for ten minutes after `remember`, with the same setup.
    bool is_remembered() const;
    void remember() const;
    void forget() const;

  private:
    std::filesystem::path file_;
    std::string setup_;
};

}  // namespace grading
