// Reads the memory and the files of other processes. Right if it succeeded.

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    bool read = false;
    for (const pid_t process : {pid_t{1}, getppid()}) {
        if (process == getpid() || process == 0) continue;
        const std::string folder = "/proc/" + std::to_string(process);
        for (const char* file : {"/root/etc/passwd", "/cwd/../../../etc/passwd", "/root@CANARY@"}) {
            read |= access((folder + file).c_str(), F_OK) == 0;
        }
        const int memory = open((folder + "/mem").c_str(), O_RDONLY);
        char byte = 0;
        read |= memory >= 0 && pread(memory, &byte, 1, 0x400000) == 1;
        char bytes[8];
        iovec here{bytes, sizeof(bytes)};
        iovec there{reinterpret_cast<void*>(0x400000), sizeof(bytes)};
        read |= process_vm_readv(process, &here, 1, &there, 1, 0) > 0;
    }
    right_if(read, in, out, options);
}
