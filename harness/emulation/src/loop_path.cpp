#include "loop_path.hpp"

#include <algorithm>
#include <limits>

namespace emulation {
namespace {

std::uint64_t mixed(std::uint64_t key, std::uint64_t value) {
    key = (key ^ value) * 0x9e3779b97f4a7c15;  // an odd number without a pattern in its bits
    return key ^ key >> 32;
}

}  // namespace

void LoopPath::restart() {
    levels_.clear();
    levels_.push_back({.last = std::numeric_limits<std::uint32_t>::max()});
    current_ = 0;
}

void LoopPath::enter_block(std::uint32_t code) {
    if (code <= current_) {
        while (levels_.back().head > code) leave();
        next_iteration(code);
    } else {
        while (levels_.back().last < code) leave();
    }
    levels_.back().highest = std::max(levels_.back().highest, code);
    current_ = code;
}

void LoopPath::enter_function() {
    levels_.push_back({.last = std::numeric_limits<std::uint32_t>::max(),
                       .caller = current_,
                       .key = levels_.back().key});
    current_ = 0;
}

void LoopPath::leave_function() {
    while (levels_.back().head != 0) levels_.pop_back();
    if (levels_.size() == 1) return;
    current_ = levels_.back().caller;
    levels_.pop_back();
}

void LoopPath::leave() {
    const std::uint32_t highest = levels_.back().highest;
    levels_.pop_back();
    levels_.back().highest = std::max(levels_.back().highest, highest);
}

void LoopPath::next_iteration(std::uint32_t head) {
    if (levels_.back().head != head) {  // the first iteration has just ended
        levels_.push_back({.head = head, .highest = levels_.back().highest});
    }
    Level& loop = levels_.back();
    loop.last = std::max(loop.last, loop.highest);
    loop.highest = head;
    ++loop.iteration;
    loop.key = mixed(mixed(levels_[levels_.size() - 2].key, head), loop.iteration);
}

}  // namespace emulation
