#pragma once

#include <cstdint>
#include <string>

namespace harness {

inline constexpr int band_buffers = 2;  ///< of input bands, and of output bands
inline constexpr int most_strip_rows = 64;
inline constexpr std::int64_t mib = std::int64_t{1} << 20;

/// A number of /proc/self/status in bytes: VmRSS, or VmHWM for the peak.
std::int64_t memory_of_process(const std::string& what);

/// The sizes that decide how many rows a band may have.
struct BandMemory {
    int height = 0;                 ///< of the picture
    int halo = 0;                   ///< rows above and below a band
    std::int64_t in_row = 0;        ///< bytes
    std::int64_t out_row = 0;       ///< bytes of the output that belongs to a row of the input
    std::int64_t beside_row = 0;    ///< bytes that the computation takes for a row
    std::int64_t reader_bytes = 0;  ///< of the reader's own buffers
};

/// The largest number of rows of a band that fits in memory, rounded down to a multiple of
/// `most_strip_rows` if that leaves any. Throws BadUsage if not even one row fits.
int rows_that_fit(const BandMemory& memory, std::int64_t memory_mib);

}  // namespace harness
