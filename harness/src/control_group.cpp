#include "control_group.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace harness {
namespace {

namespace fs = std::filesystem;

/// The folders, below a mount point, of a group and of those above it. A part of its name has no
/// folder in a container that sees its own group as the root.
std::vector<fs::path> folders_of(const fs::path& group, const fs::path& mount_point) {
    std::vector<fs::path> folders{mount_point};
    for (const fs::path& part : group.relative_path()) {
        const fs::path folder = folders.back() / part;
        if (part != ".." && fs::exists(folder)) folders.push_back(folder);
    }
    return folders;
}

/// The folders of the groups of this process that may limit what `controller` names.
std::vector<fs::path> own_folders(const fs::path& root, const std::string& controller) {
    const fs::path mounts = root / "sys/fs/cgroup";
    std::vector<fs::path> all;
    std::ifstream in(root / "proc/self/cgroup");
    // "4:cpu,cpuacct:/path", of version 2 "0::/path".
    for (std::string line; std::getline(in, line);) {
        const auto first = line.find(':');
        const auto second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string names = line.substr(first + 1, second - first - 1);
        const bool second_version = names.empty();
        if (!second_version &&
            ("," + names + ",").find("," + controller + ",") == std::string::npos)
            continue;
        for (const fs::path& mount_point :
             {mounts / names, mounts / (second_version ? "unified" : controller)}) {
            const auto folders = folders_of(line.substr(second + 1), mount_point);
            all.insert(all.end(), folders.begin(), folders.end());
        }
    }
    return all;
}

/// The first number of a file; nothing for "max".
std::optional<double> number_in(const fs::path& file) {
    double number = 0;
    std::ifstream in(file);
    return in >> number ? std::optional(number) : std::nullopt;
}

std::optional<double> cores_of(const fs::path& group) {
    double quota = 0;
    double period = 0;
    if (std::ifstream in(group / "cpu.max"); !(in >> quota >> period)) {
        quota = number_in(group / "cpu.cfs_quota_us").value_or(-1);
        period = number_in(group / "cpu.cfs_period_us").value_or(0);
    }
    return quota > 0 && period > 0 ? std::optional(quota / period) : std::nullopt;
}

/// Bytes of the file cache, which the kernel frees when a group needs memory.
double cache_of(const fs::path& group, const std::string& prefix) {
    std::ifstream in(group / "memory.stat");
    double sum = 0;
    std::string key;
    for (double bytes = 0; in >> key >> bytes;) {
        if (key == prefix + "inactive_file" || key == prefix + "active_file") sum += bytes;
    }
    return sum;
}

std::optional<double> free_memory_of(const fs::path& group) {
    const bool first_version = fs::exists(group / "memory.limit_in_bytes");
    const auto limit = number_in(group / (first_version ? "memory.limit_in_bytes" : "memory.max"));
    constexpr double no_limit = 0x1p62;  // version 1 writes a number near 2^63
    if (!limit || *limit >= no_limit) return std::nullopt;
    const auto used =
        number_in(group / (first_version ? "memory.usage_in_bytes" : "memory.current"));
    const double needed = used.value_or(0) - cache_of(group, first_version ? "total_" : "");
    return std::max(*limit - std::max(needed, 0.0), 0.0);
}

template <class Value>
void take_less(std::optional<Value>& least, const std::optional<double>& other) {
    if (!other) return;
    const auto value = static_cast<Value>(*other);
    least = std::min(least.value_or(value), value);
}

}  // namespace

GroupLimits control_group_limits(const fs::path& root) {
    GroupLimits limits;
    for (const fs::path& group : own_folders(root, "cpu")) take_less(limits.cores, cores_of(group));
    for (const fs::path& group : own_folders(root, "memory")) {
        take_less(limits.free_memory, free_memory_of(group));
    }
    return limits;
}

int cores_within(const GroupLimits& limits, int cores) {
    return static_cast<int>(std::clamp<double>(limits.cores.value_or(cores), 1, cores));
}

}  // namespace harness
