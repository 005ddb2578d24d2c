// Accesses to the shared memory of blocks: bounds, memory never written, races between barriers.

#include <fmt/format.h>

#include <utility>

#include "access.hpp"

namespace emulation {
namespace {

struct SharedPlace {
    Block* block;
    std::size_t in_block;
};

/// The block that owns the shared memory: this one, or another block of the cluster.
inline SharedPlace shared_place_of(std::uintptr_t offset) {
    Block& own = *current_thread->block;
    const std::size_t slot = (offset - global_bytes) / shared_stride;
    // Too large for any block, if the address is before the block's memory.
    const std::size_t in_block = (offset - global_bytes) % shared_stride - shared_lead;
    if (slot == own.slot) return {&own, in_block};
    const Group& group = *own.group;
    const std::size_t first = group.blocks.front()->slot;
    if (slot >= first && slot - first < group.count) {
        return {group.blocks[slot - first].get(), in_block};
    }
    return {nullptr, in_block};
}

std::string cause_of_shared_bounds(std::uintptr_t offset) {
    const Block& block = *current_thread->block;
    if (memory_begin + offset < reinterpret_cast<std::uintptr_t>(block.shared())) {
        return "an index below 0: the width of the halo is not added to the thread's place in the "
               "tile";
    }
    const dim3 threads = block.configuration->block;
    return fmt::format(
        "the launch gives fewer bytes of dynamic shared memory, {}, than the kernel uses with a "
        "block of {}x{} threads, or an index goes past the tile",
        block.configuration->shared_bytes, threads.x, threads.y);
}

[[noreturn]] void out_of_shared_bounds(std::uintptr_t offset, std::size_t bytes, bool is_write) {
    Fault fault;
    fault.what = "out of bounds: a " + access_name(bytes, is_write) + " of shared memory";
    fault.where = describe_shared(*current_thread->block, memory_begin + offset);
    fault.cause = cause_of_shared_bounds(offset);
    raise(std::move(fault));
}

inline std::uint16_t number_of(const Thread& thread) {
    return static_cast<std::uint16_t>(thread.block->rank * 1024 + thread.number);
}

/// True if nothing puts a record's access before one of this thread: no barrier since, and no
/// __syncwarp in the same warp.
inline bool concurrent(const SharedAccess& record, const Thread& thread, const Block& block) {
    if (record.epoch != block.epoch) return false;
    const unsigned own = number_of(thread);
    if (record.thread == own) return false;
    const bool same_warp = record.thread / warp_size == own / warp_size;
    return !same_warp || record.warp_epoch == thread.block->warps[thread.warp()].epoch;
}

[[noreturn]] void race(std::uintptr_t offset, std::size_t bytes, bool is_write,
                       const SharedAccess& other, bool other_writes) {
    const Thread& thread = *current_thread;
    const Group& group = *thread.block->group;
    const Block& its_block = *group.blocks[other.thread / 1024u];
    const bool same_warp = other.thread / warp_size == number_of(thread) / warp_size;
    Fault fault;
    fault.is_race = true;
    fault.what = "race in shared memory: a " + access_name(bytes, is_write);
    fault.where = describe_shared(*thread.block, memory_begin + offset);
    fault.other = fmt::format(
        "{} by thread {} of the same {} in {}, with no {} between",
        other_writes ? "written" : "read", to_string(its_block.threads[other.thread % 1024u].index),
        &its_block == thread.block ? "block" : "cluster", source_line(long_address(other.code)),
        &its_block != thread.block ? "cluster.sync()"
        : same_warp                ? "__syncwarp() or __syncthreads()"
                                   : "__syncthreads()");
    fault.cause = is_write && !other_writes && !its_block.unwritten
                      ? "a barrier is missing before what others still read is written anew"
                      : "a barrier is missing between writing and reading, or an atomic function";
    raise(std::move(fault));
}

/// A thread reads what no thread has written yet. Another one may write it before the next barrier.
void read_of_unwritten(std::uintptr_t offset, std::size_t bytes) {
    Fault fault;
    fault.what =
        "memory never written is read: a " + access_name(bytes, false) + " of shared memory";
    fault.where = describe_shared(*current_thread->block, memory_begin + offset);
    fault.cause =
        "part of the tile is not loaded, shared memory is not set to zero, or the thread that "
        "is to write here has returned before or does not exist";
    raise_later(std::move(fault));
}

[[noreturn]] void read_of_copy(std::uintptr_t offset, std::size_t bytes, const SharedAccess& copy) {
    const Block& block = *current_thread->block;
    Fault fault;
    fault.what = "asynchronous copy not waited for: a " + access_name(bytes, false) +
                 " of shared memory that it writes";
    fault.where = describe_shared(block, memory_begin + offset);
    fault.other = fmt::format("copied in {}", source_line(long_address(copy.code)));
    fault.cause =
        "__pipeline_commit() or __pipeline_wait_prior() is missing between copy and load, or the "
        "load takes the buffer of another stage";
    raise(std::move(fault));
}

/// Another block's shared memory exists from the first barrier of the cluster until it exits.
void require_running(const Block& other, std::size_t bytes, bool is_write) {
    const bool has_exited = other.finished == other.count;
    if (!has_exited && other.group->phase > 0) return;
    Fault fault;
    fault.what = fmt::format("shared memory of a block that {}: a {}",
                             has_exited ? "has exited" : "may not have started",
                             access_name(bytes, is_write));
    fault.where = fmt::format("block {} of the cluster", other.rank);
    fault.cause = has_exited
                      ? "a cluster.sync() is missing after the last access to another block"
                      : "a cluster.sync() is missing before the first access to another block";
    raise(std::move(fault));
}

inline Block& checked_block(std::uintptr_t offset, std::size_t bytes, bool is_write) {
    const SharedPlace place = shared_place_of(offset);
    if (place.block == nullptr || place.in_block >= place.block->shared_used ||
        place.in_block + bytes > place.block->shared_used) {
        out_of_shared_bounds(offset, bytes, is_write);
    }
    if (place.block != current_thread->block) require_running(*place.block, bytes, is_write);
    return *place.block;
}

inline SharedAccess record_of(const Thread& thread, const Block& block, const void* code,
                              Kind kind) {
    return {block.epoch,          thread.block->warps[thread.warp()].epoch,
            short_address(code),  number_of(thread),
            kind == Kind::atomic, false,
            kind == Kind::copy};
}

/// Keeps one of several threads that read at the same time, which is not the last one. A plain load
/// is worth more than an atomic access, with which a later atomic access does not conflict.
inline void keep_read(SharedAccess& record, const SharedAccess& own, const Thread& thread,
                      const Block& block) {
    const bool same_thread = record.thread == own.thread && record.epoch == own.epoch &&
                             record.warp_epoch == own.warp_epoch;
    if (same_thread && !(record.is_atomic && !own.is_atomic)) return;
    if (concurrent(record, thread, block) && !(record.is_atomic && !own.is_atomic)) {
        if (record.is_atomic == own.is_atomic) record.is_of_several = true;
    } else {
        record = own;
    }
}

/// True if a write conflicts with the reads that a record stands for.
inline bool conflicts(const SharedAccess& read, const SharedAccess& own, const Thread& thread,
                      const Block& block) {
    if (read.is_atomic && own.is_atomic) return false;
    const bool own_and_others = read.is_of_several && read.thread == own.thread &&
                                read.epoch == own.epoch && read.warp_epoch == own.warp_epoch;
    return own_and_others || concurrent(read, thread, block);
}

}  // namespace

void read_shared(std::uintptr_t offset, std::size_t bytes, const void* code, Kind kind) {
    const Block& block = checked_block(offset, bytes, false);
    const Thread& thread = *current_thread;
    const SharedAccess own = record_of(thread, block, code, kind);
    const std::uintptr_t first = offset - global_bytes;
    for (std::size_t i = 0; i < bytes; ++i) {
        const SharedAccess& write = shared_writes()[first + i];
        if (write.epoch < block.first_epoch) {
            read_of_unwritten(offset + i, bytes);
        } else if (write.pending_copy) {
            read_of_copy(offset + i, bytes, write);
        }
        const bool both_atomic = write.is_atomic && own.is_atomic;
        if (!both_atomic && concurrent(write, thread, block)) {
            race(offset + i, bytes, false, write, true);
        }
        keep_read(shared_reads()[first + i], own, thread, block);
    }
}

void write_shared(std::uintptr_t offset, std::size_t bytes, const void* code, Kind kind) {
    const Block& block = checked_block(offset, bytes, true);
    const Thread& thread = *current_thread;
    const SharedAccess own = record_of(thread, block, code, kind);
    const std::uintptr_t first = offset - global_bytes;
    for (std::size_t i = 0; i < bytes; ++i) {
        SharedAccess& write = shared_writes()[first + i];
        if (!(write.is_atomic && own.is_atomic) && concurrent(write, thread, block)) {
            race(offset + i, bytes, true, write, true);
        }
        const SharedAccess& read = shared_reads()[first + i];
        if (conflicts(read, own, thread, block)) race(offset + i, bytes, true, read, false);
        write = own;
    }
}

}  // namespace emulation
