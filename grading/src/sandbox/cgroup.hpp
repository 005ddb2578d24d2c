#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sandbox/descriptor.hpp"

namespace grading {

/// The folders in which this process can make control groups. Without folders no group is made.
struct CgroupPlace {
    std::string name{};                            ///< "cgroup v2" or "cgroup v1"
    std::vector<std::filesystem::path> folders{};  ///< of v1: one for memory, one for processes

    /// v2 where it has memory and processes, else v1. Throws Failed if neither has.
    static CgroupPlace find();
};

/// A control group for one program: it limits the memory of all its processes together, and their
/// number. At the end it kills them all. The next grader ends the groups of one that was killed.
class Cgroup {
  public:
    /// 0 is no limit. Throws Failed if the group cannot be made.
    Cgroup(const CgroupPlace& place, std::uint64_t memory_bytes, std::uint64_t processes);
    ~Cgroup();
    Cgroup(const Cgroup&) = delete;
    Cgroup& operator=(const Cgroup&) = delete;

    /// For a child after fork(): it allocates no memory.
    bool join() const;

    /// Whether the kernel killed a process because the group had no memory left.
    bool ran_out_of_memory() const;

    void kill_all() const;

  private:
    Cgroup() = default;

    std::vector<std::filesystem::path> folders_;
    std::vector<Descriptor> doors_;  ///< a process that writes "0" here joins
};

}  // namespace grading
