// Why the threads of a group wait for ever: a barrier, or a warp operation, that some do not reach.

#include <fmt/format.h>

#include <utility>

#include "block.hpp"

namespace emulation {
namespace {

std::string line_where(const Thread& thread) {
    return source_line(long_address(thread.waits_at));
}

bool waits(const Thread& thread) {
    return thread.state != ThreadState::finished && thread.state != ThreadState::ready;
}

/// Describes the state of a thread that another thread waits for.
std::string doing(const Thread& thread) {
    const std::string who = fmt::format("thread {} of block {}", to_string(thread.index),
                                        to_string(thread.block->index));
    switch (thread.state) {
        case ThreadState::finished:
            return who + " has returned";
        case ThreadState::at_barrier:
            return who + " waits at the __syncthreads() in " + line_where(thread);
        case ThreadState::in_warp:
            return who + " waits in the warp operation in " + line_where(thread);
        default:
            return who + " waits in " + line_where(thread);
    }
}

std::string name_of(ThreadState state) {
    if (state == ThreadState::in_warp) return "warp operation";
    if (state == ThreadState::at_group) return "barrier of the cluster or grid";
    return "__syncthreads()";
}

/// A thread of the group that is somewhere else than `thread`.
const Thread* elsewhere(const Group& group, const Thread& thread) {
    for (unsigned b = 0; b < group.count; ++b) {
        for (const Thread& other : group.blocks[b]->threads) {
            const bool concerned =
                thread.state == ThreadState::at_group || other.block == thread.block;
            const bool of_warp =
                thread.state != ThreadState::in_warp || other.warp() == thread.warp();
            const bool same =
                other.state == thread.state && line_where(other) == line_where(thread);
            if (concerned && of_warp && !same) return &other;
        }
    }
    return nullptr;
}

const Thread* first_waiting(const Group& group) {
    // A warp operation first: threads at a barrier may wait for its lanes.
    for (const bool in_warp : {true, false}) {
        for (unsigned b = 0; b < group.count; ++b) {
            for (const Thread& thread : group.blocks[b]->threads) {
                if (waits(thread) && (!in_warp || thread.state == ThreadState::in_warp)) {
                    return &thread;
                }
            }
        }
    }
    return nullptr;
}

}  // namespace

std::string waiting_warps(const Block& block) {
    constexpr int most = 4;
    std::string text;
    int shown = 0;
    for (unsigned w = 0; w < block.warps.size() && shown < most; ++w) {
        const Thread& first = block.threads[w * warp_size];
        if (&first == current_thread || first.state == ThreadState::ready) continue;
        text += (text.empty() ? "" : "; ") + doing(first);
        ++shown;
    }
    return text;
}

Fault stuck(Group& group) {
    Fault fault;
    const Thread* thread = first_waiting(group);
    if (thread == nullptr) return fault;
    const bool at_mbarrier = thread->state == ThreadState::at_mbarrier;
    const Thread* other = at_mbarrier ? nullptr : elsewhere(group, *thread);
    fault.what = at_mbarrier ? "an mbarrier whose bytes do not all arrive"
                             : name_of(thread->state) + " that not all threads reach";
    fault.stack = call_stack(long_address(thread->waits_at), thread->waits_in, thread->stack_end);
    fault.thread = thread->index;
    fault.block = thread->block->index;
    if (other != nullptr) fault.other = doing(*other);
    fault.cause = at_mbarrier
                      ? "it expects more bytes than are stored, or some are stored elsewhere"
                      : "the call is inside a branch, or after a return, that not all threads take";
    return fault;
}

}  // namespace emulation
