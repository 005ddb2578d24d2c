#include "ranks/wire.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace harness::wire {
namespace {

constexpr std::size_t most_at_once = std::size_t{1} << 30;

}  // namespace

bool read_all(int file, void* to, std::size_t bytes) {
    auto* place = static_cast<char*>(to);
    while (bytes > 0) {
        const ssize_t got = read(file, place, std::min(bytes, most_at_once));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        place += got;
        bytes -= static_cast<std::size_t>(got);
    }
    return true;
}

bool write_all(int file, const void* from, std::size_t bytes) {
    const auto* place = static_cast<const char*>(from);
    while (bytes > 0) {
        const ssize_t put = send(file, place, std::min(bytes, most_at_once), MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        place += put;
        bytes -= static_cast<std::size_t>(put);
    }
    return true;
}

}  // namespace harness::wire
