#pragma once

#include <fcntl.h>
#include <sys/file.h>

#include "sandbox/descriptor.hpp"

namespace grading {

/// While it lives, no other grading on this machine measures: real-time workers would take each
/// other's cores. Without the right to make the file, nothing happens.
class Turn {
  public:
    Turn() : file_(open("/dev/shm/labs-grade-speed", O_CREAT | O_RDWR | O_CLOEXEC, 0600)) {
        if (file_.get() >= 0) flock(file_.get(), LOCK_EX);
    }

  private:
    Descriptor file_;
};

}  // namespace grading
