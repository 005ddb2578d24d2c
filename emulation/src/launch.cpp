// Launches: the limits of a GPU, and the blocks of a grid, in order, on all cores.

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <mutex>
#include <utility>

#include "block.hpp"
#include "counting.hpp"
#include "errors.hpp"
#include "limits.hpp"
#include "signals.hpp"

namespace emulation {
namespace {

struct Grid {
    const Configuration& configuration;
    const Kernel& kernel;
    std::uint64_t launch;
    std::uint64_t blocks;
    unsigned group_blocks;
    WorkNumbers in_other_streams;
    std::atomic<std::uint64_t> next{0};
    std::atomic<bool> stop{false};
};

std::uint64_t count_of(dim3 size) {
    return std::uint64_t{size.x} * size.y * size.z;
}

uint3 index_in(dim3 size, std::uint64_t number) {
    return {static_cast<unsigned>(number % size.x), static_cast<unsigned>(number / size.x % size.y),
            static_cast<unsigned>(number / size.x / size.y)};
}

void set_up_warps(Block& block) {
    block.warps.resize((block.count + warp_size - 1) / warp_size);
    for (unsigned w = 0; w < block.warps.size(); ++w) {
        const unsigned lanes = std::min(block.count - w * warp_size, warp_size);
        block.warps[w].live = lanes == warp_size ? ~0u : (1u << lanes) - 1;
        block.warps[w].pending.clear();
    }
}

void set_up_threads(Block& block, dim3 size) {
    if (block.threads.size() != block.count) {
        block.threads.clear();
        block.threads.resize(block.count);
    }
    for (unsigned i = 0; i < block.count; ++i) {
        Thread& thread = block.threads[i];
        thread.block = &block;
        thread.index = index_in(size, i);
        thread.number = i;
        thread.state = ThreadState::ready;
        thread.waits_at = 0;
        thread.group_phase = std::numeric_limits<unsigned>::max();
        thread.copies.clear();
        thread.copy_groups = 0;
        thread.stored = 0;
    }
}

void set_up_block(Worker& worker, Block& block, const Grid& grid, std::uint64_t number) {
    const Configuration& configuration = grid.configuration;
    block.group = &worker.group;
    block.configuration = &configuration;
    block.number = static_cast<std::uint32_t>(number);
    block.index = index_in(configuration.grid, number);
    block.count = static_cast<unsigned>(count_of(configuration.block));
    block.first_epoch = block.epoch = worker.next_epoch;
    block.queue.clear();
    block.queue_begin = 0;
    block.next_fresh = block.finished = block.at_barrier = 0;
    block.fenced = block.has_looked = false;
    block.variables.clear();
    block.shared_used = 0;
    block.unwritten.reset();
    set_up_threads(block, configuration.block);
    set_up_warps(block);
}

void set_up_group(Worker& worker, const Grid& grid, std::uint64_t first) {
    Group& group = worker.group;
    group.count =
        static_cast<unsigned>(std::min<std::uint64_t>(grid.group_blocks, grid.blocks - first));
    while (group.blocks.size() < group.count) group.blocks.push_back(std::make_unique<Block>());
    for (unsigned rank = 0; rank < group.count; ++rank) {
        Block& block = *group.blocks[rank];
        block.rank = rank;
        block.slot = worker.number * most_resident_blocks + rank;
        set_up_block(worker, block, grid, first + rank);
        // The barriers of a cluster put what its blocks do in order; that is not looked into.
        block.race_domain =
            grid.configuration.cooperative ? block.number : static_cast<std::uint32_t>(first);
    }
    ++worker.next_epoch;
    for (unsigned b = 0; is_counting() && b < group.count; ++b) {
        worker.recorder->begin_block(*group.blocks[b]);
    }
    group.threads = group.count * group.blocks.front()->count;
    group.arrived = 0;
    group.phase = 0;
}

/// Made once, so that the numbers of epochs in the records of its shared memory go on.
Worker& worker_number(std::size_t number) {
    static std::vector<std::unique_ptr<Worker>> workers(most_workers);
    if (!workers[number]) {
        workers[number] = std::make_unique<Worker>();
        workers[number]->number = number;
    }
    return *workers[number];
}

void run_groups(Grid& grid, Worker& worker) {
    worker.kernel = &grid.kernel;
    worker.launch = grid.launch;
    worker.in_other_streams = &grid.in_other_streams;
    worker.stop = &grid.stop;
    const EndlessLoopsAsFaults endless_loops(worker);
    while (!grid.stop) {
        const std::uint64_t first = grid.next.fetch_add(grid.group_blocks);
        if (first >= grid.blocks) return;
        set_up_group(worker, grid, first);
        if (run_group(worker)) continue;
        grid.stop = true;
        if (!worker.fault) return;
        set_fault(to_string(*worker.fault));
        worker.fault.reset();
    }
}

void run_groups(Grid& grid, std::size_t number) {
    Worker& worker = worker_number(number);
    current_worker = &worker;
    Tally* const tally = current_tally();
    if (tally == nullptr) return run_groups(grid, worker);
    Recorder recorder(grid.configuration, tally->watches);
    worker.recorder = &recorder;
    run_groups(grid, worker);
    worker.recorder = nullptr;
    tally->add(grid.configuration, grid.kernel, grid.launch, recorder);
}

/// "the launch in cuda_mine.cu:35".
std::string launch_in(const Configuration& configuration) {
    const std::string file = configuration.place.file_name();
    return fmt::format("the launch in {}:{}", file.substr(file.find_last_of('/') + 1),
                       configuration.place.line());
}

/// True if a GPU with compute capability 9.0 accepts the launch.
bool is_within_limits(const Configuration& c) {
    const auto refuse = [&c](cudaError_t error, const std::string& why) {
        set_error(error, "launch over the limits of the GPU: " + why + " (" + launch_in(c) + ")");
        return false;
    };
    const std::uint64_t threads = count_of(c.block);
    if (threads == 0 || count_of(c.grid) == 0) {
        return refuse(cudaErrorInvalidConfiguration, "a grid or a block of size 0");
    }
    if (threads > limits.block_threads || c.block.z > limits.block_z) {
        return refuse(cudaErrorInvalidConfiguration,
                      fmt::format("a block of {}x{}x{} threads; at most 1024 in all and 64 in z",
                                  c.block.x, c.block.y, c.block.z));
    }
    if (c.grid.y > limits.grid_yz || c.grid.z > limits.grid_yz || c.grid.x > limits.grid_x) {
        return refuse(cudaErrorInvalidConfiguration,
                      fmt::format("a grid of {}x{}x{} blocks; y and z at most 65535", c.grid.x,
                                  c.grid.y, c.grid.z));
    }
    if (c.shared_bytes > c.most_shared) {
        return refuse(cudaErrorInvalidValue,
                      fmt::format("{} bytes of dynamic shared memory; {} unless "
                                  "cudaFuncSetAttribute allows more",
                                  c.shared_bytes, c.most_shared));
    }
    if (c.cluster_blocks > limits.cluster_blocks) {
        return refuse(cudaErrorInvalidClusterSize, "a cluster of more than 16 blocks");
    }
    if (c.cooperative && count_of(c.grid) > limits.resident_blocks(threads)) {
        return refuse(cudaErrorCooperativeLaunchTooLarge,
                      fmt::format("{} blocks cannot all run together; {} can", count_of(c.grid),
                                  limits.resident_blocks(threads)));
    }
    return true;
}

std::map<const void*, std::size_t>& allowances() {
    static std::map<const void*, std::size_t> all;
    return all;
}

}  // namespace

std::size_t& most_shared_of(const void* function) {
    const std::size_t at_first =
        function == nullptr ? limits.shared_bytes_opt_in : limits.shared_bytes;
    return allowances().try_emplace(function, at_first).first->second;
}

std::uint64_t next_launch_number() {
    static std::atomic<std::uint64_t> launches{0};
    return ++launches % (1u << 23) + 1;
}

void run_grid(const Configuration& configuration, const Kernel& kernel) {
    reserve_memory();
    if (!is_within_limits(configuration)) return;
    if (configuration.stream == nullptr && streams_in_use() > 0) {
        set_fault("a launch on the default stream (" + launch_in(configuration) +
                  "). Usual cause: the stream that the variant is given is missing in <<<grid, "
                  "block, shared bytes, stream>>>: the kernel does not wait for what was put "
                  "into that stream before it");
        return;
    }
    const std::uint64_t blocks = count_of(configuration.grid);
    const auto together = configuration.cooperative
                              ? static_cast<unsigned>(blocks)
                              : static_cast<unsigned>(configuration.cluster_blocks);
    const std::uint64_t number = next_launch_number();
    Grid grid{
        configuration, kernel,
        number,        blocks,
        together,      put_into_stream(configuration.stream, number, launch_in(configuration))};
    const std::uint64_t groups = (blocks + together - 1) / together;
    const auto cores = static_cast<int>(std::min<std::uint64_t>(
        groups, std::min<std::uint64_t>(static_cast<unsigned>(omp_get_num_procs()), most_workers)));
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    const SignalsAsFaults signals;
    if (Tally* const tally = current_tally()) tally->begin_launch(configuration, kernel);
#pragma omp parallel num_threads(cores) if (cores > 1)
    run_groups(grid, static_cast<std::size_t>(omp_get_thread_num()));
}

uint3 threadIdx() noexcept {
    return current_thread->index;
}
uint3 blockIdx() noexcept {
    return current_thread->block->index;
}
dim3 blockDim() noexcept {
    return current_thread->block->configuration->block;
}
dim3 gridDim() noexcept {
    return current_thread->block->configuration->grid;
}

}  // namespace emulation
