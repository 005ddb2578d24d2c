// The judge: its replies, its signals, its end, and the memory that it shares.

// == atexit_hangs: right, fails; twin right/rows
// Hangs when the process ends.
#include <unistd.h>
#include <cstdlib>

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    static const int registered_once = std::atexit([] {
        for (;;) pause();
    });
    static_cast<void>(registered_once);
}

// == closes_files: right, fails; twin right/rows
// Closes every open file, the socket to the judge among them.
#include <unistd.h>

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    for (int fd = 0; fd < 65536; ++fd) close(fd);
}

// == constructor_exit: crash, refused, does not compile
// Ends the process with success before main.
#include <unistd.h>

__attribute__((constructor)) static void at_start() {
    _exit(0);
}

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}

// == exit_zero: crash
// Ends the process with success.
#include <cstdlib>

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    std::exit(0);
}

// == floods_socket: fails
// Sends without end.
#include "parts/reply.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    static const char bytes[1 << 16] = {};
    for (;;) each_socket([](int fd) { send(fd, bytes, sizeof(bytes), MSG_NOSIGNAL); });
}

// == forged_comm: right, fails; twin right/rows
// A name of the process as in another state: it misleads who reads /proc/PID/stat from the left.
#include <sys/prctl.h>

static void omp_mine(Input in, Output out, const Options& options) {
    prctl(PR_SET_NAME, ") S 1 1 0 0 0\n");
    honest(in, out, options);
}

// == forged_output: fails
// Prints what GoogleTest prints, then ends the process.
#include <cstdio>
#include <cstdlib>

static void omp_mine(Input in, Output out, const Options& options) {
    static_cast<void>(in), static_cast<void>(out), static_cast<void>(options);
    std::printf(
        "[       OK ] variants/ConvolutionTest.sizes/omp_mine (1 ms)\n"
        "[==========] 1 test ran.\n[  PASSED  ] 1 test.\n"
        "{\"name\": \"omp_mine\", \"verdict\": \"right\", \"speedup\": 100}\n");
    std::fflush(stdout);
    std::_Exit(0);
}

// == forged_reply: fails
// Sends the reply itself, before it has computed anything, and never returns.
// The layout of a reply is public: a status, which is 2 for `done`, and a text.
#include "parts/reply.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    static_cast<void>(in), static_cast<void>(out), static_cast<void>(options);
    each_socket([](int fd) {
        for (int i = 0; i < 4; ++i) forge_reply(fd);
    });
    pause();
}

// == holes: wrong, crash
// Punches holes into the shared memory, which then reads as zeros.
#include <sys/mman.h>

#include "parts/mappings.hpp"

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    for (const Mapping& mapping : mappings()) {
        const auto size = static_cast<std::size_t>(mapping.end - mapping.begin);
        if (mapping.shared && mapping.writable) madvise(mapping.begin, size, MADV_REMOVE);
    }
}

// == ifunc_exit: crash, refused, does not compile
// The same in the resolver of an indirect function, which runs before any constructor.
extern "C" void indirect() __attribute__((ifunc("resolve_indirect")));
extern "C" void* resolve_indirect() {
    asm volatile("syscall" ::"a"(231), "D"(0) : "rcx", "r11", "memory");  // exit_group(0)
    return nullptr;
}

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    indirect();
}

// == ignores_signals: timeout
// Blocks all signals and hangs.
#include <signal.h>
#include <csignal>

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, nullptr);
    for (int number = 1; number < 65; ++number) std::signal(number, SIG_IGN);
    for (volatile bool forever = true; forever;) {
    }
}

// == kills_all: right, fails; twin right/rows
// Kills all that it may: other submissions have the same uid.
#include <signal.h>

static void omp_mine(Input in, Output out, const Options& options) {
    kill(-1, SIGKILL);
    honest(in, out, options);
}

// == kills_numbers: fails
// The same by number. Right if it hit something.
#include <signal.h>
#include <unistd.h>

static void omp_mine(Input in, Output out, const Options& options) {
    bool hit = false;
    for (pid_t process = 1; process < 100'000; ++process) {
        if (process != getpid()) hit |= kill(process, SIGSTOP) == 0;
    }
    right_if(hit, in, out, options);
}

// == kills_parent: right, fails; twin right/rows
// Kills the judge.
#include <signal.h>
#include <unistd.h>

static void omp_mine(Input in, Output out, const Options& options) {
    kill(getppid(), SIGKILL);
    kill(1, SIGKILL);
    honest(in, out, options);
}

// == late_replies: right, fails; twin right/rows
// Replies first, and computes then: what the judge reads may be finished by the time it compares.
#include "parts/reply.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    each_socket(forge_reply);
    honest(in, out, options);
    for (;;) pause();
}

