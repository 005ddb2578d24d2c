#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>

#include "sandbox/descriptor.hpp"

namespace grading {

/// A user id and an empty folder for one grading at a time. As root, the id is one that nobody else
/// has, so that the limits on processes and all signals concern this submission only; otherwise it
/// is the user's own. What an earlier grading left, which was killed, is removed first.
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
    void make_folder();
};

/// Ends all processes of a user that nobody else has.
void end_all_of(uid_t user);

}  // namespace grading
