#pragma once

// Decides whether a failure is the fault of the submission or of the machine.

#include <functional>
#include <stdexcept>
#include <string>

namespace grading {

/// The machine is at fault, and not the submission: nothing is graded, and the exit code is 3.
class MachineFault : public std::runtime_error {
  public:
    explicit MachineFault(const std::string& what)
        : std::runtime_error("could not be graded, the machine is at fault: " + what) {}
};

/// The outcome of a compilation.
struct Compiled {
    std::string said{};             ///< "" if it succeeded, otherwise the compiler's messages
    bool reached_its_time = false;  ///< the compiler was ended for the time that it took

    bool ok() const { return said.empty(); }
};

/// Compiles a student's file. If that fails, `check_tools` compiles a file that is known to be
/// good, and throws MachineFault if that fails as well. If it succeeds, the student's file has a
/// second chance: what a broken machine did to it need not happen again. It is at fault if it fails
/// twice in the same way.
Compiled compiled_fairly(const std::function<Compiled()>& compile,
                         const std::function<void()>& check_tools);

/// The wall time for the next of `files` that are left: `at_once` of them are graded in parallel.
double share_of(double seconds_left, std::size_t files, std::size_t at_once);

}  // namespace grading
