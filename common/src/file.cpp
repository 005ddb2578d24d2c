#include "common/file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "common/error.hpp"

namespace common {

namespace fs = std::filesystem;

/// Beside the file, so that a rename puts it in place at once.
static fs::path partial_name(const fs::path& path) {
    fs::path partial = path;
    partial.replace_filename(fmt::format(".{}.{}.partial", path.filename().string(), getpid()));
    return partial;
}

static bool is_same_file(const fs::path& a, const fs::path& b) {
    std::error_code error;
    if (fs::equivalent(a, b, error)) return true;
    const fs::path full_a = fs::weakly_canonical(fs::absolute(a), error);
    return !error && full_a == fs::weakly_canonical(fs::absolute(b), error) && !error;
}

void require_different_files(const std::vector<NamedFile>& files) {
    for (auto b = files.begin(); b != files.end(); ++b) {
        for (auto a = files.begin(); a != b; ++a) {
            if (!is_same_file(a->path, b->path)) continue;
            throw BadUsage(fmt::format("{} '{}' is the same file as {} '{}'; give another one",
                                       b->name, b->path.string(), a->name, a->path.string()));
        }
    }
}

void check_writable(const fs::path& path) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
        throw BadUsage(
            fmt::format("cannot write '{}': no folder '{}'", path.string(), folder.string()));
    }
    if (fs::is_directory(path, error)) {
        throw BadUsage(fmt::format("cannot write '{}': it is a folder", path.string()));
    }
    const fs::path trial = partial_name(path);  // only a try tells whether a file can be made
    if (!std::ofstream(trial)) {
        throw BadUsage(fmt::format("cannot write '{}': {}", path.string(), std::strerror(errno)));
    }
    fs::remove(trial, error);
}

void write_file(const fs::path& path, const std::function<void(std::ostream&)>& write) {
    const fs::path partial = partial_name(path);
    std::ofstream out(partial, std::ios::binary);
    write(out);
    out.close();
    std::error_code error =
        out ? std::error_code{} : std::error_code(errno, std::generic_category());
    if (!error) fs::rename(partial, path, error);
    if (error) {
        std::error_code ignored;
        fs::remove(partial, ignored);
        throw Failed(fmt::format("cannot write '{}': {}", path.string(), error.message()));
    }
}

}  // namespace common
