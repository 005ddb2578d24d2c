#include "harness/testing_race_program.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <initializer_list>
#include <regex>
#include <string_view>

#include "common/error.hpp"

namespace harness {
namespace {

using Result = RaceCheck::Result;

/// While this exists, the addresses of programs that this thread starts are not randomised:
/// ThreadSanitizer cannot run with all that Linux may choose. Where this is forbidden, as in
/// Docker, nothing changes, and ThreadSanitizer says so if it cannot run.
class FixedAddresses {
  public:
    FixedAddresses() {
        if (before_ != -1) personality(static_cast<unsigned long>(before_) | ADDR_NO_RANDOMIZE);
    }
    ~FixedAddresses() {
        if (before_ != -1) personality(static_cast<unsigned long>(before_));
    }
    FixedAddresses(const FixedAddresses&) = delete;
    FixedAddresses& operator=(const FixedAddresses&) = delete;

  private:
    int before_ = personality(0xffffffff);
};

/// A file in memory that takes an output.
class Output {
  public:
    explicit Output(const char* name) : file_(memfd_create(name, MFD_CLOEXEC)) {
        if (file_ < 0) throw common::Failed(fmt::format("memfd_create: {}", std::strerror(errno)));
    }
    ~Output() { close(file_); }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    int file() const { return file_; }

    std::string text() const {
        std::string text;
        char part[4096];
        ssize_t bytes = 0;
        while ((bytes = pread(file_, part, sizeof part, static_cast<off_t>(text.size()))) > 0) {
            text.append(part, static_cast<std::size_t>(bytes));
        }
        return text;
    }

  private:
    int file_;
};

/// Starts a program without a shell, so that its path may contain any character, and waits for its
/// end. Returns an error number, or 0 and the status.
int run(const std::string& program, const std::string& argument, const Output& out,
        const Output& err, int& status) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out.file(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.file(), STDERR_FILENO);
    std::string words[] = {program, argument};
    char* arguments[] = {words[0].data(), words[1].data(), nullptr};
    pid_t child = 0;
    int error = 0;
    {
        const FixedAddresses fixed;
        error = posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ);
    }
    posix_spawn_file_actions_destroy(&actions);
    while (error == 0 && waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) error = errno;
    }
    return error;
}

struct Ended {
    std::string out;
    std::string err;
    int status;
};

std::string first_line(std::string_view text) {
    return std::string(text.substr(0, text.find('\n')));
}

/// The first line of `text` with one of these words, or "".
std::string line_with(std::string_view text, std::initializer_list<std::string_view> words) {
    while (!text.empty()) {
        const std::string line = first_line(text);
        for (const std::string_view word : words) {
            if (line.find(word) != std::string::npos) return line;
        }
        text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
    return "";
}

/// The exit code or the signal, and what was said of it.
std::string end_of(const Ended& program) {
    std::string said = line_with(program.err, {"ThreadSanitizer: ", "ERROR: ", "what(): "});
    if (said.empty()) said = first_line(program.err);
    const std::string how = WIFSIGNALED(program.status)
                                ? fmt::format("signal {}", WTERMSIG(program.status))
                                : fmt::format("exit code {}", WEXITSTATUS(program.status));
    return said.empty() ? how : how + ": " + said;
}

/// Why the machine does not let the program do its work, or "" if it does. It is the same text for
/// all variants.
std::string why_not_here(const Ended& program, const std::string& variant) {
    const bool has_called = program.out.find("calling " + variant + "\n") != std::string::npos;
    const std::string said =
        line_with(program.err, {"ThreadSanitizer failed to ", "ThreadSanitizer: failed to ",
                                "ThreadSanitizer: out of memory", "ThreadSanitizer: out-of-memory",
                                "ThreadSanitizer: unexpected memory mapping",
                                "ThreadSanitizer: CHECK failed", "Thread creation failed"});
    if (has_called && said.empty()) return "";
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        return fmt::format(
            "ThreadSanitizer reserves terabytes of addresses: it needs ulimit -v "
            "unlimited, not {}",
            limit.rlim_cur / 1024);
    }
    static const std::regex of_this_process("==\\d+==|0x[0-9a-f]+| \\(tid=\\d+\\)");
    return "ThreadSanitizer cannot run here: " +
           std::regex_replace(said.empty() ? end_of(program) : said, of_this_process, "");
}

RaceCheck check_of(const Ended& program, const std::string& variant) {
    const std::string& out = program.out;  // the variant may have printed, too
    if (const auto at = out.find("WRONG " + variant + " on "); at != std::string::npos) {
        return {Result::race, out.substr(at)};
    }
    const int code = WIFEXITED(program.status) ? WEXITSTATUS(program.status) : -1;
    if (code == 0 && out.find("no race: " + variant + " on ") != std::string::npos) {
        return {Result::no_race};
    }
    const std::string_view mark = "not checked: ";
    if (const auto at = out.rfind(mark); code == 77 && at != std::string::npos) {
        const std::string why = first_line(out.substr(at + mark.size()));
        return {why == common::NotDoneYet().what() ? Result::not_done : Result::not_checked, why};
    }
    if (const std::string why = why_not_here(program, variant); !why.empty()) {
        return {Result::not_checked, why};
    }
    return {Result::failed, "it ended the program that looks for races: " + end_of(program)};
}

}  // namespace

RaceCheck run_race_program(const std::filesystem::path& program, const std::string& variant) {
    if (!std::filesystem::exists(program)) {
        return {Result::not_checked,
                "the program that looks for races is not built (target LAB-VARIANT-races, by g++ "
                "only)"};
    }
    const Output out("out");
    const Output err("err");
    int status = 0;
    if (const int error = run(program.string(), variant, out, err, status)) {
        return {Result::not_checked,
                fmt::format("cannot start {}: {}", program.string(), std::strerror(error))};
    }
    return check_of({out.text(), err.text(), status}, variant);
}

}  // namespace harness
