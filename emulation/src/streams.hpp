#pragma once

// The order of work in streams. All work is done when it is asked for; what a GPU could do in
// another order is known from streams, events and waits alone.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "emulation/api.hpp"

namespace emulation {

/// The numbers of launches and copies.
using WorkNumbers = std::vector<std::uint64_t>;

/// Puts a launch or a copy into a stream. Returns those in other streams that a GPU may do at the
/// same time.
WorkNumbers put_into_stream(cudaStream_t stream, std::uint64_t number, const std::string& name);

/// ". written by the launch in cuda_mine.cu:35, in another stream": what a message says of work
/// that put_into_stream has returned.
std::string other_stream(std::uint64_t number, bool writes);

inline constexpr const char* race_of_streams =
    "a kernel or a copy is in another stream than the one that the variant is given, and neither "
    "waits for the other: use one stream, or record an event after the first "
    "(cudaEventRecord) for which the stream of the second waits (cudaStreamWaitEvent)";

/// The host waits for all work in a stream, or in all of them.
void wait_for_stream(cudaStream_t stream);
void wait_for_all_streams();

/// A copy or a memset of rows in global memory; rows of the host's memory are left out. Sets a
/// fault if its order in relation to other work is not certain.
void put_copy_into_stream(cudaStream_t stream, const char* name, const void* data,
                          std::size_t pitch, std::size_t width, std::size_t height, bool is_write);

/// The last work of a stream copies page-locked memory: the host must not use it before it waits.
/// Memory that is not page-locked is copied before cudaMemcpyAsync returns.
void put_host_memory_into_stream(cudaStream_t stream, const void* data, std::size_t bytes,
                                 bool is_write);

/// True while some such copy is not waited for.
bool copies_host_memory();

/// An access by the host. Sets a fault if a copy of that memory is not waited for.
void check_host_memory(std::uintptr_t address, std::size_t bytes, bool is_write,
                       const char* who = "code of the CPU");

}  // namespace emulation
