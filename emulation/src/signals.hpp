#pragma once

#include <signal.h>
#include <time.h>

#include <cstdint>

namespace emulation {

/// While it exists, the use of an illegal address by a kernel is a fault, and the program
/// continues.
class SignalsAsFaults {
  public:
    SignalsAsFaults();
    ~SignalsAsFaults();
    SignalsAsFaults(const SignalsAsFaults&) = delete;
    SignalsAsFaults& operator=(const SignalsAsFaults&) = delete;

  private:
    struct sigaction segmentation_ {};
    struct sigaction bus_ {};
};

struct Worker;

/// While it exists, a thread of a kernel that runs for 5 s of its core's time, and neither ends nor
/// waits for others, is a fault.
class EndlessLoopsAsFaults {
  public:
    explicit EndlessLoopsAsFaults(const Worker& worker);
    ~EndlessLoopsAsFaults();
    EndlessLoopsAsFaults(const EndlessLoopsAsFaults&) = delete;
    EndlessLoopsAsFaults& operator=(const EndlessLoopsAsFaults&) = delete;

    /// Called each second. True if the thread is to be ended.
    bool tick();

  private:
    const Worker& worker_;
    timer_t timer_{};
    std::uint64_t steps_ = 0;
    int seconds_ = 0;
};

}  // namespace emulation
