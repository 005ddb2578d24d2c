#pragma once

// Blocks and threads while they run.

#include <boost/context/detail/fcontext.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "emulation/device.hpp"
#include "emulation/launch.hpp"
#include "fault.hpp"
#include "memory.hpp"
#include "streams.hpp"

namespace emulation {

using Context = boost::context::detail::fcontext_t;

inline constexpr unsigned warp_size = 32;
inline constexpr std::size_t stack_bytes = 128 * 1024;  ///< of a thread

enum class ThreadState { ready, at_barrier, in_warp, at_group, at_mbarrier, yielded, finished };

/// A copy to shared memory that has been started.
struct AsyncCopy {
    unsigned char* to;
    const unsigned char* from;
    unsigned bytes;
    unsigned from_bytes;
    unsigned group;  ///< in the order of commits
    std::uint32_t code;
};

struct Block;

struct Thread {
    Block* block = nullptr;
    Context context = nullptr;  ///< where it goes on
    std::size_t stack = 0;      ///< which one it runs on
    std::uintptr_t stack_end = 0;
    uint3 index{};
    unsigned number = 0;  ///< in the block
    ThreadState state = ThreadState::ready;
    std::uint32_t waits_at = 0;   ///< code
    std::uintptr_t waits_in = 0;  ///< frame of the function that waits
    LanePart* part = nullptr;     ///< of the warp operation that it waits for
    unsigned group_phase = 0;     ///< of the group's barrier, when it arrived
    std::vector<AsyncCopy> copies{};
    unsigned copy_groups = 0;  ///< committed so far
    std::uint64_t stored = 0;  ///< bytes, if its launch is counted

    unsigned lane() const { return number % warp_size; }
    unsigned warp() const { return number / warp_size; }
};

/// A warp operation that some lanes have reached and others have not.
struct PendingOperation {
    WarpOperation operation;
    unsigned mask;
    unsigned arrived;
};

struct Warp {
    unsigned live = 0;  ///< lanes that have not returned
    std::uint32_t epoch = 0;
    std::vector<PendingOperation> pending{};
};

/// A variable in a block's shared memory.
struct SharedVariable {
    const void* key;
    const char* name;
    std::size_t offset;
    std::size_t bytes;
    std::size_t element;  ///< bytes
};

struct Group;
class Recorder;

struct Block {
    Group* group = nullptr;
    const Configuration* configuration = nullptr;
    uint3 index{};
    std::uint32_t number = 0;       ///< in the grid
    unsigned rank = 0;              ///< in its group
    bool fenced = false;            ///< has called __threadfence() in this launch
    bool has_looked = false;        ///< has made an atomic or volatile access to global memory
    std::uint32_t race_domain = 0;  ///< number of what races with others: the block, or its cluster
    std::size_t slot = 0;           ///< of shared memory
    std::uint32_t first_epoch = 0;
    std::uint32_t epoch = 0;
    std::vector<Thread> threads{};
    std::vector<Warp> warps{};
    std::vector<std::uint32_t> queue{};  ///< threads that may go on
    std::size_t queue_begin = 0;
    unsigned next_fresh = 0;  ///< the first thread that has not begun
    unsigned count = 0;       ///< threads
    unsigned finished = 0;
    unsigned at_barrier = 0;
    std::vector<SharedVariable> variables{};
    std::size_t shared_used = 0;
    std::optional<Fault> unwritten{};  ///< raised later

    unsigned char* shared() const { return shared_slot(slot); }
    void make_ready(Thread& thread) {
        thread.state = ThreadState::ready;
        queue.push_back(thread.number);
    }
};

/// Blocks that run together: one, a cluster, or a whole grid.
struct Group {
    std::vector<std::unique_ptr<Block>> blocks;
    unsigned count = 0;  ///< blocks in use
    unsigned threads = 0;
    unsigned arrived = 0;  ///< at the group's barrier
    unsigned phase = 0;
};

/// A core's part of a launch: the groups that it runs, one after the other.
struct Worker {
    std::size_t number = 0;
    const Kernel* kernel = nullptr;
    std::uint64_t launch = 0;                       ///< number, for the records of accesses
    const WorkNumbers* in_other_streams = nullptr;  ///< that may run at the same time
    const std::atomic<bool>* stop = nullptr;        ///< another core has found a fault
    Group group{};
    Context scheduler = nullptr;
    Thread* current = nullptr;
    std::optional<Fault> fault{};
    std::uint32_t next_epoch = 1;
    Recorder* recorder = nullptr;  ///< of what the launch does, if that is counted
    std::vector<unsigned char*> stacks{};
    std::vector<std::size_t> free_stacks{};
    std::uint64_t steps = 0;  ///< threads that began, went on or finished
};

/// The thread that runs on this core, or null outside of kernels.
extern constinit thread_local Thread* current_thread;
extern constinit thread_local Worker* current_worker;

/// True if a block has called __threadfence() in this launch, so that other blocks may read what it
/// wrote once they see its flag.
bool has_fenced(std::uint64_t launch, std::uint32_t race_domain);

/// A number for the records of accesses that no recent launch has used.
std::uint64_t next_launch_number();

/// Runs a group to its end. False if a fault was found, here or on another core.
bool run_group(Worker& worker);

/// Switches from the current thread, which keeps its state, to others.
void switch_away();

/// The current thread has made a fault. Ends the launch.
[[noreturn]] void raise(Fault fault);

/// The same for a load of shared memory that no thread has written. It ends the launch at the next
/// barrier, unless another thread writes there before: then it is a race.
void raise_later(Fault fault);

/// Removes a lane that has returned from its warp.
void leave_warp(Block& block, Thread& thread);

/// Why no thread of the group can continue.
Fault stuck(Group& group);

/// "warp 1 waits at the __syncthreads() in …": the warps of a block whose threads wait, or "".
std::string waiting_warps(const Block& block);

/// The memory that an address belongs to, in words: global, shared or local.
std::string describe(std::uintptr_t address);

/// The usual cause of an index beyond an array of so many elements, shared or not.
std::string cause_of_index(std::size_t elements, std::size_t index);

/// The name of an address in shared memory: "tile[35]".
std::string describe_shared(const Block& block, std::uintptr_t address);

}  // namespace emulation
