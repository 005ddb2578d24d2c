#pragma once

// Checks of single accesses to the emulated GPU's memory.

#include <cstddef>
#include <cstdint>

#include "block.hpp"

namespace emulation {

/// Volatile accesses count as atomic: they do not race. A copy is the start of an asynchronous one.
enum class Kind { plain, atomic, copy };

void read_global(std::uintptr_t offset, std::size_t bytes, const void* code, Kind kind);
void write_global(std::uintptr_t offset, std::size_t bytes, const void* code, Kind kind);
void read_shared(std::uintptr_t offset, std::size_t bytes, const void* code, Kind kind);
void write_shared(std::uintptr_t offset, std::size_t bytes, const void* code, Kind kind);

/// "4-byte load", "16-byte store".
std::string access_name(std::size_t bytes, bool is_write);

/// An access to GPU memory by code of the host.
void host_access(std::uintptr_t address, std::size_t bytes, bool is_write);

inline void on_read(std::uintptr_t address, std::size_t bytes, const void* code, Kind kind) {
    const std::uintptr_t offset = address - memory_begin;
    if (offset >= memory_bytes) return;  // local memory, parameters, constants
    if (current_thread == nullptr) return host_access(address, bytes, false);
    if (offset < global_bytes) {
        read_global(offset, bytes, code, kind);
    } else {
        read_shared(offset, bytes, code, kind);
    }
}

inline void on_write(std::uintptr_t address, std::size_t bytes, const void* code, Kind kind) {
    const std::uintptr_t offset = address - memory_begin;
    if (offset >= memory_bytes) return;
    if (current_thread == nullptr) return host_access(address, bytes, true);
    if (offset < global_bytes) {
        write_global(offset, bytes, code, kind);
    } else {
        write_shared(offset, bytes, code, kind);
    }
}

}  // namespace emulation
