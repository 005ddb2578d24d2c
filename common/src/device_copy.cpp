// How many bytes per second a plain copy on the GPU moves: the limit of most variants.

#include <algorithm>
#include <vector>

#include "common/cuda.cuh"
#include "common/device.hpp"
#include "common/statistics.hpp"
#include "device_buffers.hpp"
#include "event.hpp"
#include "stream.hpp"

namespace common {
double device_copy_gb_per_s(std::size_t bytes, int repeats) {
    const std::size_t half = std::max<std::size_t>(bytes / 2, 1);
    const Buffer from(half);
    const Buffer to(half);
    const CacheFlush flush;
    const Stream stream;
    const Event start;
    const Event stop;
    std::vector<double> ms;
    for (int i = 0; i < repeats + 3; ++i) {  // three to warm up
        flush(stream);
        start.record(stream);
        check(cudaMemcpyAsync(to.data(), from.data(), half, cudaMemcpyDeviceToDevice, stream));
        stop.record(stream);
        stream.wait();
        if (i >= 3) ms.push_back(stop.ms_since(start));
    }
    return 2.0 * static_cast<double>(half) / statistics(ms).trimmed_mean / 1e6;
}

}  // namespace common
