#include "sandbox/filter.hpp"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <initializer_list>
#include <memory>

namespace grading {
namespace {

class Filter {
  public:
    explicit Filter(std::uint32_t otherwise) : context_(seccomp_init(otherwise)) {
        if (context_ == nullptr) throw common::Failed("libseccomp: no filter can be made");
    }
    ~Filter() { seccomp_release(context_); }
    Filter(const Filter&) = delete;
    Filter& operator=(const Filter&) = delete;

    /// A name that this version of libseccomp or this CPU does not have is passed over.
    template <class... Comparisons>
    void add(std::uint32_t action, const char* name, Comparisons... comparisons) {
        const int number = seccomp_syscall_resolve_name(name);
        if (number == __NR_SCMP_ERROR) return;
        const int result =
            seccomp_rule_add(context_, action, number, sizeof...(comparisons), comparisons...);
        if (result < 0 && result != -EDOM) throw_failed(name, result);
    }
    void add_all(std::uint32_t action, std::initializer_list<const char*> names) {
        for (const char* name : names) add(action, name);
    }

    /// For this thread and those that it starts, or for all threads.
    void load(bool all_threads) {
        if (const int result = seccomp_attr_set(context_, SCMP_FLTATR_CTL_TSYNC, all_threads);
            result < 0) {
            throw_failed("threads", result);
        }
        if (const int result = seccomp_load(context_); result < 0) throw_failed("load", result);
    }
    void write(int descriptor) {
        const int result = seccomp_export_bpf(context_, descriptor);
        if (result < 0) throw_failed("export", result);
    }

  private:
    scmp_filter_ctx context_;

