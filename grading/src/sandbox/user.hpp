#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>

#include "sandbox/descriptor.hpp"

namespace grading {

/// A user id and an empty folder for one grading at a time. As root, the id is one that nobody else
/// has and under which no process runs; otherwise it is the user's own. The place of locks and
/// folders is the same for all gradings of a machine: it depends neither on TMPDIR nor on a /tmp
/// that a service has for itself. Files that an earlier grading left, which was killed, are
/// removed.
class Lease {
  public:
    Lease();
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    std::optional<uid_t> user() const { return user_; }
    const std::filesystem::path& folder() const { return folder_; }

  private:
    std::optional<uid_t> user_;
    Descriptor lock_;
    std::filesystem::path folder_;

    void take_user();
    void make_folder() const;
};

}  // namespace grading
