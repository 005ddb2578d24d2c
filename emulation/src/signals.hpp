#pragma once

#include <signal.h>

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

}  // namespace emulation
