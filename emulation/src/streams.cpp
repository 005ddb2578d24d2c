#include "streams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>

#include "access.hpp"
#include "errors.hpp"
#include "memory.hpp"

namespace {

/// For each stream the number of its works that are done before.
using Clock = std::vector<std::uint64_t>;

}  // namespace

struct CUstream_st {
    std::size_t index;
    bool waits_for_default;  ///< and the default stream for it
};

struct CUevent_st {
    std::chrono::steady_clock::time_point recorded{};
    Clock before{};
};

namespace emulation {
namespace {

struct Work {
    std::uint64_t number;
    std::size_t stream;
    std::uint64_t count;  ///< in its stream
    std::string name;
};

/// Page-locked memory that a work copies.
struct HostMemory {
    std::uintptr_t begin, end;
    bool is_written;
    std::size_t stream;
    std::uint64_t count;  ///< of the work in its stream
};

struct Stream {
    Clock before{0};
    const CUstream_st* handle = nullptr;  ///< null for the default stream, which is the first
};

struct Streams {
    std::mutex mutex;
    std::vector<Stream> all{Stream{}};
    Clock host;                           ///< what the host has waited for
    std::deque<Work> open;                ///< what it has not
    std::vector<HostMemory> host_memory;  ///< of copies that it has not waited for
};

constexpr std::size_t most_open = 256;
std::atomic<int> live_streams = 0;
std::atomic<bool> has_host_memory = false;
thread_local bool is_in_host_function = false;  // which waits for what is before it in the stream

Streams& streams() {
    static Streams all;
    return all;
}

std::uint64_t count_in(const Clock& clock, std::size_t stream) {
    return stream < clock.size() ? clock[stream] : 0;
}

void merge(Clock& clock, const Clock& other) {
    clock.resize(std::max(clock.size(), other.size()));
    for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

/// What is done before the next work of a stream.
Clock& clock_of(Streams& of, cudaStream_t stream) {
    Clock& clock = of.all[stream == nullptr ? 0 : stream->index].before;
    merge(clock, of.host);
    for (const Stream& other : of.all) {
        const bool is_ordered = stream == nullptr
                                    ? other.handle != nullptr && other.handle->waits_for_default
                                    : other.handle == nullptr && stream->waits_for_default;
        if (is_ordered) merge(clock, other.before);
    }
    return clock;
}

void host_waits(Streams& of, const Clock& clock) {
    merge(of.host, clock);
    const auto is_done = [&](const auto& work) {
        return work.count <= count_in(of.host, work.stream);
    };
    std::erase_if(of.open, is_done);
    std::erase_if(of.host_memory, is_done);
    has_host_memory = !of.host_memory.empty();
}

cudaError_t make_stream(cudaStream_t* stream, bool waits_for_default) {
    Streams& of = streams();
    const std::lock_guard lock(of.mutex);
    std::size_t index = 1;  // a place that a destroyed stream has left, if there is one
    while (index < of.all.size() && of.all[index].handle != nullptr) ++index;
    if (index == of.all.size()) of.all.emplace_back();
    *stream = new CUstream_st{index, waits_for_default};  // NOLINT: cudaStreamDestroy deletes it
    of.all[index].handle = *stream;
    ++live_streams;
    return cudaSuccess;
}

bool holds(const WorkNumbers& numbers, std::uint64_t key) {
    return std::ranges::find(numbers, key >> 40) != numbers.end();
}

/// The work in `others` that has accessed a word of the row in a way that conflicts, or 0. Keeps
/// the access.
std::uint64_t access_row(std::uint64_t number, const WorkNumbers& others, std::uintptr_t offset,
                         std::size_t bytes, bool is_write, bool& other_writes) {
    std::uint64_t found = 0;
    for_each_word(offset, bytes, [&](std::uintptr_t word, std::uint64_t mask) {
        GlobalAccess& write = global_writes()[word];
        GlobalAccess& read = global_reads()[word];
        const auto look_at = [&](std::uint64_t key, bool writes) {
            if (found != 0 || (key & mask) == 0 || !holds(others, key)) return;
            found = key >> 40;
            other_writes = writes;
        };
        if (!others.empty()) {
            look_at(write.key, true);
            if (is_write) look_at(read.key, false);
        }
        GlobalAccess& record = is_write ? write : read;
        const std::uint64_t before = record.key >> 40 == number ? record.key & 15 : 0;
        record = {number << 40 | mask | before, 0};
    });
    return found;
}

}  // namespace

int streams_in_use() {
    return live_streams;
}

WorkNumbers put_into_stream(cudaStream_t stream, std::uint64_t number, const std::string& name) {
    Streams& of = streams();
    const std::lock_guard lock(of.mutex);
    Clock& clock = clock_of(of, stream);
    const std::size_t index = stream == nullptr ? 0 : stream->index;
    clock.resize(std::max(clock.size(), index + 1));
    ++clock[index];
    WorkNumbers others;
    for (const Work& work : of.open) {
        if (work.count > count_in(clock, work.stream)) others.push_back(work.number);
    }
    of.open.push_back({number, index, clock[index], name});
    if (of.open.size() > most_open) of.open.pop_front();
    return others;
}

std::string other_stream(std::uint64_t number, bool writes) {
    Streams& of = streams();
    const std::lock_guard lock(of.mutex);
    const auto found = std::ranges::find(of.open, number, &Work::number);
    return fmt::format("{} by {}, in another stream", writes ? "written" : "read",
                       found == of.open.end() ? "work" : found->name);
}

void wait_for_stream(cudaStream_t stream) {
    Streams& of = streams();
    const std::lock_guard lock(of.mutex);
    host_waits(of, clock_of(of, stream));
}

void wait_for_all_streams() {
    Streams& of = streams();
    const std::lock_guard lock(of.mutex);
    Clock all;
    for (const Stream& stream : of.all) merge(all, stream.before);
    host_waits(of, all);
}

void put_copy_into_stream(cudaStream_t stream, const char* name, const void* data,
                          std::size_t pitch, std::size_t width, std::size_t height, bool is_write) {
    const auto offset = reinterpret_cast<std::uintptr_t>(data) - memory_begin;
    if (offset >= global_bytes || streams_in_use() == 0) return;
    const std::uint64_t number = next_launch_number();
    const WorkNumbers others = put_into_stream(stream, number, name);
    for (std::size_t y = 0; y < height; ++y) {
        bool other_writes = false;
        const std::uintptr_t row = offset + y * pitch;
        const std::uint64_t other = access_row(number, others, row, width, is_write, other_writes);
        if (other == 0) continue;
        set_fault(
            fmt::format("race between streams: {} {} global memory, row {} of it; {}. Usual "
                        "cause: {}",
                        name, is_write ? "writes to" : "reads", y,
                        other_stream(other, other_writes), race_of_streams));
        return;
    }
}

void put_host_memory_into_stream(cudaStream_t stream, const void* data, std::size_t bytes,
                                 bool is_write) {
    if (!is_page_locked(data)) return;
    Streams& of = streams();
    const std::lock_guard lock(of.mutex);
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    const std::size_t index = stream == nullptr ? 0 : stream->index;
    of.host_memory.push_back(
        {begin, begin + bytes, is_write, index, count_in(clock_of(of, stream), index)});
    has_host_memory = true;
}

bool copies_host_memory() {
    return has_host_memory && !is_in_host_function;
}

void check_host_memory(std::uintptr_t address, std::size_t bytes, bool is_write, const char* who) {
    Streams& of = streams();
    const std::lock_guard lock(of.mutex);
    for (const HostMemory& memory : of.host_memory) {
        if (address >= memory.end || address + bytes <= memory.begin) continue;
        if (!is_write && !memory.is_written) continue;  // both read
        set_fault(fmt::format(
            "a {} by {} in page-locked memory that cudaMemcpyAsync {} meanwhile. "
            "Usual cause: cudaMemcpyAsync does not wait for the copy: the CPU has to "
            "(cudaStreamSynchronize), or use the memory in a function that the stream calls "
            "(cudaLaunchHostFunc)",
            access_name(bytes, is_write), who, memory.is_written ? "writes" : "reads"));
        return;
    }
}

}  // namespace emulation

/// Checks memory that MPI reads or writes. The compiler does not instrument MPI's code, so
/// harness/src/ranks calls this function.
extern "C" void emulation_host_uses(const void* data, std::size_t bytes, bool is_write) {
    if (!emulation::copies_host_memory()) return;
    emulation::check_host_memory(reinterpret_cast<std::uintptr_t>(data), bytes, is_write, "MPI");
}

cudaError_t cudaDeviceSynchronize() {
    emulation::wait_for_all_streams();
    return cudaPeekAtLastError();
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return emulation::make_stream(stream, true);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return emulation::make_stream(stream, flags != cudaStreamNonBlocking);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
    return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    if (stream == nullptr) return cudaSuccess;
    emulation::Streams& of = emulation::streams();
    const std::lock_guard lock(of.mutex);
    emulation::Stream& mine = of.all[stream->index];
    if (stream->waits_for_default) emulation::merge(of.all.front().before, mine.before);
    mine.handle = nullptr;
    --emulation::live_streams;
    delete stream;  // NOLINT: made by make_stream
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    emulation::wait_for_stream(stream);
    return cudaPeekAtLastError();
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    emulation::Streams& of = emulation::streams();
    const std::lock_guard lock(of.mutex);
    emulation::merge(emulation::clock_of(of, stream), event->before);
    return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void* data) {
    emulation::is_in_host_function = true;
    function(data);
    emulation::is_in_host_function = false;
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    *event = new CUevent_st;  // NOLINT: cudaEventDestroy deletes it
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
    return cudaEventCreate(event);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    delete event;  // NOLINT: made by cudaEventCreate
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    emulation::Streams& of = emulation::streams();
    const std::lock_guard lock(of.mutex);
    event->recorded = std::chrono::steady_clock::now();
    event->before = emulation::clock_of(of, stream);
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    emulation::Streams& of = emulation::streams();
    const std::lock_guard lock(of.mutex);
    emulation::host_waits(of, event->before);
    return cudaPeekAtLastError();
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t stop) {
    *ms = std::chrono::duration<float, std::milli>(stop->recorded - start->recorded).count();
    return cudaSuccess;
}
