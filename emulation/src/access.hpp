#pragma once

// Checks of single accesses to the emulated GPU's memory.

#include <cstddef>
#include <cstdint>

#include "block.hpp"
#include "counting.hpp"
#include "streams.hpp"

namespace emulation {

/// Volatile accesses count as atomic: they do not race. A copy is the start of an asynchronous one.
enum class Kind { plain, atomic, copy };

void read_global(std::uintptr_t offset, std::size_t bytes, const void* code, Kind kind);
void write_global(std::uintptr_t offset, std::size_t bytes, const void* code, Kind kind);
void read_shared(std::uintptr_t offset, std::size_t bytes, const void* code, Kind kind);
void write_shared(std::uintptr_t offset, std::size_t bytes, const void* code, Kind kind);

/// Calls act(word, bytes of it) for each word of an access.
template <class Act>
void for_each_word(std::uintptr_t offset, std::size_t bytes, Act act) {
    const std::uintptr_t end = offset + bytes;
    for (std::uintptr_t word = offset / 4; word * 4 < end; ++word) {
        std::uint64_t mask = 15;
        if (word * 4 < offset) mask &= 15u << (offset - word * 4);
        if (word * 4 + 4 > end) mask &= 15u >> (word * 4 + 4 - end);
        act(word, mask);
    }
}

/// "4-byte load", "16-byte store".
std::string access_name(std::size_t bytes, bool is_write);

/// An access to GPU memory by code of the host.
void host_access(std::uintptr_t address, std::size_t bytes, bool is_write);

/// An access of a kernel to an address outside of global and shared memory and of the thread's
/// stack: to the launch's arguments, to constants, or to memory of the CPU, which is a fault.
void check_outside(std::uintptr_t address, std::size_t bytes, bool is_write, const void* code);

/// True for what a launch was called with.
bool is_argument(std::uintptr_t address, std::size_t bytes);

/// The same for any address outside of the GPU's memory.
inline void check_local(std::uintptr_t address, std::size_t bytes, bool is_write,
                        const void* code) {
    if (current_thread == nullptr) {  // code of the CPU
        if (is_constant(address)) host_access(address, bytes, is_write);
        if (copies_host_memory()) check_host_memory(address, bytes, is_write);
        return;
    }
    if (current_thread->stack_end - address <= stack_bytes) return;
    check_outside(address, bytes, is_write, code);
}

/// Counts an access of a kernel, if its launch is counted.
inline void count_access(std::uintptr_t offset, Operation operation, std::size_t bytes,
                         const void* code) {
    if (!is_counting()) return;
    const bool is_global = offset < global_bytes;
    record(is_global ? Space::global : Space::shared, operation,
           is_global ? offset : (offset - global_bytes) % shared_stride - shared_lead, bytes, code);
}

inline void check_read(std::uintptr_t offset, std::size_t bytes, const void* code, Kind kind) {
    if (offset < global_bytes) {
        read_global(offset, bytes, code, kind);
    } else {
        read_shared(offset, bytes, code, kind);
    }
}

inline void check_write(std::uintptr_t offset, std::size_t bytes, const void* code, Kind kind) {
    if (offset < global_bytes) {
        write_global(offset, bytes, code, kind);
    } else {
        write_shared(offset, bytes, code, kind);
    }
}

inline void on_read(std::uintptr_t address, std::size_t bytes, const void* code, Kind kind) {
    const std::uintptr_t offset = address - memory_begin;
    if (offset >= memory_bytes) return check_local(address, bytes, false, code);
    if (current_thread == nullptr) return host_access(address, bytes, false);
    check_read(offset, bytes, code, kind);
    count_access(offset, Operation::load, bytes, code);
}

inline void on_write(std::uintptr_t address, std::size_t bytes, const void* code, Kind kind) {
    const std::uintptr_t offset = address - memory_begin;
    if (offset >= memory_bytes) return check_local(address, bytes, true, code);
    if (current_thread == nullptr) return host_access(address, bytes, true);
    check_write(offset, bytes, code, kind);
    // An asynchronous copy is counted when its bytes are stored.
    if (kind != Kind::copy) count_access(offset, Operation::store, bytes, code);
}

/// An atomic function is checked as a load and as a store, and makes one request.
inline void on_atomic(std::uintptr_t address, std::size_t bytes, const void* code) {
    const std::uintptr_t offset = address - memory_begin;
    if (offset >= memory_bytes) return check_local(address, bytes, true, code);
    if (current_thread == nullptr) return host_access(address, bytes, true);
    check_read(offset, bytes, code, Kind::atomic);
    check_write(offset, bytes, code, Kind::atomic);
    count_access(offset, Operation::atomic, bytes, code);
}

}  // namespace emulation
