// Accesses to global memory: bounds, memory never written, races between the blocks of a launch.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "access.hpp"
#include "errors.hpp"

namespace emulation {
namespace {

constexpr std::uint64_t ordinary = allocated | written;
constexpr std::uint64_t each_byte = 0x0101010101010101;

constexpr std::uint64_t is_atomic = 16;

/// Launch (from bit 40 on), block (from bit 8), whether atomic (bit 4), bytes of the word.
std::uint64_t key_of(const Worker& worker, const Thread& thread, Kind kind) {
    return worker.launch << 40 | std::uint64_t{thread.block->race_domain} << 8 |
           (kind == Kind::atomic ? is_atomic : 0);
}

std::uint64_t load(const std::uint64_t& word) {
    return __atomic_load_n(&word, __ATOMIC_RELAXED);
}
void store(std::uint64_t& word, std::uint64_t value) {
    __atomic_store_n(&word, value, __ATOMIC_RELAXED);
}

template <class Word>
bool is_ordinary(const unsigned char* state) {
    Word word;
    std::memcpy(&word, state, sizeof word);
    return word == static_cast<Word>(ordinary * each_byte);
}

inline bool all_ordinary(const unsigned char* state, std::size_t bytes) {
    switch (bytes) {
        case 1:
            return is_ordinary<std::uint8_t>(state);
        case 2:
            return is_ordinary<std::uint16_t>(state);
        case 4:
            return is_ordinary<std::uint32_t>(state);
        case 8:
            return is_ordinary<std::uint64_t>(state);
        default:
            return std::all_of(state, state + bytes, [](auto byte) { return byte == ordinary; });
    }
}

/// True if the thread's row, or its line, is that of the address in an image whose rows have no
/// padding. Where rows are addressed with their padding, the end of the thread's row belongs to a
/// later row.
bool lacks_pitch(const Image& image, std::size_t at) {
    const Thread& thread = *current_thread;
    const Block& block = *thread.block;
    const dim3 size = block.configuration->block;
    const std::size_t row = at / image.width;
    const std::size_t lines = std::size_t{block.number} * block.count + thread.number;
    return row > 0 && (row == std::size_t{block.index.y} * size.y + thread.index.y || row == lines);
}

/// A thread of a launch, as the records of accesses have it.
struct User {
    std::uint64_t block;  ///< key >> 8
    std::uint64_t thread;

