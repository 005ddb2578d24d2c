// Accesses of kernels outside of global and shared memory: what a real GPU could read, a launch's
// arguments and constants, is allowed. Anything else is memory of the CPU.

#include <link.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "access.hpp"

namespace emulation {
namespace {

struct Range {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    bool holds(std::uintptr_t address) const { return begin <= address && address < end; }
};

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
        // PT_GNU_RELRO has the addresses in tables, which only the loader writes.
        const bool is_read_only = header.p_type == PT_GNU_RELRO ||
                                  (header.p_type == PT_LOAD && (header.p_flags & PF_W) == 0);
        if (!is_read_only || !range.holds(search.address)) continue;
        search.found = range;
        return 1;
    }
    return 0;
}

/// True for tables and literals, which the compiler puts into a GPU's memory too. The program's
/// variables are not there.
bool is_read_only(std::uintptr_t address) {
    thread_local Range last{};
    if (last.holds(address)) return true;
    Search search{address};
    if (dl_iterate_phdr(look_into, &search) == 0) return false;
    last = search.found;
    return true;
}

/// True for the reference that cuda_to_cpp makes of a variable of the GPU. It is in the program's
/// memory, and has the variable's address.
bool is_reference(std::uintptr_t address, std::size_t bytes) {
    std::uintptr_t to = 0;
    if (bytes != sizeof to) return false;
    std::memcpy(&to, reinterpret_cast<const void*>(address), sizeof to);
    return to - variables_begin < memory_begin + global_bytes - variables_begin || is_constant(to);
}

/// False for functions of the standard library that the emulation calls: the linker may have taken
/// those that were compiled with a kernel.
bool is_of_kernel(const void* code) {
    return is_line_of_program(reinterpret_cast<std::uintptr_t>(code));
}

}  // namespace

bool is_argument(std::uintptr_t address, std::size_t bytes) {
    const auto arguments = current_worker->kernel->arguments;
    return std::any_of(arguments.begin(), arguments.end(), [=](const HostBytes& argument) {
        const auto offset = address - reinterpret_cast<std::uintptr_t>(argument.begin);
        return offset < argument.size && bytes <= argument.size - offset;
    });
}

void check_outside(std::uintptr_t address, std::size_t bytes, bool is_write, const void* code) {
    constexpr std::uintptr_t first_page = 64 * 1024;
    if (address < first_page) return;  // a null pointer raises a signal
    if (is_argument(address, bytes) || (!is_write && is_constant(address))) return;
    if (is_read_only(address) || (!is_write && is_reference(address, bytes))) return;
    if (!is_of_kernel(code)) return;
    Fault fault;
    if (is_constant(address)) {
        fault.what = "constant memory: a " + access_name(bytes, is_write) + " by a kernel";
        fault.cause = "kernels only read a __constant__ variable; declare it __device__";
        raise(std::move(fault));
    }
    if (address >= memory_begin && address < all_end) {
        fault.what = "out of bounds: a " + access_name(bytes, is_write) + " far beyond all memory";
        fault.cause = "an index that is far out of bounds, or was never set";
        raise(std::move(fault));
    }
    fault.what = "memory of the CPU: a " + access_name(bytes, is_write) +
                 " by a kernel at an address that cudaMalloc did not return";
    if (const std::string name = variable_name(address); !name.empty()) {
        fault.where = name + ", a variable of the program that is not declared __device__";
    }
    fault.cause =
        "a pointer to a variable of the CPU is an argument of the launch (&options.mask): pass the "
        "variable itself, or copy it to memory from cudaMalloc; or a pointer that was never set";
    raise(std::move(fault));
}

}  // namespace emulation
