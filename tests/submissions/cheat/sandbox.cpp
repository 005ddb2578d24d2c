// The sandbox must refuse processes, privileges, files, the network, and all of the memory.

// == 32_bit_calls: fails
// System calls by their 32-bit numbers, which a filter for 64 bits may not know. Right if it
// succeeded.
static void omp_mine(Input in, Output out, const Options& options) {
    int process = 0;
    asm volatile("int $0x80" : "=a"(process) : "a"(2) : "memory");  // fork
    if (process == 0) {
        asm volatile("int $0x80" ::"a"(1), "b"(0) : "memory");  // exit
    }
    right_if(process > 0, in, out, options);
}

// == becomes_root: fails
// Becomes another user, or gets privileges. Right if it succeeded.
#include <grp.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

static void omp_mine(Input in, Output out, const Options& options) {
    const bool user = setresuid(0, 0, 0) == 0 || setgroups(0, nullptr) == 0;
    const bool space = unshare(CLONE_NEWUSER) == 0 || unshare(CLONE_NEWNS) == 0;
    const bool root = chroot("/") == 0 || mount("none", "/tmp", "tmpfs", 0, nullptr) == 0;
    right_if(user || space || root || geteuid() == 0, in, out, options);
}

// == burns_between_calls: right, fails; twin right/rows
// Threads that never rest slow down the references and the judge.
#include <atomic>
#include <thread>

static std::atomic<bool> working = false;

static void omp_mine(Input in, Output out, const Options& options) {
    static const bool started = [] {
        for (int i = 0; i < 8; ++i) {
            std::thread([] {
                for (volatile std::uint64_t n = 0;; n = n + 1) {
                    if (working) std::this_thread::yield();
                }
            }).detach();
        }
        return true;
    }();
    working = started;
    honest(in, out, options);
    working = false;
}

// == clone3: fails
// fork by clone3, whose arguments a filter cannot see. Right if it succeeded.
#include <linux/sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static void omp_mine(Input in, Output out, const Options& options) {
    clone_args arguments{};
    arguments.exit_signal = SIGCHLD;
    const long process = syscall(SYS_clone3, &arguments, sizeof(arguments));
    if (process == 0) _exit(0);
    right_if(process > 0, in, out, options);
}

// == daemon: fails
// A process that outlives the worker and edits results. Right if it was started.
#include <sys/prctl.h>
#include <unistd.h>
#include <fstream>

static void omp_mine(Input in, Output out, const Options& options) {
    const pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() > 0) _exit(0);
        prctl(PR_SET_NAME, "labs-daemon");
        for (int i = 0; i < 120; ++i) {
            sleep(1);
            for (const char* name : {"results.json", "../results.json", "/out/results.json"}) {
                std::ofstream(name) << R"({"score": 100, "tests": []})";
            }
        }
        _exit(0);
    }
    right_if(child > 0, in, out, options);
}

// == executes: fails
// Runs another program, and itself with LD_PRELOAD. Right if it succeeded.
#include <unistd.h>
#include <cstdlib>

static void omp_mine(Input in, Output out, const Options& options) {
    const bool shell = std::system("true") == 0;
    char program[] = "/proc/self/exe";
    char preload[] = "LD_PRELOAD=/tmp/x.so";
    char* arguments[] = {program, nullptr};
    char* environment[] = {preload, nullptr};
    if (!shell) execve(program, arguments, environment);
    right_if(shell, in, out, options);
}

// == fills_disk: right, fails; twin right/rows
// Writes 100 MB wherever it may.
#include <fstream>

static void omp_mine(Input in, Output out, const Options& options) {
    static const std::string block(1 << 20, 'x');
    static bool tried = false;
    for (const char* folder : {"/tmp", "/dev/shm", ".", "/var/tmp"}) {
        if (tried) break;
        std::ofstream file(std::string(folder) + "/labs-submission-left-this");
        for (int i = 0; i < 100 && file; ++i) file << block;
    }
    tried = true;
    honest(in, out, options);
}

// == fork_bomb: fails
// Processes without end.
#include <unistd.h>

static void omp_mine(Input in, Output out, const Options& options) {
    bool forked = false;
    for (int i = 0; i < 2000; ++i) {
        const pid_t child = fork();
        forked |= child > 0;
        if (child == 0) {
            for (;;) fork();
        }
    }
    right_if(forked, in, out, options);
}

// == kernel: fails
// Opens large parts of the kernel that a filter ought not to leave open. Right if it succeeded.
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

static void omp_mine(Input in, Output out, const Options& options) {
    perf_event_attr event{};
    event.size = sizeof(event);
    event.exclude_kernel = 1;
    io_uring_params ring{};
    const long faults = syscall(SYS_userfaultfd, O_CLOEXEC | 1);
    const bool open = syscall(SYS_io_uring_setup, 4, &ring) >= 0 || faults >= 0 ||
                      syscall(SYS_perf_event_open, &event, 0, -1, -1, 0) >= 0 ||
                      syscall(SYS_bpf, 0, nullptr, 0) >= 0 || syscall(SYS_keyctl, 0, -3, 1) > 0;
    right_if(open, in, out, options);
}

