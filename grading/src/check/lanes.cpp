#include "check/lanes.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace grading {

void share_work(std::size_t lanes, std::size_t items,
                const std::function<void(std::size_t lane, std::size_t item)>& work) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr first;
    const auto run = [&](std::size_t lane) {
        for (std::size_t item = next++; item < items; item = next++) {
            try {
                work(lane, item);
            } catch (...) {
                next = items;
                const std::lock_guard lock(mutex);
                if (!first) first = std::current_exception();
            }
        }
    };
    {
        std::vector<std::jthread> threads;
        for (std::size_t lane = 0; lane < lanes; ++lane) threads.emplace_back(run, lane);
    }
    if (first) std::rethrow_exception(first);
}

}  // namespace grading
