// Runs the threads of a group of blocks on one core. A thread runs until it has to wait for
// others; then the next one does. Threads that wait for nothing follow each other on one stack,
// without a switch between them.

#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <utility>

#include "block.hpp"
#include "counting.hpp"

namespace emulation {

constinit thread_local Thread* current_thread = nullptr;
constinit thread_local Worker* current_worker = nullptr;

namespace {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

constexpr std::size_t stacks_at_once = 64;

void make_stacks(Worker& worker) {
    constexpr std::size_t bytes = stack_bytes * stacks_at_once;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    for (std::size_t i = stacks_at_once; i > 0; --i) {
        worker.free_stacks.push_back(worker.stacks.size() + i - 1);
    }
    for (std::size_t i = 0; i < stacks_at_once; ++i) {
        worker.stacks.push_back(static_cast<unsigned char*>(memory) + i * stack_bytes);
    }
}

/// A thread that has not begun yet, if no other one can go on.
Thread* take_fresh(Block& block) {
    if (block.queue_begin < block.queue.size() || block.next_fresh >= block.count) return nullptr;
    return &block.threads[block.next_fresh++];
}

void finish(Thread& thread) {
    Block& block = *thread.block;
    thread.state = ThreadState::finished;
    ++block.finished;
    ++current_worker->steps;
    leave_warp(block, thread);
    if (is_counting() && block.finished == block.count) current_worker->recorder->end_block(block);
}

/// The function that runs on a stack: it runs threads of a block, one after the other.
void run_threads(transfer_t from) {
    Worker& worker = *current_worker;
    worker.scheduler = from.fctx;
    Thread* thread = worker.current;
    const std::size_t stack = thread->stack;
    const std::uintptr_t end = thread->stack_end;
    while (thread != nullptr) {
        worker.kernel->run(worker.kernel->data);
        finish(*thread);
        Thread* next = take_fresh(*thread->block);
        if (next == nullptr) break;
        next->stack = stack;
        next->stack_end = end;
        worker.current = current_thread = thread = next;
    }
    worker.free_stacks.push_back(stack);
    jump_fcontext(worker.scheduler, nullptr);
}

void begin(Worker& worker, Thread& thread) {
    if (worker.free_stacks.empty()) make_stacks(worker);
    thread.stack = worker.free_stacks.back();
    worker.free_stacks.pop_back();
    unsigned char* end = worker.stacks[thread.stack] + stack_bytes;
    thread.stack_end = reinterpret_cast<std::uintptr_t>(end);
    thread.context = make_fcontext(end, stack_bytes, run_threads);
}

/// Runs a thread until it, or one that follows on its stack, waits or finishes.
void resume(Worker& worker, Thread& thread) {
    ++worker.steps;
    worker.current = current_thread = &thread;
    const transfer_t back = jump_fcontext(thread.context, nullptr);
    worker.current->context = back.fctx;
    current_thread = nullptr;
}

Thread* next_ready(Block& block) {
    if (block.queue_begin == block.queue.size()) {
        block.queue.clear();
        block.queue_begin = 0;
        return nullptr;
    }
    return &block.threads[block.queue[block.queue_begin++]];
}

/// False if the block's threads all wait, or have finished.
bool run_block(Worker& worker, Block& block) {
    bool went_on = false;
    while (!worker.fault) {
        Thread* thread = next_ready(block);
        if (thread == nullptr) {
            thread = take_fresh(block);
            if (thread == nullptr) return went_on;
            begin(worker, *thread);
        }
        resume(worker, *thread);
        went_on = true;
    }
    return went_on;
}

/// Threads that only gave way go on. False if there are none.
bool wake_yielded(Group& group) {
    bool any = false;
    for (unsigned b = 0; b < group.count; ++b) {
        for (Thread& thread : group.blocks[b]->threads) {
            if (thread.state != ThreadState::yielded) continue;
            group.blocks[b]->make_ready(thread);
            any = true;
        }
    }
    return any;
}

bool all_finished(const Group& group) {
    return std::all_of(group.blocks.begin(), group.blocks.begin() + group.count,
                       [](const auto& block) { return block->finished == block->count; });
}

void release_barrier(Block& block) {
    block.at_barrier = 0;
    ++block.epoch;
    Worker& worker = *current_worker;
    if (is_counting()) worker.recorder->barrier(block);
    worker.next_epoch = std::max(worker.next_epoch, block.epoch + 1);
    for (Thread& thread : block.threads) {
        if (thread.state == ThreadState::at_barrier) block.make_ready(thread);
    }
}

/// A load of memory that nobody has written, in one of the blocks.
const std::optional<Fault>& unwritten_in(const Group& group) {
    const auto end = group.blocks.begin() + group.count;
    const auto found = std::find_if(group.blocks.begin(), end,
                                    [](const auto& block) { return block->unwritten.has_value(); });
    return found == end ? group.blocks.front()->unwritten : (*found)->unwritten;
}

/// All threads wait at a barrier; they have to do so at the same one.
void require_same_barrier(Block& block) {
    const Thread& first = block.threads.front();
    for (const Thread& thread : block.threads) {
        if (thread.waits_at == first.waits_at) continue;
        if (source_line(long_address(thread.waits_at)) ==
            source_line(long_address(first.waits_at))) {
            continue;  // the compiler has made two places of one
        }
        raise(stuck(*block.group));
    }
}

void release_group(Group& group) {
    group.arrived = 0;
    ++group.phase;
    Worker& worker = *current_worker;
    // The code after a barrier of the whole grid counts as a launch of its own.
    if (group.blocks.front()->configuration->cooperative) worker.launch = next_launch_number();
    for (unsigned b = 0; b < group.count; ++b) {
        Block& block = *group.blocks[b];
        ++block.epoch;
        if (is_counting()) worker.recorder->barrier(block);
        worker.next_epoch = std::max(worker.next_epoch, block.epoch + 1);
        for (Thread& thread : block.threads) {
            if (thread.state == ThreadState::at_group) block.make_ready(thread);
        }
    }
}

}  // namespace

bool run_group(Worker& worker) {
    Group& group = worker.group;
    bool stopped = false;  // a thread may wait for a block that has been ended
    while (!worker.fault && !stopped) {
        bool went_on = false;
        for (unsigned b = 0; b < group.count; ++b) {
            went_on = run_block(worker, *group.blocks[b]) || went_on;
        }
        if (worker.fault) break;
        const bool at_end = all_finished(group);
        if (went_on && !at_end) continue;
        worker.fault = unwritten_in(group);
        if (worker.fault || at_end) break;
        if (wake_yielded(group)) {
            stopped = *worker.stop;
            sched_yield();
        } else {
            worker.fault = stuck(group);
        }
    }
    if (!worker.fault && !stopped) return true;
    // The threads that were under way are never resumed; their stacks serve others.
    worker.free_stacks.clear();
    for (std::size_t i = worker.stacks.size(); i > 0; --i) worker.free_stacks.push_back(i - 1);
    return false;
}

void switch_away() {
    Worker& worker = *current_worker;
    const transfer_t back = jump_fcontext(worker.scheduler, nullptr);
    worker.scheduler = back.fctx;
}

namespace {

void locate(Fault& fault) {
    const Thread& thread = *current_thread;
    fault.thread = thread.index;
    fault.block = thread.block->index;
    if (fault.stack.count == 0) fault.stack = call_stack(thread.stack_end);
}

[[noreturn]] void end_launch(Fault fault) {
    current_worker->fault = std::move(fault);
    for (;;) switch_away();
}

/// Before a barrier is passed.
void require_all_written(const Group& group) {
    const std::optional<Fault>& unwritten = unwritten_in(group);
    if (unwritten) end_launch(*unwritten);
}

}  // namespace

void raise(Fault fault) {
    locate(fault);
    // A value that nobody has written may have led to any other fault.
    if (!fault.is_race) require_all_written(*current_thread->block->group);
    end_launch(std::move(fault));
}

void raise_later(Fault fault) {
    std::optional<Fault>& unwritten = current_thread->block->unwritten;
    if (unwritten) return;
    locate(fault);
    unwritten = std::move(fault);
}

void block_barrier() {
    Thread& thread = *current_thread;
    Block& block = *thread.block;
    thread.waits_at = short_address(__builtin_return_address(0));
    thread.waits_in = caller_frame(__builtin_frame_address(0));
    thread.state = ThreadState::at_barrier;
    if (++block.at_barrier == block.count) {
        if (block.unwritten) require_all_written(*block.group);
        require_same_barrier(block);
        release_barrier(block);
    }
    switch_away();
}

void yield() {
    current_thread->state = ThreadState::yielded;
    switch_away();
}

void group_arrive() {
    Thread& thread = *current_thread;
    Group& group = *thread.block->group;
    thread.group_phase = group.phase;
    if (++group.arrived == group.threads) {
        require_all_written(group);
        release_group(group);
    }
}

void group_wait() {
    Thread& thread = *current_thread;
    if (thread.block->group->phase != thread.group_phase) return;
    thread.waits_at = short_address(__builtin_return_address(0));
    thread.waits_in = caller_frame(__builtin_frame_address(0));
    thread.state = ThreadState::at_group;
    switch_away();
}

void expect_bytes(unsigned long long* mbarrier, unsigned bytes) {
    *mbarrier = bytes;
}

void bytes_arrive(unsigned long long* mbarrier, unsigned rank, unsigned bytes) {
    auto* missing = static_cast<unsigned long long*>(shared_memory_of(mbarrier, rank));
    if ((*missing -= bytes) != 0) return;
    Block& block = *current_thread->block->group->blocks[rank];
    ++block.epoch;
    Worker& worker = *current_worker;
    worker.next_epoch = std::max(worker.next_epoch, block.epoch + 1);
    for (Thread& thread : block.threads) {
        if (thread.state == ThreadState::at_mbarrier) block.make_ready(thread);
    }
}

void wait_for_bytes(const unsigned long long* mbarrier) {
    if (*mbarrier == 0) return;
    Thread& thread = *current_thread;
    thread.waits_at = short_address(__builtin_return_address(0));
    thread.waits_in = caller_frame(__builtin_frame_address(0));
    thread.state = ThreadState::at_mbarrier;
    switch_away();
}

}  // namespace emulation
