// Sends to the network: by TCP, by UDP, and to sockets of this machine. Right if it succeeded.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    const auto reaches = [](int kind, unsigned address, unsigned port) {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_addr.s_addr = htonl(address);
        to.sin_port = htons(static_cast<std::uint16_t>(port));
        const int fd = socket(AF_INET, kind, 0);
        if (fd < 0) return false;
        const bool connected = connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof(to)) == 0;
        return connected && send(fd, "x", 1, MSG_NOSIGNAL) == 1;
    };
    const bool listens = [] {
        sockaddr_un at{.sun_family = AF_UNIX, .sun_path = "\0labs"};
        const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        return fd >= 0 && bind(fd, reinterpret_cast<sockaddr*>(&at), 8) == 0 && listen(fd, 1) == 0;
    }();
    right_if(listens || reaches(SOCK_DGRAM, INADDR_LOOPBACK, 53) ||
                 reaches(SOCK_STREAM, INADDR_LOOPBACK, 22) || reaches(SOCK_RAW, 0x08080808, 0),
             in, out, options);
}
