#pragma once

#include <string>

namespace harness {

/// While it exists, `command`, which repeats the running case, is written to stderr if the process
/// crashes or ends, or after 20 s.
class RunningCase {
  public:
    explicit RunningCase(const std::string& command);
    ~RunningCase();
    RunningCase(const RunningCase&) = delete;
    RunningCase& operator=(const RunningCase&) = delete;
};

}  // namespace harness
