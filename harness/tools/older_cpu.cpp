// Loaded before a program (LD_PRELOAD), this hides vector instructions from the program and from
// all its libraries, so that they run as on an older CPU: `run_all.sh measure --as avx2`.
//
// Programs learn from the instruction CPUID what a CPU has. Here it faults, which Linux allows a
// process to ask for (arch_prctl, ARCH_SET_CPUID), and a signal handler answers it without what the
// older CPU lacks. Caches, frequency and memory stay those of this CPU, and so do the functions of
// the C library that it chose before, as memcpy.
//
// Compiled twice, with OLDER_CPU_HAS_AVX2 1 (AVX2 and FMA) or 0 (SSE4.2).

#include <asm/prctl.h>
#include <cpuid.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>

namespace {

constexpr bool has_avx2 = OLDER_CPU_HAS_AVX2;

struct Registers {
    std::uint32_t eax, ebx, ecx, edx;
};

bool cpuid_faults(bool faults) {
    return syscall(SYS_arch_prctl, ARCH_SET_CPUID, faults ? 0 : 1) == 0;
}

/// Executes CPUID for `leaf` and `subleaf`, and removes the hidden instructions from the answer.
Registers answer(std::uint32_t leaf, std::uint32_t subleaf) {
    Registers r;
    cpuid_faults(false);
    __cpuid_count(leaf, subleaf, r.eax, r.ebx, r.ecx, r.edx);
    cpuid_faults(true);
    constexpr std::uint32_t extensions = 7;
    constexpr std::uint32_t tiles = 0x1d, tile_products = 0x1e, avx10 = 0x24;
    if (leaf == tiles || leaf == tile_products || leaf == avx10) return {};
    if (leaf == extensions && (subleaf > 0 || !has_avx2)) return {};
    if (leaf == extensions) {
        r.ebx &= ~(bit_AVX512F | bit_AVX512DQ | bit_AVX512IFMA | bit_AVX512CD | bit_AVX512BW |
                   bit_AVX512VL);
        r.ecx &= ~(bit_AVX512VBMI | bit_AVX512VBMI2 | bit_AVX512VNNI | bit_AVX512BITALG |
                   bit_AVX512VPOPCNTDQ);
        r.edx &=
            ~(bit_AVX512VP2INTERSECT | bit_AVX512FP16 | bit_AMX_BF16 | bit_AMX_TILE | bit_AMX_INT8);
    }
    if (leaf == 1 && !has_avx2) r.ecx &= ~(bit_FMA | bit_OSXSAVE | bit_AVX | bit_F16C);
    if (leaf == 0x8000'0001 && !has_avx2) r.ecx &= ~bit_ABM;
    return r;
}

void on_fault(int, siginfo_t*, void* context) {
    auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const auto* code = reinterpret_cast<const std::uint8_t*>(registers[REG_RIP]);
    if (code[0] != 0x0f || code[1] != 0xa2) {  // not CPUID: it faults again, and ends the program
        std::signal(SIGSEGV, SIG_DFL);
        return;
    }
    const Registers r = answer(static_cast<std::uint32_t>(registers[REG_RAX]),
                               static_cast<std::uint32_t>(registers[REG_RCX]));
    registers[REG_RAX] = r.eax;
    registers[REG_RBX] = r.ebx;
    registers[REG_RCX] = r.ecx;
    registers[REG_RDX] = r.edx;
    registers[REG_RIP] += 2;
}

void nothing() {}

}  // namespace

/// Resolves a function of this library. The loader calls it before the program and the other
/// libraries choose versions of their functions, and before all constructors. It calls functions of
/// the C library, which the option -fno-plt lets the loader resolve before it.
extern "C" void (*older_cpu_resolve())() {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &action, nullptr);
    if (!cpuid_faults(true)) {
        constexpr char message[] =
            "cannot run here: this CPU, or its hypervisor, cannot hide instructions\n";
        [[maybe_unused]] const auto written = write(STDERR_FILENO, message, sizeof message - 1);
        _exit(2);
    }
    return nothing;
}

extern "C" void older_cpu() __attribute__((ifunc("older_cpu_resolve")));
void (*const volatile older_cpu_is_resolved)() = older_cpu;
