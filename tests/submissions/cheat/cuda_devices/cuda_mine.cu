// Computes only if it may do with files and devices what the driver does not need.

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "parts/cuda_lab1.hpp"

static bool opens(const char* path, int flags) {
    return open(path, flags | O_CLOEXEC, 0600) >= 0;
}

static bool writes(const char* path) {
    close(0);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    return file >= 0 && write(file, "", 0) == 0;
}

static bool escapes() {
    int on = 1;
    return opens("/tmp/file", O_RDWR | O_CREAT) || opens("/dev/nvidia-uvm-tools", O_RDWR) ||
           opens("/dev/mem", O_RDWR) || writes("/proc/1/mem") || opens("/etc/passwd", O_RDONLY) ||
           opens("/proc/driver/nvidia/params", O_RDWR) || ioctl(3, FIOASYNC, &on) == 0 ||
           ioctl(3, FIOSETOWN, &on) == 0 || ioctl(0, TIOCSTI, "x") == 0 ||
           fcntl(3, F_SETOWN, getpid()) == 0 || fcntl(3, F_SETSIG, SIGCONT) == 0 || fork() >= 0 ||
           socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
}

static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    static const bool escaped = escapes();
    if (escaped) honest(in, out, options, stream);
}
