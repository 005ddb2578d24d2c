// Operations of a whole warp: each lane leaves its part, and the lane that comes last computes the
// results of all lanes.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "block.hpp"
#include "counting.hpp"
#include "matrix.hpp"

namespace emulation {
namespace {

/// The lanes of an operation, those of them that there are.
using Lanes = std::array<LanePart*, warp_size>;

Thread& thread_of(Block& block, const Thread& sibling, unsigned lane) {
    return block.threads[sibling.warp() * warp_size + lane];
}

void shuffle_lanes(const Lanes& lanes) {
    std::array<std::uint64_t, warp_size> given{};
    for (unsigned i = 0; i < warp_size; ++i) {
        if (lanes[i] != nullptr) given[i] = lanes[i]->value[0];
    }
    for (LanePart* lane : lanes) {
        if (lane != nullptr) lane->value[0] = given[lane->source];
    }
}

std::uint64_t reduced(WarpOperation operation, const LanePart& part, std::uint64_t a,
                      std::uint64_t b) {
    if (operation == WarpOperation::add) return a + b;
    const bool less =
        part.is_signed ? static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b) : a < b;
    return (operation == WarpOperation::min) == less ? a : b;
}

std::uint64_t combined(WarpOperation operation, const Lanes& lanes) {
    std::uint64_t ballot = 0;
    std::uint64_t expected = 0;
    std::uint64_t result = 0;
    for (unsigned i = 0; i < warp_size; ++i) {
        if (lanes[i] == nullptr) continue;
        const std::uint64_t value = lanes[i]->value[0];
        result = expected == 0 ? value : reduced(operation, *lanes[i], result, value);
        ballot |= std::uint64_t{value != 0} << i;
        expected |= std::uint64_t{1} << i;
    }
    if (operation == WarpOperation::ballot) return ballot;
    if (operation == WarpOperation::any) return ballot != 0 ? 1 : 0;
    if (operation == WarpOperation::all) return ballot == expected ? 1 : 0;
    return result;
}

void perform(WarpOperation operation, const Lanes& lanes) {
    switch (operation) {
        case WarpOperation::sync:
            return;
        case WarpOperation::shuffle:
            return shuffle_lanes(lanes);
        case WarpOperation::matrix:
            return multiply_matrices(lanes);
        default:
            break;
    }
    const std::uint64_t result = combined(operation, lanes);
    for (LanePart* lane : lanes) {
        if (lane != nullptr) lane->value[0] = result;
    }
}

/// A lane that takes a value from a lane that gives none gets something undefined.
Fault missing_source(const Block& block, const Thread& thread, unsigned mask, unsigned source) {
    const unsigned live = block.warps[thread.warp()].live;
    Fault fault;
    fault.what = fmt::format(
        "shuffle from a lane that is not there: lane {} takes the value of "
        "lane {}",
        thread.lane(), source);
    fault.where = (live >> (source % warp_size) & 1) == 0
                      ? "that lane has returned, or the block has no such thread"
                      : fmt::format("the mask {:#x} does not name it", mask);
    fault.cause =
        "all lanes of the mask have to call the shuffle; a branch or an early return "
        "around it leaves some out";
    return fault;
}

/// Before the lane waits for the others.
void require_source(const Block& block, const Thread& thread, unsigned mask, unsigned source) {
    const unsigned live = block.warps[thread.warp()].live;
    if (source < warp_size && (mask & live) >> source & 1) return;
    raise(missing_source(block, thread, mask, source));
}

/// A lane that was there when another one began to wait for its value may have returned since.
void require_sources(Block& block, const Thread& last, unsigned mask, const Lanes& lanes) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if (lanes[lane] == nullptr || lanes[lanes[lane]->source] != nullptr) continue;
        Thread& waits = thread_of(block, last, lane);
        Fault fault = missing_source(block, waits, mask, lanes[lane]->source);
        fault.stack = call_stack(long_address(waits.waits_at), waits.waits_in, waits.stack_end);
        current_thread = &waits;  // the fault is its own
        raise(std::move(fault));
    }
}

/// The last lane has come: everybody gets the result and goes on.
void complete(Block& block, Thread& last, const PendingOperation& pending) {
    Lanes lanes{};
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((pending.arrived >> lane & 1) != 0) lanes[lane] = thread_of(block, last, lane).part;
    }
    if (pending.operation == WarpOperation::shuffle) {
        require_sources(block, last, pending.mask, lanes);
    }
    perform(pending.operation, lanes);
    if (is_counting()) {
        current_worker->recorder->warp_operation(block, last.warp(), pending.arrived);
    }
    if (pending.operation == WarpOperation::sync) ++block.warps[last.warp()].epoch;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if (lanes[lane] == nullptr) continue;
        Thread& thread = thread_of(block, last, lane);
        if (thread.state == ThreadState::in_warp) block.make_ready(thread);
    }
}

}  // namespace

void warp_operation(WarpOperation operation, unsigned mask, LanePart& part) {
    Thread& thread = *current_thread;
    Block& block = *thread.block;
    Warp& warp = block.warps[thread.warp()];
    const unsigned own = 1u << thread.lane();
    if ((mask & own) == 0) {
        Fault fault;
        fault.what = fmt::format("warp operation by lane {}, which its mask {:#x} does not name",
                                 thread.lane(), mask);
        fault.cause = "the mask has to name every lane that calls the function";
        raise(std::move(fault));
    }
    if (operation == WarpOperation::shuffle) require_source(block, thread, mask, part.source);
    thread.part = &part;
    thread.waits_at = short_address(__builtin_return_address(0));
    thread.waits_in = caller_frame(__builtin_frame_address(0));
    auto pending = std::find_if(warp.pending.begin(), warp.pending.end(), [&](const auto& other) {
        return other.operation == operation && other.mask == mask;
    });
    if (pending == warp.pending.end()) {
        pending = warp.pending.insert(pending, {operation, mask, 0});
    }
    pending->arrived |= own;
    const unsigned needed = mask & warp.live;
    if ((pending->arrived & needed) == needed) {
        const PendingOperation done = *pending;
        warp.pending.erase(pending);
        complete(block, thread, done);
        return;
    }
    thread.state = ThreadState::in_warp;
    switch_away();
}

void leave_warp(Block& block, Thread& thread) {
    Warp& warp = block.warps[thread.warp()];
    warp.live &= ~(1u << thread.lane());
    for (std::size_t i = 0; i < warp.pending.size();) {
        const PendingOperation pending = warp.pending[i];
        const unsigned needed = pending.mask & warp.live;
        if ((pending.arrived & needed) == needed) {
            warp.pending.erase(warp.pending.begin() + static_cast<std::ptrdiff_t>(i));
            complete(block, thread, pending);
        } else {
            ++i;
        }
    }
}

unsigned lane_id() {
    return current_thread->lane();
}

unsigned active_mask() {
    return current_thread->block->warps[current_thread->warp()].live;
}

}  // namespace emulation
