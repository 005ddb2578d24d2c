#pragma once

#include <string>

namespace harness {

/// Hardware and software of a measurement, for the CSV files.
struct Machine {
    std::string cpu;       ///< model and number of cores
    std::string gpu;       ///< name, or "none"
    std::string compiler;  ///< of the C++ code, type and flags of the build, the CUDA version
    std::string commit;    ///< of this source tree when it was configured
};

const Machine& machine();

/// CPU cores that this process may use: by its affinity, and by the quota of its control groups.
int cpu_cores();

/// Now, in UTC: "2026-01-31T12:00:00Z".
std::string timestamp();

}  // namespace harness
