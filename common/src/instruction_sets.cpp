#include "common/instruction_sets.hpp"

#if LABS_X86_LEVELS && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace common {

bool may_use_amx() {
#if LABS_X86_LEVELS && defined(__linux__)
    // The numbers are those of <asm/prctl.h>, which older systems do not have.
    constexpr int ask_for_permission = 0x1023;
    constexpr int tile_data = 18;
    static const bool may = __builtin_cpu_supports("amx-int8") &&
                            syscall(SYS_arch_prctl, ask_for_permission, tile_data) == 0;
    return may;
#else
    return false;
#endif
}

}  // namespace common
