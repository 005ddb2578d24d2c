#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "common/limits.hpp"

namespace common {

/// True if a result of so many bytes does not stay in the caches: non-temporal stores write it
/// faster. It may have one of `parts` equal parts of the L3 cache, of which the input and other
/// programs have the rest; or 8 MiB where that is less, or where the system does not say. How many
/// parts is measured for each variant.
inline bool exceeds_caches(std::int64_t bytes, const Limits& limits, int parts) {
    constexpr std::int64_t least = 8 << 20;
    static const std::int64_t l3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return bytes > std::min(limits.max_cached_output, std::max(least, l3 / parts));
}

}  // namespace common
