#pragma once

// Records the accesses of the threads that run on one core, and groups them into requests.

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "block.hpp"
#include "emulation/counters.hpp"
#include "emulation/users.hpp"
#include "loop_path.hpp"

namespace emulation {

/// An instruction, and what it does in which memory.
struct Site {
    std::uint32_t code = 0;
    Space space{};
    Operation operation{};

    auto operator<=>(const Site&) const = default;
    std::uint64_t number() const {
        return std::uint64_t{code} << 8 | static_cast<std::uint64_t>(space) << 4 |
               static_cast<std::uint64_t>(operation);
    }
};

struct KernelTally {
    KernelCounts counts;  ///< without lines
    CallStack stack{};    ///< of an access, for the name
    std::map<Site, AccessCounts> sites;
    std::uint64_t stored_before = 0;  ///< counts.most_stored when the last launch began

    void add(const KernelTally& other);
};

/// The accesses of a warp since its last barrier, or operation of all its lanes. Lanes run one
/// after the other. The executions of an instruction by lanes in the same iterations of all loops
/// form one request.
class WarpRecord {
  public:
    void begin(std::uint32_t live);
    LoopPath& path(unsigned lane) { return paths_[lane]; }
    void add(const Site& site, unsigned lane, std::uint64_t address, std::size_t bytes);
    /// The requests are complete: adds them to `tally`.
    void reduce(const Block& block, unsigned warp, std::uint32_t live_from_now, KernelTally& tally);

  private:
    /// An instruction on a path through the loops. A lane may execute it more than once, if the
    /// path does not tell of all loops.
    struct Instruction {
        Site site;
        std::array<std::uint32_t, lanes_of_warp> executed{};
        std::vector<Request> requests{};
    };
    std::uint32_t live_ = 0;
    std::array<LoopPath, lanes_of_warp> paths_;
    std::vector<Instruction> instructions_;  ///< in the order of their first executions
    std::unordered_map<std::uint64_t, std::size_t> index_;
};

/// A core's part of the threads that access each byte of global memory in a launch.
class Users {
  public:
    void note(const Thread& thread, bool is_store, std::uint64_t offset, std::size_t bytes);
    /// Adds those of images to `all`.
    void add_to(std::vector<ImageUsers>& all, std::uint64_t launch, const KernelTally& tally) const;

  private:
    std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> loads_, stores_;
};

/// A core's part of the counts of a launch.
class Recorder {
  public:
    Recorder(const Configuration& configuration, bool watches);

    void begin_block(const Block& block);
    void access(Thread& thread, Space space, Operation operation, std::uint64_t address,
                std::size_t bytes, const void* code);
    LoopPath& path(const Thread& thread);
    void barrier(const Block& block);
    void warp_operation(const Block& block, unsigned warp, std::uint32_t arrived);
    void end_block(const Block& block);

    const KernelTally& tally() const { return tally_; }
    const Users& users() const { return users_; }

  private:
    void reduce(const Block& block);

    KernelTally tally_;
    bool watches_;  ///< instead of counting
    Users users_{};
    std::vector<std::vector<WarpRecord>> blocks_;  ///< by rank in the group
};

/// The counts of all launches so far.
struct Tally {
    bool watches = false;
    std::mutex mutex;
    std::vector<ImageUsers> images{};  ///< if it watches
    std::vector<std::pair<void (*)(const void*), KernelTally>> kernels{};

    void begin_launch(const Configuration& configuration, const Kernel& kernel);
    void add(const Configuration& configuration, const Kernel& kernel, std::uint64_t launch,
             const Recorder& part);

  private:
    KernelTally& find(const Configuration& configuration, const Kernel& kernel);
};

/// Null unless launches are counted.
Tally* current_tally();

/// Tells the recorder of this core, if there is one.
void record(Space space, Operation operation, std::uintptr_t address, std::size_t bytes,
            const void* code);

inline bool is_counting() {
    return current_worker->recorder != nullptr;
}

}  // namespace emulation
