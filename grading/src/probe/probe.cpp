// A file that is loaded in place of a student's, before anything is graded. It tries what a
// student's file must not be able to do. Grading is refused unless it says that nothing succeeded.

#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

bool opens(const std::string& path, int flags) {
    const int file = open(path.c_str(), flags | O_CLOEXEC, 0600);
    if (file >= 0) close(file);
    if (file >= 0 && (flags & O_CREAT) != 0) unlink(path.c_str());
    return file >= 0;
}

/// With a GPU, files may be opened to be written, as devices are. Only the numbers 0 to 2 may be
/// written to.
bool writes(const std::string& path) {
    close(STDIN_FILENO);
    const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
    const bool written = file >= 0 && write(file, "", 0) == 0;
    if (file >= 0) close(file);
    return written;
}

bool connects(int family) {
    const int channel = socket(family, SOCK_STREAM, 0);
    if (channel >= 0) close(channel);
    return channel >= 0;
}

bool forks_on() {
    const pid_t child = fork();
    if (child == 0) {
        setsid();
        sleep(10);
        _exit(0);
    }
    return child > 0;
}

/// A call that is allowed finds that there is no such file, or no such file system.
bool executes() {
    char* arguments[] = {nullptr};
    execve("/none", arguments, arguments);
    return errno != EPERM;
}

bool mounts() {
    mount("none", "/none", "none", 0, nullptr);
    return errno != EPERM;
}

bool reads_parent() {
    char byte = 0;
    iovec here{&byte, 1};
    iovec there{reinterpret_cast<void*>(0x400000), 1};
    return ptrace(PTRACE_SEIZE, getppid(), nullptr, nullptr) == 0 ||
           process_vm_readv(getppid(), &here, 1, &there, 1, 0) >= 0 ||
           writes("/proc/" + std::to_string(getppid()) + "/mem");
}

bool continues_after_stop() {
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGCONT;
    timer_t timer{};
    return timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 || fcntl(3, F_SETSIG, SIGCONT) == 0;
}

/// The folder of the headers is beside that of this file.
bool reads_headers() {
    Dl_info here{};
    if (dladdr(reinterpret_cast<void*>(&opens), &here) == 0) return true;
    const std::string file = here.dli_fname;
    const std::string folder = file.substr(0, file.rfind("/modules/"));
    return opens(folder + "/api", O_RDONLY | O_DIRECTORY);
}

struct Attempt {
    const char* what;
    bool succeeded;
};

struct Probe {
    /// setuid() of the C library ends a process in which only some threads have a filter.
    Probe() {
        const Attempt attempts[] = {{"read the judge", opens(LABS_GRADE_SECRET, O_RDONLY)},
                                    {"read /etc/passwd", opens("/etc/passwd", O_RDONLY)},
                                    {"read the headers", reads_headers()},
                                    {"write /tmp", opens("/tmp/probe", O_WRONLY | O_CREAT)},
                                    {"write its folder", opens("probe", O_WRONLY | O_CREAT)},
                                    {"write itself", opens("/proc/self/exe", O_RDWR)},
                                    {"open a network socket", connects(AF_INET)},
                                    {"open a local socket", connects(AF_UNIX)},
                                    {"fork and live on", forks_on()},
                                    {"execute a program", executes()},
                                    {"signal its parent", kill(getppid(), 0) == 0},
                                    {"signal all processes", kill(-1, 0) == 0},
                                    {"read its parent's memory", reads_parent()},
                                    {"continue after a stop", continues_after_stop()},
                                    {"become root", syscall(SYS_setuid, 0) == 0},
                                    {"mount", mounts()}};
        for (const Attempt& attempt : attempts) {
            if (attempt.succeeded) std::printf("probe: could %s\n", attempt.what);
        }
        std::printf("probe: %zu attempts made\n", std::size(attempts));
        std::fflush(stdout);
    }
};

const Probe probe;

}  // namespace
