#pragma once

#include <stdexcept>
#include <string>

namespace common {

/// Exit codes shared by every executable of the project.
enum class ExitCode {
    done = 0,
    failed = 1,        ///< the work itself failed: wrong result, device fault, no memory, full disk
    bad_usage = 2,     ///< the command line or an input is not acceptable
    unavailable = 77,  ///< the variant exists but cannot run here (CTest reads 77 as "skipped")
};

/// A failure that ends the program with `code` and one line on stderr: `what()`, which names the
/// file, option or variant at fault.
class Error : public std::runtime_error {
  public:
    Error(ExitCode exit_code, const std::string& what)
        : std::runtime_error(what), code(exit_code) {}
    ExitCode code;
};

struct Failed : Error {
    explicit Failed(const std::string& what) : Error(ExitCode::failed, what) {}
};

struct BadUsage : Error {
    explicit BadUsage(const std::string& what) : Error(ExitCode::bad_usage, what) {}
};

/// A variant refuses options that others accept (a block with too many threads, say). On the
/// command line this is bad usage; tests and benchmarks leave the combination out.
struct Unsupported : BadUsage {
    using BadUsage::BadUsage;
};

struct Unavailable : Error {
    explicit Unavailable(const std::string& what) : Error(ExitCode::unavailable, what) {}
};

/// The body of a task that a student has not begun. Such a variant is neither right nor wrong:
/// tests are skipped, a benchmark leaves it out, and it gets no points.
struct NotDoneYet : Unavailable {
    NotDoneYet() : Unavailable("not done yet") {}
};

}  // namespace common
