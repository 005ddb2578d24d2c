#include "testing_crash.hpp"

#include <execinfo.h>
#include <fmt/format.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

namespace harness {
namespace {

constexpr std::array crashes{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM};
constexpr unsigned alarm_s = 20;

// A signal handler must not allocate memory.
char running[8192];
volatile sig_atomic_t is_running = 0;
std::array<struct sigaction, crashes.size()> before;

struct Stack {
    int depth;
    std::array<void*, 64> frames;
};
Stack* stack = nullptr;  // in memory that the parent shares; null if nobody wants it

void write_text(const char* text) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text, std::strlen(text));
}

void print_case(const char* what) {
    if (is_running == 0) return;
    write_text(what);
    write_text(running);
    write_text("\n");
}

void record_stack() {
    if (stack == nullptr || stack->depth != 0) return;
    const int depth = backtrace(stack->frames.data(), static_cast<int>(stack->frames.size()));
    stack->depth = depth;
}

/// Raises the signal again for the previous handler, which may be a debugger's or a sanitizer's.
void on_crash(int signal) {
    record_stack();
    print_case("\nnot reduced: the process ended in this case\n");
    for (std::size_t i = 0; i < crashes.size(); ++i) {
        if (crashes[i] == signal) sigaction(signal, &before[i], nullptr);
    }
    raise(signal);
}

void on_alarm(int) {
    if (stack != nullptr) {
        record_stack();
        kill(getppid(), SIGUSR1);
    }
    print_case("\nstill running after 20 s:\n");
}

void on_exit() {
    print_case("\nnot reduced: the process was ended (exit) in this case\n");
}

void install() {
    std::atexit(on_exit);
    struct sigaction action {};
    action.sa_handler = on_crash;
    for (std::size_t i = 0; i < crashes.size(); ++i) sigaction(crashes[i], &action, &before[i]);
    action.sa_handler = on_alarm;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, nullptr);
}

void install_once() {
    [[maybe_unused]] static const bool installed = (install(), true);
}

/// Where the program lies in memory.
std::uintptr_t load_address() {
    std::uintptr_t address = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* first) {
            *static_cast<std::uintptr_t*>(first) = info->dlpi_addr;
            return 1;
        },
        &address);
    return address;
}

}  // namespace

StackRecord::StackRecord() {
    void* memory =
        mmap(nullptr, sizeof(Stack), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) stack = static_cast<Stack*>(memory);
    // The first call loads a library, which a signal handler must not.
    std::array<void*, 1> frame;
    backtrace(frame.data(), 1);
}

void StackRecord::watch() {
    install_once();
    if (stack != nullptr) stack->depth = 0;
    alarm(alarm_s);
}

std::string StackRecord::place() const {
    if (stack == nullptr || stack->depth == 0) return "";
    std::string command = fmt::format("exec addr2line -i -e /proc/{}/exe", getpid());
    for (int i = 0; i < stack->depth; ++i) {
        // One less: a return address may belong to the next line. That of the crash may too, by
        // one instruction.
        const auto address = reinterpret_cast<std::uintptr_t>(stack->frames[i]) - load_address();
        command += fmt::format(" {:#x}", address - 1);
    }
    const std::unique_ptr<FILE, int (*)(FILE*)> lines(
        popen((command + " 2>/dev/null").c_str(), "r"), pclose);
    std::array<char, 4096> line;
    while (lines && fgets(line.data(), line.size(), lines.get()) != nullptr) {
        const std::string text(line.data());  // FILE:LINE, or FILE:? or ??:0
        const std::size_t number = text.rfind(':') + 1;
        const std::filesystem::path file(text.substr(0, number - 1));
        const bool is_source = file.extension() == ".cpp" || file.extension() == ".cu";
        const std::size_t end = text.find_first_not_of("0123456789", number);
        if (!is_source || end == number) continue;
        return (file.parent_path().filename() / file.filename()).string() + ":" +
               text.substr(number, end - number);
    }
    return "";
}

RunningCase::RunningCase(const std::string& command) {
    install_once();
    running[command.copy(running, sizeof running - 1)] = '\0';
    is_running = 1;
    alarm(alarm_s);
}

RunningCase::~RunningCase() {
    alarm(0);
    is_running = 0;
}

}  // namespace harness
