#include "sandbox/process.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <grp.h>
#include <utf8.h>
#include <algorithm>
#include <array>
#include <iterator>
#include <system_error>

#include "sandbox/landlock.hpp"

namespace grading {
namespace {

constexpr std::size_t kept_bytes = 64 << 10;

std::vector<char*> pointers(const std::vector<std::string>& words) {
    std::vector<char*> result;
    for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
    result.push_back(nullptr);
    return result;
}

std::vector<sock_filter> instructions_of(const Descriptor* filter) {
    std::vector<sock_filter> code;
    if (filter == nullptr) return code;
    const off_t bytes = checked(lseek(filter->get(), 0, SEEK_END), "lseek");
    code.resize(static_cast<std::size_t>(bytes) / sizeof(sock_filter));
    checked(pread(filter->get(), code.data(), static_cast<std::size_t>(bytes), 0), "pread");
    return code;
}

/// The child's steps between fork() and execve(). It allocates no memory: another thread of the
/// parent may have held the allocator's lock at the fork.
class Child {
  public:
    Child(const Program& program, const Cgroup& group, int output)
        : program_(program),
          group_(group),
          output_(output),
          arguments_(pointers(program.arguments)),
          environment_(pointers(program.environment)),
          filter_(instructions_of(program.filter)) {}

    [[noreturn]] void become() {
        setsid();
        if (!group_.join()) _exit(126);
        bind_to_cores();
        set_limits();
        if (program_.fixed_addresses) personality(ADDR_NO_RANDOMIZE);
        if (!change_user()) _exit(126);
        prctl(PR_SET_PDEATHSIG, SIGKILL);      // after the change of the user, which clears it
        if (getppid() != parent_) _exit(126);  // it has ended before that
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        if (chdir(program_.folder.c_str()) != 0) _exit(126);
        if (program_.landlock != nullptr && !restrict_to(*program_.landlock)) _exit(126);
        arrange_descriptors();
        if (!filter_.empty() && !apply_filter()) _exit(126);
        execve(arguments_[0], arguments_.data(), environment_.data());
        _exit(127);
    }

  private:
    const Program& program_;
    const Cgroup& group_;
    int output_;
    pid_t parent_ = getpid();
    std::vector<char*> arguments_;
    std::vector<char*> environment_;
    std::vector<sock_filter> filter_;

    void bind_to_cores() const {
        cpu_set_t all;
        cpu_set_t some;
        if (program_.cores == 0 || sched_getaffinity(0, sizeof all, &all) != 0) return;
        CPU_ZERO(&some);
        int left = program_.cores;
        for (std::size_t core = 0; core < CPU_SETSIZE && left > 0; ++core) {
            if (!CPU_ISSET(core, &all)) continue;
            CPU_SET(core, &some);
            --left;
        }
        sched_setaffinity(0, sizeof some, &some);
    }

    static void limit(__rlimit_resource resource, std::uint64_t value, std::uint64_t grace = 0) {
        if (value == 0) return;
        const rlimit both{value, value + grace};
        setrlimit(resource, &both);
    }

    void set_limits() const {
        limit(RLIMIT_AS, program_.limits.address_bytes);
        limit(RLIMIT_FSIZE, program_.limits.file_bytes);
        if (program_.user && program_.cgroups.folders.empty()) {
            limit(RLIMIT_NPROC, program_.limits.processes);  // counts all of the user
        }
        limit(RLIMIT_CPU, program_.limits.cpu_seconds, 5);  // SIGXCPU first, then SIGKILL
        const rlimit none{0, 0};
        setrlimit(RLIMIT_CORE, &none);
    }

    bool change_user() const {
        if (!program_.user) return true;
        const uid_t user = *program_.user;
        return setgroups(0, nullptr) == 0 && setresgid(user, user, user) == 0 &&
               setresuid(user, user, user) == 0;
    }

    /// The given descriptors first get numbers that nothing else has, then those from 3 on.
    void arrange_descriptors() const {
        constexpr int free_numbers = 200;
        const int count = static_cast<int>(program_.descriptors.size());
        for (int i = 0; i < count; ++i) {
            dup2(program_.descriptors[static_cast<std::size_t>(i)], free_numbers + i);
        }
        dup2(output_, free_numbers + count);
        const int nothing = open("/dev/null", O_RDONLY);
        dup2(nothing < 0 ? free_numbers + count : nothing, STDIN_FILENO);
        dup2(free_numbers + count, STDOUT_FILENO);
        dup2(free_numbers + count, STDERR_FILENO);
        for (int i = 0; i < count; ++i) dup2(free_numbers + i, 3 + i);
        syscall(SYS_close_range, 3 + count, ~0U, 0);
    }

