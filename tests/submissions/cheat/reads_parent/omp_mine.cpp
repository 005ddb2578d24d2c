// Reads the memory and the files of other processes. Right if it succeeded.

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "parts/lab1.hpp"

namespace convolution {

static void omp_mine(Input in, Output out, const Options& options) {
    bool read = false;
    for (const pid_t process : {pid_t{1}, getppid()}) {
        if (process == getpid() || process == 0) continue;
        for (const char* name : {"mem", "fd/3", "cwd/.", "root/."}) {
            const std::string path = "/proc/" + std::to_string(process) + "/" + name;
            const int fd = open(path.c_str(), O_RDONLY);
            char byte = 0;
            read |=
                fd >= 0 && (name[0] == 'c' || name[0] == 'r' || pread(fd, &byte, 1, 0x400000) == 1);
        }
        char bytes[8];
        iovec here{bytes, sizeof(bytes)};
        iovec there{reinterpret_cast<void*>(0x400000), sizeof(bytes)};
        read |= process_vm_readv(process, &here, 1, &there, 1, 0) > 0;
    }
    right_if(read, in, out, options);
}

static const Register registered{mine_info, omp_mine};

}  // namespace convolution
