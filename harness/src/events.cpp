#include "harness/events.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "common/error.hpp"

namespace harness {

using namespace common;

using nlohmann::ordered_json;

bool has_event_file() {
    return std::getenv("LABS_EVENTS") != nullptr;
}

void emit(const ordered_json& event) {
    if (!has_event_file()) return;
    const char* path = std::getenv("LABS_EVENTS");
    // A message may have bytes that are not UTF-8, which dump() would refuse.
    const std::string line =
        event.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
    const int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    const bool written =
        file >= 0 && write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    const int error = errno;
    if (file >= 0) close(file);
    if (!written) throw Failed(fmt::format("LABS_EVENTS: '{}': {}", path, std::strerror(error)));
}

}  // namespace harness
