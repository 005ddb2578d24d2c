#include "bands/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "common/error.hpp"

namespace harness {

std::int64_t memory_of_process(const std::string& what) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        std::int64_t kib = 0;
        if (word == what + ":" && status >> kib) return 1024 * kib;
    }
    return 0;
}

int rows_that_fit(const BandMemory& memory, std::int64_t memory_mib) {
    constexpr std::int64_t reserve = 24 * mib;           // stacks of threads, buffers of libraries
    constexpr std::int64_t most_values = 2'147'483'647;  // of a band: variants count in int
    const std::int64_t buffered = band_buffers * (memory.in_row + memory.out_row);
    const std::int64_t row = buffered + memory.beside_row;
    const std::int64_t fixed = memory_of_process("VmRSS") + reserve + memory.reader_bytes +
                               2 * memory.halo * (buffered + memory.in_row) + memory.out_row;
    const std::int64_t rows =
        std::min((memory_mib * mib - fixed) / row, most_values / memory.out_row);
    if (rows < 1) {
        throw common::BadUsage(fmt::format("--memory {}: bands of one row need at least {} MiB",
                                           memory_mib, (fixed + row) / mib + 1));
    }
    const std::int64_t whole = rows < most_strip_rows ? rows : rows - rows % most_strip_rows;
    return static_cast<int>(std::min<std::int64_t>(whole, memory.height));
}

}  // namespace harness
