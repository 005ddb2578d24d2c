// Addresses outside of all memory: an access by a kernel raises a signal, which becomes a fault.

#include "signals.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

#include "block.hpp"

namespace emulation {
namespace {

thread_local std::uintptr_t wrong_address = 0;
thread_local std::uintptr_t interrupted_stack = 0;  ///< where it ended when the signal came

/// Runs on the thread's own stack, as if called by the instruction at fault.
[[noreturn]] void raise_wrong_address() {
    Fault fault;
    fault.what = fmt::format("illegal address {:#x}", wrong_address);
    fault.cause =
        "a null pointer, a pointer that was never set, or an index that is far out of bounds";
    fault.stack = call_stack(current_thread->stack_end);
    raise(std::move(fault));
}

[[noreturn]] void raise_endless_loop() {
    Fault fault;
    fault.what = "a loop that does not end: the thread has run for 5 s, the others wait";
    fault.cause = "a loop whose variable does not change (++x), or whose condition stays true";
    fault.stack = call_stack(current_thread->stack_end);
    fault.words = words_of_stack(interrupted_stack, current_thread->stack_end);
    fault.other = waiting_warps(*current_thread->block);
    raise(std::move(fault));
}

/// Makes the interrupted thread call a function.
void call_instead(ucontext_t& context, void (*function)()) {
#if defined(__x86_64__)
    auto& registers = context.uc_mcontext.gregs;
    constexpr std::uintptr_t red_zone = 128;
    interrupted_stack = static_cast<std::uintptr_t>(registers[REG_RSP]);
    auto top = static_cast<std::uintptr_t>(registers[REG_RSP]) - red_zone;
    top = top / 16 * 16 - 8;
    *reinterpret_cast<std::uintptr_t*>(top) =
        static_cast<std::uintptr_t>(registers[REG_RIP]) + 1;  // as the address of a return
    registers[REG_RSP] = static_cast<greg_t>(top);
    registers[REG_RIP] = reinterpret_cast<greg_t>(function);
#elif defined(__aarch64__)
    interrupted_stack = context.uc_mcontext.sp;
    context.uc_mcontext.regs[30] = context.uc_mcontext.pc + 4;
    context.uc_mcontext.pc = reinterpret_cast<std::uintptr_t>(function);
#endif
}

void on_signal(int number, siginfo_t* info, void* context) {
    if (current_thread == nullptr) {
        signal(number, SIG_DFL);  // the instruction is repeated, and ends the program
        return;
    }
    wrong_address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    call_instead(*static_cast<ucontext_t*>(context), raise_wrong_address);
}

void on_tick(int, siginfo_t* info, void* context) {
    auto* loops = static_cast<EndlessLoopsAsFaults*>(info->si_value.sival_ptr);
    if (current_thread == nullptr || !loops->tick()) return;
    call_instead(*static_cast<ucontext_t*>(context), raise_endless_loop);
}

int tick_signal() {
    static const int number = [] {
        const int chosen = SIGRTMIN + 3;
        struct sigaction action {};
        action.sa_sigaction = on_tick;
        action.sa_flags = SA_SIGINFO | SA_RESTART;
        sigaction(chosen, &action, nullptr);
        return chosen;
    }();
    return number;
}

}  // namespace

SignalsAsFaults::SignalsAsFaults() {
    struct sigaction action {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSEGV, &action, &segmentation_);
    sigaction(SIGBUS, &action, &bus_);
}

SignalsAsFaults::~SignalsAsFaults() {
    sigaction(SIGSEGV, &segmentation_, nullptr);
    sigaction(SIGBUS, &bus_, nullptr);
}

EndlessLoopsAsFaults::EndlessLoopsAsFaults(const Worker& worker) : worker_(worker) {
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = tick_signal();
    event.sigev_value.sival_ptr = this;
    event._sigev_un._tid = gettid();
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_) != 0) return;
    const itimerspec each_second{{1, 0}, {1, 0}};
    timer_settime(timer_, 0, &each_second, nullptr);
}

EndlessLoopsAsFaults::~EndlessLoopsAsFaults() {
    timer_delete(timer_);
}

bool EndlessLoopsAsFaults::tick() {
    constexpr int most = 5;
    if (worker_.steps != steps_) seconds_ = 0;
    steps_ = worker_.steps;
    return ++seconds_ > most;
}

}  // namespace emulation
