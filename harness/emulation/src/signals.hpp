#pragma once

#include <signal.h>

namespace emulation {

/// While it exists, a kernel that uses an illegal address has a fault, and the program goes on.
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

}  // namespace emulation
