#pragma once

#include <cstddef>
#include <functional>

namespace grading {

/// Calls work(lane, item) for all items, on one thread for each lane. If a call throws, no more
/// items are begun, and the exception is thrown here at the end.
void share_work(std::size_t lanes, std::size_t items,
                const std::function<void(std::size_t lane, std::size_t item)>& work);

}  // namespace grading
