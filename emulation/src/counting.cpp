// Recording while kernels run, and the report's lines.

#include "counting.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace emulation {
namespace {

std::mutex tally_mutex;
Tally* tally_in_use = nullptr;

std::uint64_t middle(dim3 grid) {
    return (std::uint64_t{grid.z / 2} * grid.y + grid.y / 2) * grid.x + grid.x / 2;
}

bool same(dim3 a, dim3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// The line's accesses of the same kind are in `counts`, or get a new row there.
void add_to_lines(std::vector<LineCounts>& lines, LineCounts line) {
    const auto known = std::find_if(lines.begin(), lines.end(), [&](const LineCounts& other) {
        return std::tie(other.file, other.line, other.space, other.operation) ==
                   std::tie(line.file, line.line, line.space, line.operation) &&
               other.counts.width == line.counts.width;
    });
    if (known == lines.end()) {
        lines.push_back(std::move(line));
    } else {
        known->counts.add(line.counts);
    }
}

KernelCounts with_lines(const KernelTally& tally) {
    KernelCounts result = tally.counts;
    result.name = kernel_name(tally.stack);
    for (const auto& [site, counts] : tally.sites) {
        const Place place = place_of(long_address(site.code));
        // The loads of a pixel's channels; tex2D has told of the pixel itself.
        if (place.is_in_texture && site.space != Space::texture) continue;
        add_to_lines(result.lines, {place.file, place.line, site.space, site.operation, counts});
    }
    return result;
}

/// A kernel that is launched in two places is one kernel.
void add_to_kernels(std::vector<KernelCounts>& kernels, KernelCounts kernel) {
    const auto known = std::find_if(kernels.begin(), kernels.end(), [&](const KernelCounts& other) {
        return other.name == kernel.name && same(other.block, kernel.block);
    });
    if (known == kernels.end()) {
        kernels.push_back(std::move(kernel));
        return;
    }
    known->same_grid = known->same_grid && kernel.same_grid && same(known->grid, kernel.grid);
    known->shared_bytes = std::max(known->shared_bytes, kernel.shared_bytes);
    known->most_stored += kernel.most_stored;
    known->launches += kernel.launches;
    known->blocks += kernel.blocks;
    known->warps += kernel.warps;
    known->barriers += kernel.barriers;
    known->warp_operations += kernel.warp_operations;
    for (LineCounts& line : kernel.lines) add_to_lines(known->lines, std::move(line));
}

bool is_before(const LineCounts& a, const LineCounts& b) {
    return std::tie(a.file, a.line) < std::tie(b.file, b.line);
}

}  // namespace

void KernelTally::add(const KernelTally& other) {
    counts.shared_bytes = std::max(counts.shared_bytes, other.counts.shared_bytes);
    counts.most_stored = std::max(counts.most_stored, stored_before + other.counts.most_stored);
    counts.blocks += other.counts.blocks;
    counts.warps += other.counts.warps;
    counts.barriers += other.counts.barriers;
    counts.warp_operations += other.counts.warp_operations;
    if (stack.count == 0) stack = other.stack;
    for (const auto& [site, added] : other.sites) sites[site].add(added);
}

void WarpRecord::begin(std::uint32_t live) {
    live_ = live;
    for (LoopPath& path : paths_) path.restart();  // all lanes are at the same place
    instructions_.clear();
    index_.clear();
}

void WarpRecord::add(const Site& site, unsigned lane, std::uint64_t address, std::size_t bytes) {
    const std::uint64_t key = site.number() ^ paths_[lane].key();
    const auto [known, is_new] = index_.try_emplace(key, instructions_.size());
    if (is_new) instructions_.push_back({site});
    Instruction& instruction = instructions_[known->second];
    const std::size_t number = instruction.executed[lane]++;
    if (number >= instruction.requests.size()) instruction.requests.resize(number + 1);
    Request& request = instruction.requests[number];
    request.address[lane] = address;
    request.bytes[lane] = static_cast<std::uint8_t>(bytes);
    request.active |= 1u << lane;
}

void WarpRecord::reduce(const Block& block, unsigned warp, std::uint32_t live_from_now,
                        KernelTally& tally) {
    const bool interior = block.number == middle(block.configuration->grid);
    for (const Instruction& instruction : instructions_) {
        AccessCounts& counts = tally.sites[instruction.site];
        for (const Request& request : instruction.requests) {
            counts.add({request, interior, 0, block.number, block.index, warp}, live_,
                       instruction.site.space, instruction.site.operation);
        }
    }
    begin(live_from_now);
}

Recorder::Recorder(const Configuration& configuration, bool watches) : watches_(watches) {
    tally_.counts.grid = configuration.grid;
    tally_.counts.block = configuration.block;
}

void Recorder::begin_block(const Block& block) {
    if (blocks_.size() <= block.rank) blocks_.resize(block.rank + 1);
    auto& warps = blocks_[block.rank];
    warps.resize(block.warps.size());
    for (std::size_t w = 0; w < warps.size(); ++w) warps[w].begin(block.warps[w].live);
    ++tally_.counts.blocks;
    tally_.counts.warps += warps.size();
}

void Recorder::access(Thread& thread, Space space, Operation operation, std::uint64_t address,
                      std::size_t bytes, const void* code) {
    if (tally_.stack.count == 0) tally_.stack = call_stack(thread.stack_end);
    if (watches_ && space == Space::global && operation != Operation::atomic) {
        users_.note(thread, operation == Operation::store, address, bytes);
    }
    if (watches_) return;
    WarpRecord& warp = blocks_[thread.block->rank][thread.warp()];
    warp.add({short_address(code), space, operation}, thread.lane(), address, bytes);
    if (operation == Operation::load) return;
    thread.stored += bytes;
    tally_.counts.most_stored = std::max(tally_.counts.most_stored, thread.stored);
}

LoopPath& Recorder::path(const Thread& thread) {
    return blocks_[thread.block->rank][thread.warp()].path(thread.lane());
}

void Recorder::reduce(const Block& block) {
    auto& warps = blocks_[block.rank];
    for (unsigned w = 0; w < warps.size(); ++w) {
        warps[w].reduce(block, w, block.warps[w].live, tally_);
    }
}

void Recorder::barrier(const Block& block) {
    ++tally_.counts.barriers;
    reduce(block);
}

void Recorder::warp_operation(const Block& block, unsigned warp, std::uint32_t arrived) {
    ++tally_.counts.warp_operations;
    const std::uint32_t live = block.warps[warp].live;
    // Lanes that take no part may be anywhere.
    if ((live & ~arrived) == 0) blocks_[block.rank][warp].reduce(block, warp, live, tally_);
}

void Recorder::end_block(const Block& block) {
    reduce(block);
    tally_.counts.shared_bytes = std::max(tally_.counts.shared_bytes, block.shared_used);
}

KernelTally& Tally::find(const Configuration& configuration, const Kernel& kernel) {
    for (auto& [run, tally] : kernels) {
        if (run == kernel.run && same(tally.counts.block, configuration.block)) return tally;
    }
    KernelTally fresh;
    fresh.counts.grid = configuration.grid;
    fresh.counts.block = configuration.block;
    return kernels.emplace_back(kernel.run, std::move(fresh)).second;
}

void Tally::begin_launch(const Configuration& configuration, const Kernel& kernel) {
    const std::lock_guard lock(mutex);
    KernelTally& tally = find(configuration, kernel);
    tally.stored_before = tally.counts.most_stored;
    KernelCounts& counts = tally.counts;
    ++counts.launches;
    counts.same_grid = counts.same_grid && same(counts.grid, configuration.grid);
}

void Tally::add(const Configuration& configuration, const Kernel& kernel, std::uint64_t launch,
                const Recorder& part) {
    const std::lock_guard lock(mutex);
    find(configuration, kernel).add(part.tally());
    if (watches) part.users().add_to(images, launch, part.tally());
}

Tally* current_tally() {
    const std::lock_guard lock(tally_mutex);
    return tally_in_use;
}

void record(Space space, Operation operation, std::uintptr_t address, std::size_t bytes,
            const void* code) {
    current_worker->recorder->access(*current_thread, space, operation, address, bytes, code);
}

static std::unique_ptr<Tally> begin_tally(bool watches) {
    auto tally = std::make_unique<Tally>();
    tally->watches = watches;
    const std::lock_guard lock(tally_mutex);
    if (tally_in_use != nullptr) throw std::logic_error("launches are counted already");
    tally_in_use = tally.get();
    return tally;
}

static void end_tally() {
    const std::lock_guard lock(tally_mutex);
    tally_in_use = nullptr;
}

Counting::Counting() : tally_(begin_tally(false)) {}

Counting::~Counting() {
    end_tally();
}

Watching::Watching() : tally_(begin_tally(true)) {}

Watching::~Watching() {
    end_tally();
}

std::vector<ImageUsers> Watching::images() const {
    const std::lock_guard lock(tally_->mutex);
    return tally_->images;
}

std::vector<KernelCounts> Counting::kernels() const {
    const std::lock_guard lock(tally_->mutex);
    std::vector<KernelCounts> result;
    for (const auto& [run, tally] : tally_->kernels) add_to_kernels(result, with_lines(tally));
    for (KernelCounts& kernel : result) {
        std::stable_sort(kernel.lines.begin(), kernel.lines.end(), is_before);
    }
    return result;
}

}  // namespace emulation