    bool apply_filter() {
        const sock_fprog code{static_cast<unsigned short>(filter_.size()), filter_.data()};
        return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &code) == 0;
    }
};

/// Control characters, which move a terminal; marks that have no width or turn the direction of
/// writing, which hide text; and what is no character (XML takes no U+FFFE and U+FFFF).
bool is_hidden(char32_t c) {
    const auto in = [c](char32_t first, char32_t last) { return first <= c && c <= last; };
    return (c < 0x20 && c != '\n' && c != '\t') || in(0x7F, 0x9F) || c == 0xAD || c == 0x61C ||
           c == 0x180E || in(0x200B, 0x200F) || in(0x2028, 0x202E) || in(0x2060, 0x206F) ||
           c == 0xFEFF || in(0xFFF9, 0xFFFB) || in(0xFDD0, 0xFDEF) || (c & 0xFFFE) == 0xFFFE ||
           in(0xE0000, 0xE0FFF);
}

}  // namespace

Process::Process(const Program& program)
    : group_(program.cgroups, program.limits.memory_bytes, program.limits.processes) {
    std::array<int, 2> ends{};
    checked(pipe2(ends.data(), O_CLOEXEC), "pipe");
    output_ = Descriptor(ends[0]);
    const Descriptor written(ends[1]);
    checked(fcntl(output_.get(), F_SETFL, O_NONBLOCK), "fcntl");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    Child child(program, group_, written.get());
    id_ = checked(fork(), "fork");
    if (id_ == 0) child.become();
}

Process::~Process() {
    end();
}

bool Process::read_output() {
    std::array<char, 16384> bytes;
    for (int i = 0; i < 16; ++i) {  // a program that writes without end must not keep us here
        const ssize_t count = read(output_.get(), bytes.data(), bytes.size());
        if (count == 0) return false;
        if (count < 0) return errno == EAGAIN || errno == EINTR;
        const std::size_t room = kept_bytes - std::min(kept_bytes, text_.size());
        text_.append(bytes.data(), std::min(static_cast<std::size_t>(count), room));
    }
    return true;
}

int Process::end() {
    if (ended_) return status_;
    kill(id_, SIGKILL);
    while (waitpid(id_, &status_, 0) < 0 && errno == EINTR) {
    }
    finish();
    return status_;
}

/// bubblewrap ends before its own child does. The orphan becomes a child of this process, in the
/// process group of the program, which no program can leave: setsid() and setpgid() are refused.
void Process::finish() {
    ended_ = true;
    group_.kill_all();
    kill(-id_, SIGKILL);
    while (waitpid(-id_, nullptr, 0) > 0 || errno == EINTR) {
    }
    read_output();
}

bool Process::wait(Clock::time_point deadline) {
    constexpr auto step = std::chrono::milliseconds(20);
    bool has_output = true;
    while (Clock::now() < deadline) {
        pollfd descriptor{has_output ? output_.get() : -1, POLLIN, 0};
        poll(&descriptor, 1, has_output ? static_cast<int>(step.count()) : 1);
        if (has_output) has_output = read_output();
        if (waitpid(id_, &status_, WNOHANG) != id_) continue;
        finish();
        return true;
    }
    end();
    return false;
}

std::string describe_status(int status) {
    int signal_number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) > 128) signal_number = WEXITSTATUS(status) - 128;
    if (signal_number > 0 && signal_number < NSIG) {
        return "signal " + std::to_string(signal_number) + " (" + strsignal(signal_number) + ")";
    }
    return "exit code " + std::to_string(WEXITSTATUS(status));
}

std::string printable(const std::string& text, std::size_t most) {
    std::string valid;
    utf8::replace_invalid(text.begin(), text.end(), std::back_inserter(valid), U'?');
    std::string result;
    for (auto at = valid.begin(); at != valid.end();) {
        const auto begin = at;
        const char32_t character = utf8::next(at, valid.end());
        if (is_hidden(character)) continue;
        if (result.size() + static_cast<std::size_t>(at - begin) > most) break;
        result.append(begin, at);
    }
    return result;
}

}  // namespace grading
