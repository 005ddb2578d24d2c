// Accesses of kernels to memory that is not the GPU's: what a real GPU could read of it, a launch's
// arguments and constants, is allowed. Anything else is memory of the CPU.

#include <link.h>

#include <algorithm>
#include <utility>

#include "access.hpp"

namespace emulation {
namespace {

struct Range {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    bool holds(std::uintptr_t address) const { return begin <= address && address < end; }
};

bool is_argument(std::uintptr_t address) {
    const auto arguments = current_worker->kernel->arguments;
    return std::any_of(arguments.begin(), arguments.end(), [address](const HostBytes& bytes) {
        return address - reinterpret_cast<std::uintptr_t>(bytes.begin) < bytes.size;
    });
}

struct Search {
    std::uintptr_t address;
    Range found{};
};

int look_into(dl_phdr_info* object, std::size_t, void* data) {
    auto& search = *static_cast<Search*>(data);
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const auto& header = object->dlpi_phdr[i];
        const std::uintptr_t begin = object->dlpi_addr + header.p_vaddr;
        const Range range{begin, begin + header.p_memsz};
        if (header.p_type != PT_LOAD || !range.holds(search.address)) continue;
        search.found = range;
        return 1;
    }
    return 0;
}

/// True for variables of the program: __constant__ ones, tables, literals.
bool is_static(std::uintptr_t address) {
    thread_local Range last{};
    if (last.holds(address)) return true;
    Search search{address};
    if (dl_iterate_phdr(look_into, &search) == 0) return false;
    last = search.found;
    return true;
}

/// False for functions of the standard library that the emulation calls: the linker may have taken
/// those that were compiled with a kernel.
bool is_of_kernel(const void* code) {
    thread_local bool is_asking = false;
    if (is_asking) return false;
    is_asking = true;
    const bool found = is_line_of_program(reinterpret_cast<std::uintptr_t>(code));
    is_asking = false;
    return found;
}

}  // namespace

void check_outside(std::uintptr_t address, std::size_t bytes, bool is_write, const void* code) {
    constexpr std::uintptr_t first_page = 64 * 1024;
    if (address < first_page) return;  // a null pointer raises a signal
    if (is_argument(address) || is_static(address) || !is_of_kernel(code)) return;
    Fault fault;
    if (address >= memory_begin && address < all_end) {
        fault.what = "out of bounds: a " + access_name(bytes, is_write) + " far beyond all memory";
        fault.cause = "an index that is far out of bounds, or was never set";
        raise(std::move(fault));
    }
    fault.what = "memory of the CPU: a " + access_name(bytes, is_write) +
                 " by a kernel at an address that cudaMalloc did not return";
    fault.cause =
        "a pointer to a variable of the CPU is an argument of the launch (&options.mask): pass the "
        "variable itself, or copy it to memory from cudaMalloc; or a pointer that was never set";
    raise(std::move(fault));
}

}  // namespace emulation
