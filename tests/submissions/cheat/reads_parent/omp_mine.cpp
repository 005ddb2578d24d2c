// Reads the memory, environment and files of other processes. Right if it succeeded.

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "parts/lab1.hpp"

namespace convolution {

static void omp_mine(Input in, Output out, const Options& options) {
    bool read = false;
    for (const pid_t process : {pid_t{1}, getppid()}) {
        if (process == getpid() || process == 0) continue;
        for (const char* name : {"mem", "environ", "fd/0", "fd/3", "cwd/.", "root/.", "maps"}) {
            const std::string path = "/proc/" + std::to_string(process) + "/" + name;
            const int fd = open(path.c_str(), O_RDONLY);
            char byte = 0;
            if (fd >= 0 && std::string(name) == "cwd/.") read = true;
            if (fd >= 0 && std::string(name) != "mem") read |= ::read(fd, &byte, 1) == 1;
            if (fd >= 0 && std::string(name) == "mem") read |= pread(fd, &byte, 1, 0x400000) == 1;
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