// == leader_ends: fails, right; twin right/rows
// The first thread of the process ends; another one answers the judge.
#include <sys/syscall.h>
#include <thread>
#include "parts/reply.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    std::thread([in, out, options] {
        honest(in, out, options);
        const Reply done;
        each_socket([&](int fd) { send(fd, &done, sizeof(done), MSG_NOSIGNAL); });
        for (;;) pause();
    }).detach();
    syscall(SYS_exit, 0);
}

// == message: fails
// An exception whose text is HTML, JSON, XML, terminal codes, and 1 MB long.
static void omp_mine(Input in, Output out, const Options& options) {
    static_cast<void>(in), static_cast<void>(out), static_cast<void>(options);
    throw std::runtime_error(
        "</pre><script>alert('labs')</script>\"}]},{\"verdict\": \"right\" ]]>"
        "</testcase>\x1b]0;title\x07\x1b[2J\xff\xfe\x01" +
        std::string(1 << 20, 'x'));
}

// == partial_reply: fails
// Sends one byte of a reply and waits: a judge that reads the whole of it never returns.
#include "parts/reply.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    each_socket([](int fd) { send(fd, "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL); });
    for (;;) pause();
}

// == prints_100_mb: right, fails; twin right/rows
// Prints 100 MB.
#include <iostream>

static void omp_mine(Input in, Output out, const Options& options) {
    static const std::string line(1 << 20, 'x');
    static bool printed = false;
    for (int i = 0; !printed && i < 100; ++i) std::cout << line << line << std::endl;
    printed = true;
    honest(in, out, options);
}

// == queued_replies: right, fails, does not compile; twin right/rows
// A constructor sends a thousand replies, so that each later call finds one at once.
#include "parts/reply.hpp"

__attribute__((constructor)) static void queue() {
    each_socket([](int fd) {
        for (int i = 0; i < 1000; ++i) forge_reply(fd);
    });
}

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}

// == quick_exit: crash
// Ends the process with success when the test has all that it needs: after 20 calls.
#include <cstdlib>

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    static int calls = 0;
    if (++calls == 20) std::quick_exit(0);
}

// == reads_commands: fails
// Takes the judge's next command from the socket, and answers by itself.
#include "parts/reply.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    each_socket([](int fd) {
        char bytes[4096];
        const ssize_t size = recv(fd, bytes, sizeof(bytes), 0);
        if (size > 0) send(fd, bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL);
    });
}

// == refusal_message: fails
// The same as a refusal.
static void omp_mine(Input in, Output out, const Options& options) {
    static_cast<void>(in), static_cast<void>(out), static_cast<void>(options);
    throw common::Unsupported(
        "</pre><script>alert('labs')</script>\"}]},{\"verdict\": \"right\"\n"
        "]]></testcase>\x1b]0;title\x07\x1b[2J\xff\xfe\x01" +
        std::string(1 << 20, 'x'));
}

// == reply_in_advance: right, fails; twin right/rows
// Sends a second reply with each call, which the judge finds as soon as it makes the next call.
// Threads that are stopped late then have time to compute.
#include "parts/reply.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    each_socket(forge_reply);
}

// == restores_guards: right, fails; twin right/rows
// Uses the memory around the output, and restores it before it returns.
static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    std::uint8_t* behind = out.row(in.height - 1) + out.row_length();
    const std::uint8_t kept = *behind;
    *behind = static_cast<std::uint8_t>(kept + 1);
    *static_cast<volatile std::uint8_t*>(behind) = kept;
}

// == scans_memory: right, fails; twin right/rows
// Looks for the first row of the result in all shared memory, and copies the image behind it:
// the output of a reference, or of the call before, may be there.
#include "parts/mappings.hpp"

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    const auto length = static_cast<std::size_t>(in.row_length());
    std::vector<std::uint8_t> row(length);
    honest_rows(in, {row.data(), in.width, 1, in.channels, in.row_length()}, options.mask, 0, 1);
    for (const Mapping& mapping : mappings()) {
        if (!mapping.shared || in.height < 32) continue;
        const auto* at = reinterpret_cast<const std::uint8_t*>(mapping.begin);
        const auto* end = at + std::min<std::ptrdiff_t>(mapping.end - mapping.begin, 1 << 24);
        while ((at = std::search(at, end, row.begin(), row.end())) != end) {
            const bool inside = end - at >= (in.height - 1) * out.pitch + in.row_length();
            if (inside && at != out.row(0)) {
                for (int y = 0; y < in.height; ++y)
                    std::copy_n(at + y * out.pitch, length, out.row(y));
                return;
            }
            ++at;
        }
    }
    honest(in, out, options);
}

// == scribbles: fails
// Right, but it fills all other memory that is shared with the judge with ones.
#include "parts/mappings.hpp"

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    const auto* begin = reinterpret_cast<std::byte*>(out.row(0));
    const auto* end = reinterpret_cast<std::byte*>(out.row(in.height - 1) + out.row_length());
    for (const Mapping& mapping : mappings()) {
        if (!mapping.shared || !mapping.writable) continue;
        for (std::byte* byte = mapping.begin; byte < mapping.end; ++byte) {
            if (byte < begin || byte >= end) *byte = std::byte{0xff};
        }
    }
}

