#pragma once

#include <string>

namespace common {

/// While it exists: if the process crashes or ends, or 20 s pass, `command` is written to stderr,
/// as what repeats it.
class RunningCase {
  public:
    explicit RunningCase(const std::string& command);
    ~RunningCase();
    RunningCase(const RunningCase&) = delete;
    RunningCase& operator=(const RunningCase&) = delete;
};

}  // namespace common
