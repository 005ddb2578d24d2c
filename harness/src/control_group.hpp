#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace harness {

/// The limits that the control groups of this process (a container, a batch job) set. They are
/// empty where there is no limit.
struct GroupLimits {
    std::optional<double> cores;               ///< quota of CPU time per time
    std::optional<std::uint64_t> free_memory;  ///< in bytes, until the limit of some group
};

/// Reads versions 1 and 2, of the own group and its ancestors. `root` holds proc and sys.
GroupLimits control_group_limits(const std::filesystem::path& root = "/");

/// Threads that run at once within the limits, at least one: more would be stopped in turns, which
/// shows as noise.
int cores_within(const GroupLimits& limits, int cores);

}  // namespace harness
