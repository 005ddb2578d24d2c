// Addresses outside of all memory: an access by a kernel raises a signal, which becomes a fault.

#include "signals.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <ucontext.h>

#include <cstdint>
#include <utility>

#include "block.hpp"

namespace emulation {
namespace {

thread_local std::uintptr_t wrong_address = 0;

/// Runs on the thread's own stack, as if called by the instruction at fault.
[[noreturn]] void raise_wrong_address() {
    Fault fault;
    fault.what = fmt::format("illegal address {:#x}", wrong_address);
    fault.cause =
        "a null pointer, a pointer that was never set, or an index that is far out of bounds";
    fault.stack = call_stack(current_thread->stack_end);
    raise(std::move(fault));
}

/// Makes the interrupted thread call raise_wrong_address.
void call_instead(ucontext_t& context) {
#if defined(__x86_64__)
    auto& registers = context.uc_mcontext.gregs;
    constexpr std::uintptr_t red_zone = 128;
    auto top = static_cast<std::uintptr_t>(registers[REG_RSP]) - red_zone;
    top = top / 16 * 16 - 8;
    *reinterpret_cast<std::uintptr_t*>(top) =
        static_cast<std::uintptr_t>(registers[REG_RIP]) + 1;  // as the address of a return
    registers[REG_RSP] = static_cast<greg_t>(top);
    registers[REG_RIP] = reinterpret_cast<greg_t>(&raise_wrong_address);
#elif defined(__aarch64__)
    context.uc_mcontext.regs[30] = context.uc_mcontext.pc + 4;
    context.uc_mcontext.pc = reinterpret_cast<std::uintptr_t>(&raise_wrong_address);
#endif
}

void on_signal(int number, siginfo_t* info, void* context) {
    if (current_thread == nullptr) {
        signal(number, SIG_DFL);  // the instruction is repeated, and ends the program
        return;
    }
    wrong_address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    call_instead(*static_cast<ucontext_t*>(context));
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

}  // namespace emulation
