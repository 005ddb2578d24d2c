#include "testing_crash.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

namespace harness {
namespace {

constexpr std::array crashes{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM};
constexpr unsigned alarm_s = 20;

// A signal handler must not allocate memory.
char running[8192];
volatile sig_atomic_t is_running = 0;
std::array<struct sigaction, crashes.size()> before;

void write_text(const char* text) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text, std::strlen(text));
}

void print_case(const char* what) {
    if (is_running == 0) return;
    write_text(what);
    write_text(running);
    write_text("\n");
}

/// Raises the signal again for the previous handler, which may be a debugger's or a sanitizer's.
void on_crash(int signal) {
    print_case("\nnot reduced: the process ended in this case\n");
    for (std::size_t i = 0; i < crashes.size(); ++i) {
        if (crashes[i] == signal) sigaction(signal, &before[i], nullptr);
    }
    raise(signal);
}

void on_alarm(int) {
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

}  // namespace

RunningCase::RunningCase(const std::string& command) {
    [[maybe_unused]] static const bool installed = (install(), true);
    running[command.copy(running, sizeof running - 1)] = '\0';
    is_running = 1;
    alarm(alarm_s);
}

RunningCase::~RunningCase() {
    alarm(0);
    is_running = 0;
}

}  // namespace harness
