#pragma once

#include <cstdint>
#include <vector>

namespace emulation {

/// The loops that a thread is in, and the iteration of each. Lanes execute an instruction together
/// when they have the same path, because lanes that leave a loop early wait for the others behind
/// the loop.
///
/// The emulation knows loops from the addresses of the basic blocks only. A jump back to a block
/// that this iteration has executed begins the next iteration. A jump beyond the loop's last block,
/// or before its first one, leaves the loop. So a loop's blocks have to be contiguous. If the
/// compiler has placed them otherwise, iterations are told apart no more.
class LoopPath {
  public:
    LoopPath() { restart(); }

    void restart();
    void enter_block(std::uint32_t code);
    void enter_function();
    void leave_function();

    /// The same for lanes with the same path.
    std::uint64_t key() const { return levels_.back().key; }

  private:
    /// A loop, or a function: a level that contains all blocks, and of which there is one
    /// iteration.
    struct Level {
        std::uint32_t head = 0;     ///< the first block
        std::uint32_t last = 0;     ///< the block with the highest address
        std::uint32_t highest = 0;  ///< the same of the current iteration
        std::uint32_t caller = 0;   ///< of a function: the block that called it
        std::uint64_t iteration = 0;
        std::uint64_t key = 0;
        std::vector<std::uint32_t> executed{};  ///< blocks, in the current iteration
        std::vector<Level> left{};              ///< the loop that was left last, if any
    };

    bool has_executed(std::uint32_t code) const;
    void leave();
    void resume(std::uint32_t code);
    void next_iteration(std::uint32_t head);

    std::vector<Level> levels_;
    std::uint32_t current_ = 0;
};

}  // namespace emulation