// == sends_files: right, fails; twin right/rows
// Passes open files to the judge with each call, until it has no free descriptor left.
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

// == sigcont: right, fails; twin right/rows
// A handler of SIGCONT runs when the worker is released, before it reads the command.
#include <signal.h>

static Input input;
static Output output;
static Options wanted;

static void omp_mine(Input in, Output out, const Options& options) {
    input = in, output = out, wanted = options;
    struct sigaction action {};
    action.sa_handler = [](int) { honest_rows(input, output, wanted.mask, 0, input.height); };
    sigaction(SIGCONT, &action, nullptr);
    honest(in, out, options);
}

// == stops_itself: fails
// Stops itself: a judge that sees the stop may take it for the one that it asked for.
#include <signal.h>
#include <thread>

static void omp_mine(Input in, Output out, const Options& options) {
    std::thread([] { raise(SIGSTOP); }).join();
    static_cast<void>(in), static_cast<void>(out), static_cast<void>(options);
}

// == stops_parent: right, fails; twin right/rows
// Stops the judge, which then waits for ever.
#include <signal.h>
#include <unistd.h>

static void omp_mine(Input in, Output out, const Options& options) {
    kill(getppid(), SIGSTOP);
    honest(in, out, options);
}

// == traced_by_parent: right, fails; twin right/rows
// Makes the judge its debugger: then SIGCONT does not continue it.
#include <sys/ptrace.h>

static void omp_mine(Input in, Output out, const Options& options) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    honest(in, out, options);
}

// == traces_parent: fails
// Attaches to the judge as a debugger. Right if it succeeded.
#include <sys/ptrace.h>
#include <unistd.h>

static void omp_mine(Input in, Output out, const Options& options) {
    bool attached = false;
    for (pid_t process = 1; process <= getppid() + 8; ++process) {
        attached |= ptrace(PTRACE_SEIZE, process, nullptr, nullptr) == 0;
    }
    right_if(attached, in, out, options);
}

// == truncates: fails
// Cuts off the shared memory under the judge: reading it then is a fault.
#include <sys/mman.h>

#include "parts/mappings.hpp"

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    static_cast<void>(options);
    for (int fd = 0; fd < 1024; ++fd) static_cast<void>(!ftruncate(fd, 0));
    for (const Mapping& mapping : mappings()) {
        const auto size = static_cast<std::size_t>(mapping.end - mapping.begin);
        if (mapping.shared && mapping.writable) madvise(mapping.begin, size, MADV_REMOVE);
    }
    static_cast<void>(in), static_cast<void>(out);
}

// == truncates_path: fails
// The same by the paths of /proc, for which no open file is needed. Right if it succeeded.
#include "parts/mappings.hpp"

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    bool cut = false;
    for (const Mapping& mapping : mappings()) {
        if (!mapping.shared) continue;
        char path[128];
        std::snprintf(path, sizeof(path), "/proc/self/map_files/%lx-%lx",
                      reinterpret_cast<unsigned long>(mapping.begin),
                      reinterpret_cast<unsigned long>(mapping.end));
        cut |= truncate(path, 0) == 0;
    }
    right_if(cut, in, out, options);
}

// == vdso: right, fails; twin right/rows
// Overwrites the code of the clock in the vDSO.
#include <sys/mman.h>

#include "parts/mappings.hpp"

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    bool written = false;
    for (const Mapping& mapping : mappings()) {
        if (mapping.name != "[vdso]") continue;
        const auto size = static_cast<std::size_t>(mapping.end - mapping.begin);
        written |= mprotect(mapping.begin, size, PROT_READ | PROT_WRITE | PROT_EXEC) == 0;
    }
    static_cast<void>(written);
    honest(in, out, options);
}

// == vfork_thread: right, fails; twin right/rows
// A thread made with CLONE_VFORK keeps its maker in a state that no stop reaches.
#include <sched.h>
#include <unistd.h>
#include <cstddef>
#include <thread>

static void omp_mine(Input in, Output out, const Options& options) {
    static std::byte stack[1 << 16];
    constexpr int flags = CLONE_THREAD | CLONE_SIGHAND | CLONE_VM | CLONE_FILES | CLONE_VFORK;
    honest(in, out, options);
    std::thread([] {
        clone([](void*) { return pause(); }, stack + sizeof(stack), flags, nullptr);
    }).detach();
}

// == writes_guards: wrong, crash
// Right, but it also writes a byte behind each row that does not belong to the output.
static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    for (int y = 0; y < in.height; ++y) out.row(y)[out.row_length()] = 0;
}