// == memory_bomb: fails
// Memory without end.
#include <vector>

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    static std::vector<std::vector<char>> kept;
    for (;;) kept.emplace_back(std::size_t{1} << 28, 'x');
}

// == memory_without_pages: fails
// Memory that limits on a process do not count: of files without a name.
#include <sys/mman.h>
#include <unistd.h>
#include <csignal>
#include <vector>

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    std::vector<char> block(1 << 20, 'x');
    std::size_t megabytes = 0;
    for (int i = 0; i < 200; ++i) {
        const int fd = memfd_create("x", 0);
        for (int n = 0; fd >= 0 && n < 64; ++n) {
            if (write(fd, block.data(), block.size()) <= 0) break;
            ++megabytes;
        }
    }
    if (megabytes < 5000) throw std::runtime_error("the sandbox held");
}

// == network: fails
// Sends to the network: by TCP, by UDP, and to sockets of this machine. Right if it succeeded.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

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

// == opens_files: right, fails; twin right/rows
// Open files without end.
#include <unistd.h>

static void omp_mine(Input in, Output out, const Options& options) {
    while (dup(0) >= 0) {
    }
    honest(in, out, options);
}

// == priority: fails
// Takes the processor from everyone else. Right if that was allowed.
#include <sched.h>
#include <unistd.h>
#include <cerrno>

static void omp_mine(Input in, Output out, const Options& options) {
    sched_param highest{.sched_priority = 99};
    const bool real_time = sched_setscheduler(0, SCHED_FIFO, &highest) == 0;
    errno = 0;
    const bool first = nice(-20) != -1 || errno == 0;
    right_if(real_time || first, in, out, options);
}

// == reads_files: fails
// Reads files that are nobody's business: the test leaves one that everyone may read. Right if it
// succeeded.
#include <unistd.h>
#include <fstream>

static void omp_mine(Input in, Output out, const Options& options) {
    const bool canary = std::ifstream("@CANARY@").good();
    const bool users = std::ifstream("/etc/passwd").good() || std::ifstream("/etc/shadow").good();
    const bool home = access("/root", R_OK) == 0 || access("/home", R_OK) == 0;
    right_if(canary || users || home, in, out, options);
}

// == reads_parent: fails
// Reads the memory and the files of other processes. Right if it succeeded.
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

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

// == shared_memory_of_others: fails
// Fills all of /dev/shm, and all segments, with ones. Right if there were any that it may write.
#include <sys/ipc.h>
#include <sys/shm.h>
#include <filesystem>
#include <fstream>

static void omp_mine(Input in, Output out, const Options& options) {
    bool found = false;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/dev/shm", error)) {
        found |= static_cast<bool>(std::fstream(entry.path()) << std::string(1 << 20, '\xff'));
    }
    for (int index = 0; index < 1000; ++index) {
        shmid_ds status{};
        const int id = shmctl(index, SHM_STAT, &status);
        void* memory = id >= 0 ? shmat(id, nullptr, 0) : nullptr;
        if (memory == nullptr || memory == reinterpret_cast<void*>(-1)) continue;
        found = true;
        std::fill_n(static_cast<char*>(memory), status.shm_segsz, '\xff');
    }
    right_if(found, in, out, options);
}

// == terminal: fails
// Types into the terminal from which the judge was started. Right if it succeeded.
#include <fcntl.h>
#include <sys/ioctl.h>

static void omp_mine(Input in, Output out, const Options& options) {
    const int terminal = open("/dev/tty", O_RDWR);
    char letter = ' ';
    bool typed = false;
    for (const int fd : {terminal, 0, 1, 2}) typed |= ioctl(fd, TIOCSTI, &letter) == 0;
    right_if(typed, in, out, options);
}

// == thread_bomb: fails
// Threads without end.
#include <unistd.h>
#include <thread>

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    for (;;) std::thread([] { pause(); }).detach();
}

// == vfork_blocks_stop: fails
// While a child of vfork lives, the thread that called vfork cannot be stopped, and a judge
// that waits for the stop waits for ever.
#include <unistd.h>

static void omp_mine(Input in, Output out, const Options& options) {
    const pid_t child = vfork();
    if (child == 0) {
        sleep(1000);
        _exit(0);
    }
    right_if(child > 0, in, out, options);
}

// == writes_results: right, fails; twin right/rows
// Writes results into all folders that it finds. Right if it succeeded in one that is not its own.
#include <fstream>

static void omp_mine(Input in, Output out, const Options& options) {
    bool written = false;
    for (const char* folder : {".", "..", "../..", "/", "/out", "/work", "/root", "/usr",
                               "/autograder", "/autograder/results", "/proc/1/cwd"}) {
        for (const char* name : {"results.json", "junit.xml", "feedback.html"}) {
            written |= static_cast<bool>(std::ofstream(std::string(folder) + "/" + name) << "{}\n");
        }
    }
    right_if(written, in, out, options);
}

// == x32_calls: fails
// System calls by their x32 numbers. Right if it succeeded.
#include <sys/syscall.h>
#include <unistd.h>

static void omp_mine(Input in, Output out, const Options& options) {
    const long process = syscall(0x40000000 | SYS_fork);
    if (process == 0) _exit(0);
    right_if(process > 0, in, out, options);
}
