#include "sandbox/landlock.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cstdint>

namespace grading {
namespace {

// glibc has no functions for these calls.
long version() {
    return syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

constexpr std::uint64_t read_file = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE;
constexpr std::uint64_t read_folder = read_file | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t write_file = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE;
constexpr std::uint64_t write_folder =
    read_folder | write_file | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE;
constexpr std::uint64_t truncate_file = std::uint64_t{1} << 14;  // since version 3
constexpr std::uint64_t use_device = std::uint64_t{1} << 15;     // ioctl, since version 5

/// All rights that this version knows, so that all are denied unless a rule gives them.
std::uint64_t all_rights(long kernel_version) {
    std::uint64_t rights = (std::uint64_t{1} << 13) - 1;
    if (kernel_version >= 2) rights |= std::uint64_t{1} << 13;
    if (kernel_version >= 3) rights |= truncate_file;
    if (kernel_version >= 5) rights |= use_device;
    return rights;
}

void allow(const Descriptor& rules, const std::filesystem::path& path, std::uint64_t in_file,
           std::uint64_t in_folder) {
    const Descriptor place(open(path.c_str(), O_PATH | O_CLOEXEC));
    if (!place.is_open()) return;  // /lib64 does not exist everywhere
    struct stat status {};
    checked(fstat(place.get(), &status), path.string());
    landlock_path_beneath_attr rule{};
    rule.parent_fd = place.get();
    rule.allowed_access = S_ISDIR(status.st_mode) ? in_folder : in_file;
    checked(syscall(SYS_landlock_add_rule, rules.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0),
            "landlock_add_rule " + path.string());
}

}  // namespace

bool has_landlock() {
    return version() >= 1;
}

Descriptor landlock_rules(const std::vector<std::filesystem::path>& readable,
                          const std::vector<std::filesystem::path>& writable,
                          const std::vector<std::filesystem::path>& devices) {
    const long kernel_version = version();
    landlock_ruleset_attr attributes{};
    attributes.handled_access_fs = all_rights(kernel_version);
    Descriptor rules(static_cast<int>(
        checked(syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0),
                "landlock_create_ruleset")));
    for (const auto& path : readable) allow(rules, path, read_file, read_folder);
    const std::uint64_t truncate = kernel_version >= 3 ? truncate_file : 0;
    for (const auto& path : writable) {
        allow(rules, path, write_file | truncate, write_folder | truncate);
    }
    const std::uint64_t use = write_file | (kernel_version >= 5 ? use_device : 0);
    for (const auto& path : devices) allow(rules, path, use, 0);
    return rules;
}

bool restrict_to(const Descriptor& rules) {
    return syscall(SYS_landlock_restrict_self, rules.get(), 0) == 0;
}

}  // namespace grading
