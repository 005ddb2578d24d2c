#include "control_group.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace harness {
namespace {

namespace fs = std::filesystem;

/// A mounted hierarchy of groups that limits what `controller` names; version 2 has one for all.
struct Hierarchy {
    bool second_version = false;
    std::string controllers;  ///< of version 1: "cpu,cpuacct"
    std::string mounted;      ///< the group that the mount point shows
    std::string mount_point;

    bool has(const std::string& controller) const {
        return second_version ||
               ("," + controllers + ",").find("," + controller + ",") != std::string::npos;
    }
};

/// See proc_pid_mountinfo(5): … ROOT MOUNT_POINT OPTIONS … - TYPE SOURCE OPTIONS.
std::vector<Hierarchy> mounted_hierarchies(const fs::path& root) {
    std::ifstream in(root / "proc/self/mountinfo");
    std::vector<Hierarchy> all;
    for (std::string line; std::getline(in, line);) {
        const auto dash = line.find(" - cgroup");
        if (dash == std::string::npos) continue;
        Hierarchy hierarchy;
        std::string word;
        std::istringstream before(line);
        before >> word >> word >> word >> hierarchy.mounted >> hierarchy.mount_point;
        std::istringstream after(line.substr(dash + 3));
        after >> word;
        hierarchy.second_version = word == "cgroup2";
        after >> word >> hierarchy.controllers;
        all.push_back(hierarchy);
    }
    return all;
}

/// The path of this process's group in the hierarchy, from lines like "4:memory:/path".
std::string own_group(const fs::path& root, const std::string& controller, bool second_version) {
    std::ifstream in(root / "proc/self/cgroup");
    for (std::string line; std::getline(in, line);) {
        const auto first = line.find(':');
        const auto second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string names = "," + line.substr(first + 1, second - first - 1) + ",";
        const bool mine = second_version ? names == ",,"
                                         : names.find("," + controller + ",") != std::string::npos;
        if (mine) return line.substr(second + 1);
    }
    return "/";
}

/// The folders of the own group and of its ancestors, as far as they are mounted.
std::vector<fs::path> own_folders(const fs::path& root, const Hierarchy& hierarchy,
                                  const std::string& controller) {
    std::string group = own_group(root, controller, hierarchy.second_version);
    if (hierarchy.mounted != "/" && group.starts_with(hierarchy.mounted)) {
        group.erase(0, hierarchy.mounted.size());
    }
    const fs::path top = root / fs::path(hierarchy.mount_point).relative_path();
    std::vector<fs::path> folders{top};
    for (const fs::path& part : fs::path(group).relative_path()) {
        const fs::path folder = folders.back() / part;
        if (part == ".." || !fs::exists(folder)) break;  // a group outside this namespace
        folders.push_back(folder);
    }
    return folders;
}

/// The first number of a file; nothing for "max".
std::optional<double> number_in(const fs::path& file) {
    double number = 0;
    std::ifstream in(file);
    return in >> number ? std::optional(number) : std::nullopt;
}

std::optional<double> cores_of(const fs::path& group, bool second_version) {
    double quota = 0;
    double period = 0;
    if (second_version) {
        std::ifstream in(group / "cpu.max");
        if (!(in >> quota >> period)) return std::nullopt;
    } else {
        quota = number_in(group / "cpu.cfs_quota_us").value_or(-1);
        period = number_in(group / "cpu.cfs_period_us").value_or(0);
    }
    return quota > 0 && period > 0 ? std::optional(quota / period) : std::nullopt;
}

/// Bytes of the file cache, which the kernel frees when a group needs memory.
double cache_of(const fs::path& group, bool second_version) {
    std::ifstream in(group / "memory.stat");
    const std::string prefix = second_version ? "" : "total_";
    double sum = 0;
    std::string key;
    for (double bytes = 0; in >> key >> bytes;) {
        if (key == prefix + "inactive_file" || key == prefix + "active_file") sum += bytes;
    }
    return sum;
}

std::optional<double> free_memory_of(const fs::path& group, bool second_version) {
    const auto limit = number_in(group / (second_version ? "memory.max" : "memory.limit_in_bytes"));
    constexpr double no_limit = 0x1p62;  // version 1 writes a number near 2^63
    if (!limit || *limit >= no_limit) return std::nullopt;
    const auto used =
        number_in(group / (second_version ? "memory.current" : "memory.usage_in_bytes"));
    const double needed = used.value_or(0) - cache_of(group, second_version);
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
    for (const Hierarchy& hierarchy : mounted_hierarchies(root)) {
        const bool second = hierarchy.second_version;
        if (hierarchy.has("cpu")) {
            for (const fs::path& group : own_folders(root, hierarchy, "cpu")) {
                take_less(limits.cores, cores_of(group, second));
            }
        }
        if (hierarchy.has("memory")) {
            for (const fs::path& group : own_folders(root, hierarchy, "memory")) {
                take_less(limits.free_memory, free_memory_of(group, second));
            }
        }
    }
    return limits;
}

int cores_within(const GroupLimits& limits, int cores) {
    return static_cast<int>(std::clamp<double>(limits.cores.value_or(cores), 1, cores));
}

}  // namespace harness