    static User current() {
        return {key_of(*current_worker, *current_thread, Kind::plain) >> 8, current_thread->number};
    }
    static User of(const GlobalAccess& one) { return {load(one.key) >> 8, load(one.detail) >> 32}; }
    bool operator==(const User&) const = default;
};

/// True if the last access of a byte was by this thread, in this launch.
bool is_last_user(const User& user, std::uintptr_t offset) {
    return User::of(global_reads()[offset / 4]) == user ||
           User::of(global_writes()[offset / 4]) == user;
}

/// True if the thread goes down a column, and has come from the element `step` bytes before.
bool comes_from(std::uintptr_t offset, std::size_t at, std::size_t step, std::size_t bytes) {
    const User own = User::current();
    return step > bytes && at >= step && is_last_user(own, offset - step) &&
           !is_last_user(own, offset - bytes);
}

/// The wrong distance of rows, or "".
std::string wrong_distance(std::uintptr_t offset, std::size_t bytes) {
    const auto image = image_at(memory_begin + offset);
    if (!image) return "";
    const std::size_t at = memory_begin + offset - image->begin;
    if (lacks_pitch(*image, at)) {
        return "rows are addressed as if they had no padding: row y begins y * pitch values after "
               "row 0, not y * width";
    }
    if (comes_from(offset, at, image->width, bytes)) {
        return "the step from one row to the next is the width: rows have padding, and lie pitch "
               "values apart";
    }
    return "";
}

std::string usual_cause(std::uintptr_t offset, std::size_t bytes, const std::string& where) {
    if (where == freed_memory) {
        return "a pointer of an earlier call is kept, in a static variable or in a texture object";
    }
    if (where == freed_lately) {
        return "two images are in one slot of scratch memory: when the slot is asked for more "
               "bytes, what it returned before is freed";
    }
    if ((states()[offset] & padding) != 0) {
        if (std::string cause = wrong_distance(offset, bytes); !cause.empty()) return cause;
    }
    const std::string index =
        "no test that the thread's pixel, or its neighbour, is inside the image";
    if (bytes > 1 && where.ends_with("bytes from cudaMalloc")) {
        return index + "; or the allocation has as many bytes as values are needed (sizeof)";
    }
    return index + "; or a pitch counted in other units than the pointer";
}

[[noreturn]] void out_of_bounds(std::uintptr_t offset, std::size_t bytes, bool is_write) {
    Fault fault;
    fault.what = "out of bounds: a " + access_name(bytes, is_write) + " of global memory";
    fault.where = describe_global(memory_begin + offset);
    fault.cause = usual_cause(offset, bytes, fault.where);
    raise(std::move(fault));
}

/// Padding may be read in the same 16 bytes as the end of the row, where a wide load finds it.
bool belongs_to_wide_load(std::uintptr_t offset, std::size_t bytes) {
    constexpr std::uintptr_t widest = 16;
    return bytes > 1 && (states()[offset / widest * widest] & padding) == 0;
}

void check_readable(std::uintptr_t offset, std::size_t bytes) {
    const unsigned char* state = states() + offset;
    for (std::size_t i = 0; i < bytes; ++i) {
        if ((state[i] & allocated) == 0) out_of_bounds(offset + i, bytes, false);
    }
    if ((state[0] & padding) != 0 && !belongs_to_wide_load(offset, bytes)) {
        out_of_bounds(offset, bytes, false);
    }
    for (std::size_t i = 0; i < bytes; ++i) {
        if ((state[i] & (written | padding)) != 0) continue;
        Fault fault;
        fault.what =
            "memory never written is read: a " + access_name(bytes, false) + " of global memory";
        fault.where = describe_global(memory_begin + offset + i);
        fault.cause =
            "cudaMalloc does not set memory to zero; a cudaMemset is missing, or the "
            "kernel that should write it has left something out";
        raise(std::move(fault));
    }
}

void check_writable(std::uintptr_t offset, std::size_t bytes) {
    unsigned char* state = states() + offset;
    for (std::size_t i = 0; i < bytes; ++i) {
        if ((state[i] & allocated) == 0 || (state[i] & padding) != 0) {
            out_of_bounds(offset + i, bytes, true);
        }
    }
    std::memset(state, static_cast<int>(ordinary), bytes);
}

/// True if two arguments of the launch have an address in them, the same, of this allocation.
bool has_address_twice(std::uintptr_t allocation) {
    std::vector<std::uint64_t> found;
    for (const HostBytes& argument : current_worker->kernel->arguments.subspan(2)) {
        std::vector<std::uint64_t> words(argument.size / sizeof(std::uint64_t));
        std::memcpy(words.data(), argument.begin, words.size() * sizeof(std::uint64_t));
        for (const std::uint64_t word : words) {
            if (word - memory_begin >= global_bytes || allocation_of(word) != allocation) continue;
            if (std::ranges::find(found, word) != found.end()) return true;
            found.push_back(word);
        }
    }
    return false;
}

/// True if the thread has stored in the same column, but not in the row before: its loop takes
/// steps of several rows.
bool leaves_out_rows(const User& user, std::uintptr_t offset) {
    const auto image = image_at(memory_begin + offset);
    if (!image) return false;
    std::size_t at = memory_begin + offset - image->begin;
    std::size_t rows = 0;
    while (at >= image->pitch) {
        at -= image->pitch;
        ++rows;
        if (User::of(global_writes()[(image->begin - memory_begin + at) / 4]) == user) {
            return rows > 1;
        }
    }
    return false;
}

/// `both_store`: neither block reads the element, so they do not add up their results.
std::string cause_of_race(std::uintptr_t offset, bool both_store, const User& other) {
    if (has_address_twice(allocation_of(memory_begin + offset))) {
        return "two arguments of the launch are the same address: input and output share memory, "
               "as two images do that are in one slot of scratch memory";
    }
    if (both_store &&
        (leaves_out_rows(other, offset) || leaves_out_rows(User::current(), offset))) {
        return "the step of a loop is smaller than what all threads take at once: gridDim * "
               "blockDim, in each direction that the index has";
    }
    if (both_store) {
        return "several blocks compute the same element: the index of a thread, or the step of its "
               "loop, lacks a part, such as blockIdx, blockDim or gridDim";
    }
    return "blocks run in any order; use an atomic function, or let a second launch do what needs "
           "the other blocks' results";
}

/// A fault, unless a flag may have put the accesses in order.
void race(std::uintptr_t offset, std::size_t bytes, bool is_write, const GlobalAccess& other,
          bool other_writes) {
    const auto block = static_cast<unsigned>(other.key >> 8);
    const Block& mine = *current_thread->block;
    if (mine.has_looked && has_fenced(current_worker->launch, block)) return;
    const dim3 grid = mine.configuration->grid;
    const uint3 index{block % grid.x, block / grid.x % grid.y, block / grid.x / grid.y};
    Fault fault;
    fault.what = "race between blocks: a " + access_name(bytes, is_write) + " of global memory";
    fault.where = describe_global(memory_begin + offset);
    fault.other =
        fmt::format("{} by thread {} of block {} in {} of the same launch",
                    other_writes ? "written" : "read", other.detail >> 32, to_string(index),
                    source_line(long_address(static_cast<std::uint32_t>(other.detail))));
    fault.cause = cause_of_race(offset, is_write && other_writes && (other.key & is_atomic) == 0,
                                User::of(other));
    raise(std::move(fault));
}

/// True if a record is of another block of this launch and of one of these bytes. Two atomic
/// accesses do not race.
bool conflicts(std::uint64_t record, std::uint64_t own, std::uint64_t bytes) {
    const std::uint64_t difference = record ^ own;
    return difference >> 40 == 0 && difference >> 8 != 0 && (record & bytes) != 0 &&
           (record & own & is_atomic) == 0;
}

void keep(GlobalAccess& record, std::uint64_t seen, std::uint64_t own, std::uint64_t bytes,
          const void* code) {
    // After a plain access of the same block, an atomic one says nothing new.
    const bool after_plain = (seen ^ own) >> 8 == 0 && (seen & is_atomic) == 0;
    if (after_plain) own &= ~is_atomic;
    const bool same = (seen ^ own) >> 4 == 0;
    const std::uint64_t wanted = own | bytes | (same ? seen & 15 : 0);
    if (seen == wanted) return;
    store(record.key, wanted);
    store(record.detail, std::uint64_t{current_thread->number} << 32 | short_address(code));
}

/// A fault if work in another stream, which a GPU may do at the same time, has accessed these
/// bytes, and one of both writes.
void check_streams(const GlobalAccess& record, bool record_writes, std::uintptr_t offset,
                   std::size_t bytes, bool is_write, std::uint64_t own, std::uint64_t mask) {
    const WorkNumbers& others = *current_worker->in_other_streams;
    const std::uint64_t key = load(record.key);
    if ((key & mask) == 0 || (key & own & is_atomic) != 0) return;
    if (std::ranges::find(others, key >> 40) == others.end()) return;
    Fault fault;
    fault.what = "race between streams: a " + access_name(bytes, is_write) + " of global memory";
    fault.where = describe_global(memory_begin + offset);
    fault.other = other_stream(key >> 40, record_writes);
    fault.cause = race_of_streams;
    raise(std::move(fault));
}

}  // namespace

std::string access_name(std::size_t bytes, bool is_write) {
    return fmt::format("{}-byte {}", bytes, is_write ? "store" : "load");
}

void read_global(std::uintptr_t offset, std::size_t bytes, const void* code, Kind kind) {
    if (!all_ordinary(states() + offset, bytes)) check_readable(offset, bytes);
    const std::uint64_t own = key_of(*current_worker, *current_thread, kind);
    if (kind == Kind::atomic) current_thread->block->has_looked = true;
    const bool has_others = !current_worker->in_other_streams->empty();
    for_each_word(offset, bytes, [&](std::uintptr_t word, std::uint64_t mask) {
        const GlobalAccess& write = global_writes()[word];
        if (has_others) check_streams(write, true, offset, bytes, false, own, mask);
        if (conflicts(load(write.key), own, mask)) race(offset, bytes, false, write, true);
        // Another block's read is worth more than one's own, which a write will not conflict with;
        // and a plain one more than an atomic one, which an atomic write will not conflict with.
        GlobalAccess& read = global_reads()[word];
        const std::uint64_t seen = load(read.key);
        const bool only_atomic = (seen & ~own & is_atomic) != 0;
        if (only_atomic || !conflicts(seen, own, mask)) keep(read, seen, own, mask, code);
    });
}

void write_global(std::uintptr_t offset, std::size_t bytes, const void* code, Kind kind) {
    if (!all_ordinary(states() + offset, bytes)) check_writable(offset, bytes);
    const std::uint64_t own = key_of(*current_worker, *current_thread, kind);
    if (kind == Kind::atomic) current_thread->block->has_looked = true;
    const bool has_others = !current_worker->in_other_streams->empty();
    for_each_word(offset, bytes, [&](std::uintptr_t word, std::uint64_t mask) {
        GlobalAccess& write = global_writes()[word];
        if (has_others) {
            check_streams(write, true, offset, bytes, true, own, mask);
            check_streams(global_reads()[word], false, offset, bytes, true, own, mask);
        }
        const std::uint64_t seen = load(write.key);
        if (conflicts(seen, own, mask)) race(offset, bytes, true, write, true);
        const GlobalAccess& read = global_reads()[word];
        if (conflicts(load(read.key), own, mask)) race(offset, bytes, true, read, false);
        keep(write, seen, own, mask, code);
    });
}

void host_access(std::uintptr_t address, std::size_t bytes, bool is_write) {
    set_fault("a " + access_name(bytes, is_write) + " of GPU memory by code of the CPU; at " +
              (is_constant(address) ? "a __constant__ variable" : describe_global(address)) +
              ". Usual cause: a pointer from cudaMalloc, or a __device__ variable, is used "
              "outside of kernels; cudaMemcpy, or cudaMemcpyFromSymbol, brings the values");
}

}  // namespace emulation
