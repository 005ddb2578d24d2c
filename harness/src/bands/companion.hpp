#pragma once

#include <exception>
#include <functional>
#include <thread>

namespace harness {

/// Runs `act` in a thread. Its exception is thrown by `join`.
class Companion {
  public:
    template <class Act>
    explicit Companion(Act act)
        : thread_([this, act] {
              try {
                  act();
              } catch (...) {
                  error_ = std::current_exception();
              }
          }) {}
    void join() {
        thread_.join();
        if (error_) std::rethrow_exception(error_);
    }

  private:
    std::exception_ptr error_{};
    std::jthread thread_;
};

/// Closes queues at the end of a scope, however it ends, so that the other threads end, too.
template <class... Queues>
class Closing {
  public:
    explicit Closing(Queues&... queues) : close_([&queues...] { (queues.close(), ...); }) {}
    ~Closing() { close_(); }
    Closing(const Closing&) = delete;
    Closing& operator=(const Closing&) = delete;

  private:
    std::function<void()> close_;
};

}  // namespace harness
