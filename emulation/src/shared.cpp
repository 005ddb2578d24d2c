// The shared memory of blocks: where each variable is, and copies that arrive later.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "access.hpp"

namespace emulation {
namespace {

constexpr std::size_t shared_alignment = 16;

/// The variable of that key in a block, made where a thread of the block first comes to it.
const SharedVariable& variable_in(Block& block, const SharedVariable& wanted) {
    for (const SharedVariable& known : block.variables) {
        if (known.key == wanted.key) return known;
    }
    SharedVariable fresh = wanted;
    fresh.offset = (block.shared_used + shared_alignment - 1) / shared_alignment * shared_alignment;
    if (fresh.offset + fresh.bytes > most_shared_bytes) {
        Fault fault;
        fault.what = fmt::format(
            "launch over the limits: the block uses {} bytes of shared "
            "memory, of which there are {}",
            fresh.offset + fresh.bytes, most_shared_bytes);
        raise(std::move(fault));
    }
    block.shared_used = fresh.offset + fresh.bytes;
    block.variables.push_back(fresh);
    return block.variables.back();
}

const SharedVariable* variable_at(const Block& block, std::size_t offset) {
    const SharedVariable* found = nullptr;
    for (const SharedVariable& variable : block.variables) {
        if (variable.offset <= offset && (!found || found->offset < variable.offset)) {
            found = &variable;
        }
    }
    return found;
}

/// An index below zero: the array that begins first is the nearest.
std::string before_shared(const Block& block, std::size_t distance) {
    if (distance > shared_lead) return "another block's shared memory";
    const SharedVariable* first = variable_at(block, 0);
    if (first == nullptr) return fmt::format("{} bytes before shared memory", distance);
    const std::size_t element = std::max<std::size_t>(first->element, 1);
    return fmt::format("{}[-{}], before the array, in shared memory", first->name,
                       (distance + element - 1) / element);
}

/// Elements of an array, one after the other.
struct Run {
    std::size_t first = 0;
    std::size_t count = 0;
};

/// Those that a thread has read since the last barrier, if they are one run.
Run read_by(const Block& block, const SharedVariable& array, unsigned thread) {
    const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(block.shared()) + array.offset;
    const SharedAccess* const reads = shared_reads() + (begin - memory_begin - global_bytes);
    Run run;
    for (std::size_t i = 0; i < array.bytes / array.element; ++i) {
        const SharedAccess& read = reads[i * array.element];
        if (read.epoch != block.epoch || read.thread != block.rank * 1024 + thread) continue;
        if (run.count > 0 && run.first + run.count != i) return {};
        if (run.count++ == 0) run.first = i;
    }
    return run;
}

/// True if the thread begins one element later in its part of the array than the thread before it
/// in its own, and goes on beyond that part.
bool is_rotated(const Block& block, const SharedVariable& array, std::size_t index) {
    const unsigned thread = current_thread->number;
    if (thread == 0 || array.element == 0) return false;
    const Run own = read_by(block, array, thread);
    const Run before = read_by(block, array, thread - 1);
    return own.count > 0 && own.first + own.count == index && before.count > own.count &&
           own.first - before.first == before.count + 1;
}

const char dynamic_key = 0;

/// A thread's part of a copy that has arrived.
void arrive(const AsyncCopy& copy) {
    const void* code = reinterpret_cast<const void*>(long_address(copy.code));
    const auto to = reinterpret_cast<std::uintptr_t>(copy.to);
    const auto from = reinterpret_cast<std::uintptr_t>(copy.from);
    if (copy.from_bytes > 0) on_read(from, copy.from_bytes, code, Kind::plain);
    on_write(to, copy.bytes, code, Kind::plain);
    std::memcpy(copy.to, copy.from, copy.from_bytes);
    std::memset(copy.to + copy.from_bytes, 0, copy.bytes - copy.from_bytes);
}

}  // namespace

void* shared_memory(const void* key, const char* name, std::size_t bytes, std::size_t element) {
    Block& block = *current_thread->block;
    return block.shared() + variable_in(block, {key, name, 0, bytes, element}).offset;
}

void* dynamic_shared_memory(const char* name, std::size_t element) {
    Block& block = *current_thread->block;
    const std::size_t bytes = block.configuration->shared_bytes;
    return block.shared() + variable_in(block, {&dynamic_key, name, 0, bytes, element}).offset;
}

void* shared_memory_of(const void* own, unsigned rank) {
    Block& block = *current_thread->block;
    const auto offset =
        static_cast<std::size_t>(static_cast<const unsigned char*>(own) - block.shared());
    const SharedVariable* variable = variable_at(block, offset);
    if (variable == nullptr || rank >= block.group->count) {
        Fault fault;
        fault.what = fmt::format("map_shared_rank of block {} in a cluster of {} blocks", rank,
                                 block.group->count);
        fault.cause =
            "ranks go from 0 to num_blocks() - 1, and the address has to be shared memory";
        raise(std::move(fault));
    }
    Block& other = *block.group->blocks[rank];
    return other.shared() + variable_in(other, *variable).offset + (offset - variable->offset);
}

std::string cause_of_index(std::size_t elements, std::size_t index) {
    const Block& block = *current_thread->block;
    for (const SharedVariable& array : block.variables) {
        if (array.bytes != elements * array.element || !is_rotated(block, array, index)) continue;
        return "each thread begins one element later in its part of the array than the thread "
               "before, and goes on into the next part: the index has to begin again, as in (i + "
               "thread) % n, where i + thread % n is i + (thread % n)";
    }
    return "a loop that runs too far, or a halo that the array has no room for";
}

std::string describe_shared(const Block& block, std::uintptr_t address) {
    const auto begin = reinterpret_cast<std::uintptr_t>(block.shared());
    if (address < begin) return before_shared(block, begin - address);
    if (address >= begin + shared_stride - shared_lead) return "another block's shared memory";
    const std::size_t offset = address - begin;
    const SharedVariable* variable = variable_at(block, offset);
    if (variable == nullptr) return fmt::format("byte {} of shared memory", offset);
    const std::size_t inside = offset - variable->offset;
    const std::size_t element = std::max<std::size_t>(variable->element, 1);
    std::string text = fmt::format("{}[{}]", variable->name, inside / element);
    if (inside % element != 0) text += fmt::format(" (its byte {})", inside % element);
    if (inside >= variable->bytes) {
        text += fmt::format(", where the array has {} elements", variable->bytes / element);
    }
    return text + ", in shared memory";
}

std::string describe(std::uintptr_t address) {
    const std::uintptr_t offset = address - memory_begin;
    if (offset < global_bytes) return describe_global(address);
    if (offset < memory_bytes) return describe_shared(*current_thread->block, address);
    return "local memory of the thread";
}

void copy_async(void* to, const void* from, unsigned bytes, unsigned from_bytes) {
    Thread& thread = *current_thread;
    const auto misaligned = [&](const void* at) {
        return reinterpret_cast<std::uintptr_t>(at) % bytes != 0;
    };
    if (misaligned(to) || (from_bytes > 0 && misaligned(from))) {
        const void* wrong = misaligned(to) ? to : from;
        Fault fault;
        fault.what = fmt::format("misaligned asynchronous copy of {} bytes", bytes);
        fault.where = describe(reinterpret_cast<std::uintptr_t>(wrong));
        fault.cause = "both addresses have to be multiples of the copy's size";
        raise(std::move(fault));
    }
    const void* code = __builtin_return_address(0);
    on_write(reinterpret_cast<std::uintptr_t>(to), bytes, code, Kind::copy);
    thread.copies.push_back({static_cast<unsigned char*>(to),
                             static_cast<const unsigned char*>(from), bytes, from_bytes,
                             thread.copy_groups, short_address(code)});
}

void commit_copies() {
    ++current_thread->copy_groups;
}

void wait_for_copies(unsigned groups_left) {
    Thread& thread = *current_thread;
    const auto is_done = [&](const AsyncCopy& copy) {
        return copy.group + groups_left < thread.copy_groups;
    };
    for (const AsyncCopy& copy : thread.copies) {
        if (is_done(copy)) arrive(copy);
    }
    std::erase_if(thread.copies, is_done);
}

unsigned block_rank() {
    return current_thread->block->rank;
}

unsigned blocks_in_cluster() {
    return current_thread->block->group->count;
}

bool is_cooperative() {
    return current_thread->block->configuration->cooperative;
}

}  // namespace emulation
