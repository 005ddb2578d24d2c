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

/// The stack of a child process when it crashed, or when a test had run for 20 s. Both processes
/// see the record: make it before fork().
class StackRecord {
  public:
    StackRecord();

    /// In the child, when a test begins.
    void watch();

    /// In the parent: the innermost line of a source file with line numbers, which variants have:
    /// "ladder/03_omp_rows.cpp:41". "" if there is none, or no addr2line.
    std::string place() const;
};

}  // namespace harness
