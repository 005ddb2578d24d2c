#include "loop_path.hpp"

#include <algorithm>
#include <limits>
#include <utility>

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
        resume(code);
        if (has_executed(code)) next_iteration(code);
    } else {
        while (levels_.back().last < code) leave();
    }
    levels_.back().highest = std::max(levels_.back().highest, code);
    levels_.back().executed.push_back(code);
    current_ = code;
}

bool LoopPath::has_executed(std::uint32_t code) const {
    const std::vector<std::uint32_t>& executed = levels_.back().executed;
    return std::find(executed.begin(), executed.end(), code) != executed.end();
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
    Level loop = std::move(levels_.back());
    levels_.pop_back();
    levels_.back().highest = std::max(levels_.back().highest, loop.highest);
    levels_.back().left.assign(1, std::move(loop));
}

/// A jump back into the loop that was left last: the blocks in between are a part of the loop.
void LoopPath::resume(std::uint32_t code) {
    std::vector<Level>& left = levels_.back().left;
    if (left.empty() || code < left.front().head || code > left.front().last) return;
    Level loop = std::move(left.front());
    left.clear();
    loop.highest = std::max(loop.highest, levels_.back().highest);
    loop.last = std::max(loop.last, loop.highest);
    levels_.push_back(std::move(loop));
}

void LoopPath::next_iteration(std::uint32_t head) {
    if (levels_.back().head != head) {  // the first iteration has just ended
        levels_.push_back({.head = head, .highest = levels_.back().highest});
    }
    Level& loop = levels_.back();
    loop.last = std::max(loop.last, loop.highest);
    loop.highest = head;
    loop.executed.clear();
    loop.left.clear();
    ++loop.iteration;
    loop.key = mixed(mixed(levels_[levels_.size() - 2].key, head), loop.iteration);
}

}  // namespace emulation
