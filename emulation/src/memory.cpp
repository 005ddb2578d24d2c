#include "memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstdlib>
#include <deque>
#include <iterator>
#include <map>
#include <mutex>

namespace emulation {
namespace {

constexpr std::size_t alignment = 512;
constexpr std::size_t guard = 1 << 20;  // between allocations; needs addresses, but no memory

struct Allocation {
    std::size_t bytes;
    std::size_t width;  ///< of an image's rows, or 0
    std::size_t pitch;
    const char* name;  ///< of a `__device__` variable, or ""
};

struct Freed {
    std::size_t bytes;
    std::uint64_t copies;  ///< before
};

struct Heap {
    std::mutex mutex;
    std::map<std::uintptr_t, Allocation> used;
    std::map<std::uintptr_t, Freed> freed;  ///< for messages
    std::deque<std::uintptr_t> freed_last;  ///< not used again yet, to find accesses to it
    std::size_t used_bytes = 0;
    std::uint64_t copies = 0;
};

Heap& heap() {
    static Heap all;
    return all;
}

std::size_t rounded_up(std::size_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
}

/// The first place that is large enough: pages that have been used need not be made again.
std::uintptr_t find_place(const Heap& all, std::size_t bytes, std::uintptr_t from) {
    std::map<std::uintptr_t, std::size_t> taken;
    for (const auto& [begin, allocation] : all.used) taken[begin] = allocation.bytes;
    for (const std::uintptr_t begin : all.freed_last) taken[begin] = all.freed.at(begin).bytes;
    std::uintptr_t at = from + guard;
    for (auto next = taken.lower_bound(from); next != taken.end(); ++next) {
        if (at + bytes + guard <= next->first) return at;
        at = std::max(at, next->first + rounded_up(next->second) + guard);
    }
    return at + bytes + guard <= memory_begin + global_bytes ? at : 0;
}

/// Keeps what has been freed, if it is small, from being allocated again at once.
void set_aside(Heap& all, std::uintptr_t begin, std::size_t bytes) {
    constexpr std::size_t most_bytes = 64 << 10;
    constexpr std::size_t most = 8;
    all.freed[begin] = {bytes, all.copies};
    if (bytes > most_bytes) return;
    all.freed_last.push_back(begin);
    if (all.freed_last.size() > most) all.freed_last.pop_front();
}

/// The allocation that an address belongs to, or the end.
auto allocation_at(const Heap& all, std::uintptr_t address) {
    const auto after = all.used.upper_bound(address);
    if (after == all.used.begin()) return all.used.end();
    const auto found = std::prev(after);
    return address < found->first + found->second.bytes ? found : all.used.end();
}

void set_states(std::uintptr_t begin, const Allocation& allocation) {
    unsigned char* state = states() + (begin - memory_begin);
    std::fill_n(state, allocation.bytes, static_cast<unsigned char>(allocated));
    if (allocation.pitch == 0) return;
    for (std::size_t i = 0; i < allocation.bytes; ++i) {
        if (i % allocation.pitch >= allocation.width) state[i] |= padding;
    }
}

/// Gives pages back to the system; they read as zeros when they are next touched.
void give_back(std::uintptr_t begin, std::size_t bytes) {
    constexpr std::uintptr_t page = 4096;
    const std::uintptr_t first = (begin + page - 1) / page * page;
    const std::uintptr_t last = (begin + bytes) / page * page;
    if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

/// Nobody's bytes again. Records of accesses may stay, as they name their launch.
void forget(std::uintptr_t begin, std::size_t bytes) {
    constexpr std::size_t worth_giving_back = 64 << 20;
    const std::uintptr_t offset = begin - memory_begin;
    std::fill_n(states() + offset, bytes, static_cast<unsigned char>(0));
    if (bytes < worth_giving_back) return;
    give_back(begin, bytes);
    give_back(global_writes_begin + offset * 4, bytes * 4);
    give_back(global_reads_begin + offset * 4, bytes * 4);
}

std::string in_image(const Allocation& image, std::ptrdiff_t offset) {
    const auto pitch = static_cast<std::ptrdiff_t>(image.pitch);
    const auto width = static_cast<std::ptrdiff_t>(image.width);
    const std::ptrdiff_t rows = static_cast<std::ptrdiff_t>(image.bytes) / pitch;
    const std::string of = fmt::format(" of an image of {} rows of {} bytes", rows, width);
    if (offset < 0) return fmt::format("{} bytes before the first row{}", -offset, of);
    const std::ptrdiff_t row = offset / pitch;
    const std::ptrdiff_t byte = offset % pitch;
    if (row >= rows) return fmt::format("row {}, which does not exist,{}", row, of);
    if (byte < width) return fmt::format("row {}, byte {},{}", row, byte, of);
    return fmt::format("row {}, {} bytes past its end,{}", row, byte - width + 1, of);
}

std::string in_memory(const Allocation& allocation, std::ptrdiff_t offset) {
    if (allocation.pitch > 0) return in_image(allocation, offset);
    const auto bytes = static_cast<std::ptrdiff_t>(allocation.bytes);
    const std::string of = *allocation.name != '\0'
                               ? fmt::format(" of the __device__ variable {}, which has {} bytes",
                                             allocation.name, bytes)
                               : fmt::format(" of {} bytes from cudaMalloc", bytes);
    if (offset < 0) return fmt::format("{} bytes before the begin{}", -offset, of);
    if (offset < bytes) return fmt::format("byte {}{}", offset, of);
    return fmt::format("{} bytes past the end{}", offset - bytes + 1, of);
}

}  // namespace

void reserve_memory() {
    static const bool reserved = [] {
        void* wanted = reinterpret_cast<void*>(memory_begin);
        const void* got =
            mmap(wanted, all_end - memory_begin, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (got != wanted) {
            fmt::print(stderr, "emulation: cannot reserve {} GiB of addresses\n",
                       (all_end - memory_begin) >> 30);
            std::abort();
        }
        madvise(wanted, all_end - memory_begin, MADV_DONTDUMP);
        return true;
    }();
    static_cast<void>(reserved);
}

void* allocate(std::size_t bytes, std::size_t width, std::size_t pitch, const char* name) {
    reserve_memory();
    Heap& all = heap();
    const std::lock_guard lock(all.mutex);
    if (bytes > device_bytes - all.used_bytes) return nullptr;
    const bool is_variable = *name != '\0';
    const std::uintptr_t at = find_place(all, bytes, is_variable ? variables_begin : memory_begin);
    if (at == 0) return nullptr;
    const Allocation allocation{bytes, width, pitch, name};
    all.used.emplace(at, allocation);
    all.used_bytes += bytes;
    set_states(at, allocation);
    return reinterpret_cast<void*>(at);
}

bool release(void* data) {
    Heap& all = heap();
    const std::lock_guard lock(all.mutex);
    const auto found = all.used.find(reinterpret_cast<std::uintptr_t>(data));
    if (found == all.used.end() || *found->second.name != '\0') return false;
    forget(found->first, found->second.bytes);
    set_aside(all, found->first, found->second.bytes);
    all.used_bytes -= found->second.bytes;
    all.used.erase(found);
    return true;
}

std::size_t free_bytes() {
    Heap& all = heap();
    const std::lock_guard lock(all.mutex);
    return device_bytes - all.used_bytes;
}

std::string describe_global(std::uintptr_t address) {
    Heap& all = heap();
    const std::lock_guard lock(all.mutex);
    const auto offset_from = [&](std::uintptr_t begin) {
        return static_cast<std::ptrdiff_t>(address) - static_cast<std::ptrdiff_t>(begin);
    };
    const auto after = all.used.upper_bound(address);
    if (after != all.used.begin()) {
        const auto& [begin, allocation] = *std::prev(after);
        if (address < begin + allocation.bytes + guard) {
            return in_memory(allocation, offset_from(begin));
        }
    }
    const auto freed = all.freed.upper_bound(address);
    if (freed != all.freed.begin()) {
        const auto& [begin, memory] = *std::prev(freed);
        if (address < begin + memory.bytes) {
            return memory.copies == all.copies ? freed_lately : freed_memory;
        }
    }
    if (after != all.used.end() && after->first - address < guard) {
        return in_memory(after->second, offset_from(after->first));
    }
    return fmt::format("address {:#x}, where nothing was allocated", address);
}

std::uintptr_t allocation_of(std::uintptr_t address) {
    Heap& all = heap();
    const std::lock_guard lock(all.mutex);
    const auto found = allocation_at(all, address);
    return found == all.used.end() ? 0 : found->first;
}

std::optional<Image> image_at(std::uintptr_t address) {
    Heap& all = heap();
    const std::lock_guard lock(all.mutex);
    const auto found = allocation_at(all, address);
    if (found == all.used.end() || found->second.width == 0) return std::nullopt;
    const Allocation& image = found->second;
    return Image{found->first, image.bytes, image.width, image.pitch};
}

void note_copy() {
    Heap& all = heap();
    const std::lock_guard lock(all.mutex);
    ++all.copies;
}

void mark_written(const void* data, std::size_t bytes) {
    const auto offset = reinterpret_cast<std::uintptr_t>(data) - memory_begin;
    if (offset >= global_bytes) return;
    unsigned char* state = states() + offset;
    for (std::size_t i = 0; i < bytes; ++i) state[i] |= written;
}

}  // namespace emulation
