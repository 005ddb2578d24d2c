#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace harness {

/// Hands things from one thread to another, in order.
template <class T>
class Queue {
  public:
    void push(T thing) {
        {
            const std::lock_guard lock(mutex_);
            things_.push_back(std::move(thing));
        }
        changed_.notify_one();
    }

    /// Waits for the next thing. Nothing if the queue is closed and empty.
    std::optional<T> pop() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !things_.empty() || closed_; });
        if (things_.empty()) return std::nullopt;
        T thing = std::move(things_.front());
        things_.pop_front();
        return thing;
    }

    void close() {
        {
            const std::lock_guard lock(mutex_);
            closed_ = true;
        }
        changed_.notify_all();
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<T> things_;
    bool closed_ = false;
};

}  // namespace harness
