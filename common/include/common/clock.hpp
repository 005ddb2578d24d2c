#pragma once

#include <chrono>

namespace common {

/// Wall-clock time that has passed since `start`.
inline double ms_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

}  // namespace common
