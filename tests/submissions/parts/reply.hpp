// Parts of submissions that answer the judge in the place of the worker.

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>

/// A reply that says `done`, as in grading/src/worker/protocol.hpp.
struct Reply {
    std::uint32_t status = 2;
    char text[2000] = {};
};

[[maybe_unused]] static void forge_reply(int fd = 3) {
    const Reply done;
    send(fd, &done, sizeof(done), MSG_DONTWAIT | MSG_NOSIGNAL);
}

/// Calls `action` with each socket among the open files.
template <class Action>
static void each_socket(Action action) {
    for (int fd = 0; fd < 1024; ++fd) {
        struct stat status {};
        if (fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode)) action(fd);
    }
}
