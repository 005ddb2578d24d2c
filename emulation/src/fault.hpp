#pragma once

// A fault of a kernel, and its message.

#include <array>
#include <cstdint>
#include <string>

#include "emulation/types.hpp"

extern "C" char __executable_start;  // the linker's

namespace emulation {

/// Addresses of code, innermost first: the place of an event and its callers.
struct CallStack {
    std::array<std::uintptr_t, 32> addresses{};
    int count = 0;
};

/// The call stack of the caller, as far as its frames lie on the stack that ends at `end`.
CallStack call_stack(std::uintptr_t end);

/// The call stack of a waiting thread. Its innermost function has the frame `frame`, and its call
/// returns to `address`.
CallStack call_stack(std::uintptr_t address, std::uintptr_t frame, std::uintptr_t end);

/// All words of the stack from `begin` on: return addresses are among them. For a thread that was
/// interrupted where a function has no frame yet, or none any more, so that call_stack() lacks its
/// caller.
CallStack words_of_stack(std::uintptr_t begin, std::uintptr_t end);

/// The frame of the function that called the function with this frame.
inline std::uintptr_t caller_frame(const void* frame) {
    return *static_cast<const std::uintptr_t*>(frame);
}

/// A fault as its thread reports it. The message is made later, on a larger stack.
struct Fault {
    std::string what;     ///< "out of bounds: a 4-byte load"
    std::string where;    ///< in memory: "tile[35], …"
    std::string other{};  ///< the other thread of a race, or of a barrier
    std::string cause{};  ///< the usual one
    std::string place{};  ///< in the source, where the compiler has written it down
    CallStack stack{};
    CallStack words{};  ///< for a stack without a line of the program: words_of_stack()
    uint3 block{};
    uint3 thread{};
    bool is_race = false;
    bool in_kernel = true;
};

std::string to_string(const Fault& fault);

/// "file.cu:35" of an address of code, without functions of the emulation's own headers.
std::string source_line(std::uintptr_t address);

/// False for code of the standard library and of the emulation that is not inlined elsewhere.
bool is_line_of_program(std::uintptr_t address);

/// The name of the program's variable at an address, or "".
std::string variable_name(std::uintptr_t address);

/// A line of source code.
struct Place {
    std::string file;
    int line = 0;
    bool is_in_texture = false;  ///< inside of tex2D
};

/// The line of an address of code in the file of a variant, for code that was inlined there from
/// the headers of the emulation or of common/.
Place place_of(std::uintptr_t address);

/// The kernel that a thread with this call stack runs.
std::string kernel_name(const CallStack& stack);

/// "(3,1,0)".
std::string to_string(uint3 index);

/// Addresses of code in 32 bits, for the records of accesses.
inline std::uint32_t short_address(const void* address) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address) -
                                      reinterpret_cast<std::uintptr_t>(&__executable_start));
}
inline std::uintptr_t long_address(std::uint32_t address) {
    return reinterpret_cast<std::uintptr_t>(&__executable_start) + address;
}

}  // namespace emulation