    [[noreturn]] static void throw_failed(const std::string& what, int result) {
        throw common::Failed("libseccomp: " + what + ": " + std::strerror(-result));
    }
};

constexpr std::uint32_t refused = SCMP_ACT_ERRNO(EPERM);
constexpr std::uint32_t unknown = SCMP_ACT_ERRNO(ENOSYS);  // the C library then uses an older call
constexpr scmp_datum_t new_namespaces = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |
                                        CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWCGROUP;

void refuse_new_namespaces(Filter& filter) {
    for (scmp_datum_t bit = 1; bit <= new_namespaces; bit <<= 1) {
        if ((new_namespaces & bit) != 0) {
            filter.add(refused, "clone", SCMP_A0_64(SCMP_CMP_MASKED_EQ, bit, bit));
        }
    }
    filter.add(unknown, "clone3");  // its flags are in memory, where a filter does not look
}

/// Allows the calls of CUDA's libraries in a process whose context exists. The driver opens its
/// devices again for each mapping. Its commands have the type 'F', or are small numbers, those of
/// unified memory; those of terminals and signals (FIOASYNC) are neither.
void allow_driver(Filter& filter) {
    constexpr std::uint32_t allowed = SCMP_ACT_ALLOW;
    constexpr scmp_datum_t kinds = O_ACCMODE | O_CREAT | O_TRUNC;
    constexpr scmp_datum_t not_of_unified_memory = 0xFFFFFFFF & ~scmp_datum_t{0x300000FF};
    filter.add(allowed, "ioctl", SCMP_A1_64(SCMP_CMP_MASKED_EQ, 0xFF00, 'F' << 8));
    filter.add(allowed, "ioctl", SCMP_A1_64(SCMP_CMP_MASKED_EQ, not_of_unified_memory, 0));
    filter.add(allowed, "open", SCMP_A1_64(SCMP_CMP_MASKED_EQ, kinds, O_RDWR));
    filter.add(allowed, "openat", SCMP_A2_64(SCMP_CMP_MASKED_EQ, kinds, O_RDWR));
    filter.add_all(allowed, {"poll", "ppoll"});
    for (const int command : {F_GETFD, F_SETFD}) {
        filter.add(allowed, "fcntl", SCMP_A1_32(SCMP_CMP_EQ, static_cast<scmp_datum_t>(command)));
    }
}

/// Files, memory, threads, and child processes, which stay in the process group that ends them.
void allow_compiler(Filter& filter) {
    constexpr std::uint32_t allowed = SCMP_ACT_ALLOW;
    filter.add_all(
        allowed,
        {"open",      "openat",          "close",      "close_range", "read",       "pread64",
         "readv",     "write",           "pwrite64",   "writev",      "lseek",      "fstat",
         "stat",      "lstat",           "newfstatat", "statx",       "statfs",     "fstatfs",
         "access",    "faccessat",       "faccessat2", "readlink",    "readlinkat", "getdents64",
         "getcwd",    "chdir",           "fchdir",     "umask",       "unlink",     "unlinkat",
         "rename",    "renameat",        "renameat2",  "mkdir",       "mkdirat",    "rmdir",
         "chmod",     "fchmod",          "fchmodat",   "fchmodat2",   "utimensat",  "ftruncate",
         "fallocate", "copy_file_range", "sendfile",   "flock",       "fsync",      "fadvise64"});
    filter.add_all(allowed, {"dup", "dup2", "dup3", "pipe", "pipe2", "poll", "ppoll", "select",
                             "pselect6", "sendto", "recvfrom", "recvmsg"});  // without socket()
    filter.add_all(allowed, {"brk", "mmap", "munmap", "mprotect", "mremap", "madvise", "mincore",
                             "memfd_create", "get_mempolicy"});
    filter.add_all(allowed, {"execve", "vfork", "fork", "wait4", "waitid", "exit", "exit_group",
                             "futex", "set_robust_list", "get_robust_list", "rseq", "membarrier",
                             "set_tid_address", "arch_prctl", "restart_syscall"});
    filter.add_all(allowed, {"rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigsuspend",
                             "sigaltstack", "pause", "alarm", "tgkill"});
    filter.add_all(allowed,
                   {"getpid",    "getppid",   "gettid",  "getpgrp",   "getpgid",   "getsid",
                    "getuid",    "geteuid",   "getgid",  "getegid",   "getgroups", "getresuid",
                    "getresgid", "uname",     "sysinfo", "getrandom", "getrusage", "getrlimit",
                    "prlimit64", "setrlimit", "prctl",   "seccomp"});
    filter.add_all(allowed, {"clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep",
                             "gettimeofday", "time", "times", "sched_yield", "sched_getaffinity",
                             "sched_getparam", "sched_getscheduler", "sched_get_priority_min",
                             "sched_get_priority_max", "getcpu"});
    for (const int command :
         {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_SETLK, F_SETLKW}) {
        filter.add(allowed, "fcntl", SCMP_A1_32(SCMP_CMP_EQ, static_cast<scmp_datum_t>(command)));
    }
    for (const scmp_datum_t question : {TCGETS, TIOCGWINSZ}) {
        filter.add(allowed, "ioctl", SCMP_A1_32(SCMP_CMP_EQ, question));
    }
    filter.add(allowed, "clone", SCMP_A0_64(SCMP_CMP_MASKED_EQ, new_namespaces, 0));
}

void refuse_what_cuda_does_not_need(Filter& filter) {
    filter.add(refused, "socket", SCMP_A0_32(SCMP_CMP_NE, AF_UNIX));
    filter.add_all(refused, {"socketpair", "accept", "accept4", "ptrace", "process_vm_readv",
                             "process_vm_writev", "process_madvise", "pidfd_open", "pidfd_getfd",
                             "pidfd_send_signal", "kcmp", "kill", "tkill", "rt_sigqueueinfo",
                             "rt_tgsigqueueinfo"});
    filter.add_all(refused, {"mount", "umount2", "pivot_root", "chroot", "unshare", "setns",
                             "fsopen", "fsmount", "move_mount", "open_tree", "mount_setattr",
                             "mknod", "mknodat", "name_to_handle_at", "open_by_handle_at"});
    filter.add_all(refused, {"bpf",
                             "perf_event_open",
                             "userfaultfd",
                             "io_uring_setup",
                             "io_uring_enter",
                             "io_uring_register",
                             "io_setup",
                             "keyctl",
                             "add_key",
                             "request_key",
                             "shmget",
                             "shmat",
                             "msgget",
                             "semget",
                             "mq_open",
                             "timer_create",
                             "init_module",
                             "finit_module",
                             "kexec_load",
                             "reboot",
                             "swapon",
                             "setsid",
                             "setpgid",
                             "personality"});
    refuse_new_namespaces(filter);
}

}  // namespace

Descriptor base_filter(bool on_gpu) {
    Filter filter(on_gpu ? SCMP_ACT_ALLOW : unknown);
    if (on_gpu) {
        refuse_what_cuda_does_not_need(filter);
    } else {
        allow_compiler(filter);
    }
    Descriptor file(checked(memfd_create("filter", MFD_CLOEXEC), "memfd_create"));
    filter.write(file.get());
    checked(lseek(file.get(), 0, SEEK_SET), "lseek");
    return file;
}

void apply_worker_filter(int channel, bool on_gpu) {
    Filter filter(refused);
    constexpr std::uint32_t allowed = SCMP_ACT_ALLOW;
    const auto itself = static_cast<scmp_datum_t>(getpid());
    const auto number = static_cast<scmp_datum_t>(channel);
    filter.add_all(allowed, {"brk", "mmap", "munmap", "mprotect", "mremap", "madvise", "mincore"});
    filter.add_all(allowed, {"futex",
                             "set_robust_list",
                             "get_robust_list",
                             "rseq",
                             "membarrier",
                             "set_tid_address",
                             "exit",
                             "exit_group",
                             "sched_yield",
                             "sched_getaffinity",
                             "sched_getparam",
                             "sched_getscheduler",
                             "gettid",
                             "getpid",
                             "getppid",
                             "getcpu",
                             "getuid",
                             "geteuid",
                             "getgid",
                             "getegid",
                             "arch_prctl",
                             "get_mempolicy"});
    filter.add_all(allowed, {"rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack"});
    filter.add_all(allowed,
                   {"clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday",
                    "time", "times", "getrusage", "getrlimit", "sysinfo", "uname", "getrandom"});
    filter.add_all(allowed, {"read", "pread64", "readv", "lseek", "fstat", "stat", "lstat",
                             "newfstatat", "statx", "access", "faccessat", "faccessat2", "readlink",
                             "readlinkat", "getcwd", "getdents64"});
    // A thread that waits for another one in vfork() cannot be stopped.
    filter.add(allowed, "clone",
               SCMP_A0_64(SCMP_CMP_MASKED_EQ, CLONE_THREAD | CLONE_VFORK, CLONE_THREAD));
    filter.add(unknown, "clone3");
    filter.add(allowed, "tgkill", SCMP_A0_64(SCMP_CMP_EQ, itself));  // abort()
    filter.add(allowed, "prlimit64", SCMP_A2_64(SCMP_CMP_EQ, 0));    // asks, does not set
    constexpr scmp_datum_t writes = O_ACCMODE | O_CREAT | O_TRUNC;
    filter.add(allowed, "open", SCMP_A1_64(SCMP_CMP_MASKED_EQ, writes, O_RDONLY));
    filter.add(allowed, "openat", SCMP_A2_64(SCMP_CMP_MASKED_EQ, writes, O_RDONLY));
    // No other file can get the number of one that may be written.
    filter.add(allowed, "close", SCMP_A0_64(SCMP_CMP_GT, 2));
    filter.add(allowed, "write", SCMP_A0_64(SCMP_CMP_LE, 2));
    filter.add(allowed, "writev", SCMP_A0_64(SCMP_CMP_LE, 2));
    if (on_gpu) allow_driver(filter);
    for (const char* name : {"sendto", "recvfrom", "recvmsg"}) {
        filter.add(allowed, name, SCMP_A0_64(SCMP_CMP_EQ, number));
    }
    filter.load(!on_gpu);  // threads of CUDA's driver run already, and call more than this
}

}  // namespace grading
