#include "check/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>

#include "common/error.hpp"
#include "sandbox/descriptor.hpp"

namespace grading {

namespace fs = std::filesystem;

void make_folder(const fs::path& path, mode_t mode) {
    if (mkdir(path.c_str(), mode) != 0 && errno != EEXIST) fail(path.string());
}

void write(const fs::path& path, const std::string& content) {
    std::ofstream file(path, std::ios::binary);
    if (!(file << content).flush()) throw common::Failed(path.string() + ": cannot be written");
}

bool take_over(const fs::path& from, const fs::path& to, std::size_t most) {
    const Descriptor file(open(from.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status {};
    if (!file.is_open() || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
        static_cast<std::uint64_t>(status.st_size) > most) {
        return false;
    }
    std::string content(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t size = 0;
    while (size < content.size()) {
        const ssize_t count = read(file.get(), content.data() + size, content.size() - size);
        if (count <= 0) return false;
        size += static_cast<std::size_t>(count);
    }
    write(to, content);
    return true;
}

std::string content_of(const fs::path& path) {
    std::stringstream content;
    content << std::ifstream(path).rdbuf();
    return content.str();
}

}  // namespace grading
