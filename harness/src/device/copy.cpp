// A copy on the GPU, whose rate is the limit of most variants.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "common/cuda.cuh"
#include "device/buffers.hpp"
#include "device/stream.hpp"
#include "harness/device.hpp"

namespace harness {

using namespace common;

namespace {

class Copy {
  public:
    explicit Copy(std::size_t half) : from_(half), to_(half) {}

    double run() const {
        flush_(stream_);
        start_.record(stream_);
        check(cudaMemcpyAsync(to_.data(), from_.data(), from_.bytes(), cudaMemcpyDeviceToDevice,
                              stream_));
        stop_.record(stream_);
        stream_.wait();
        return stop_.ms_since(start_);
    }

  private:
    Buffer from_;
    Buffer to_;
    CacheFlush flush_;
    Stream stream_;
    Event start_;
    Event stop_;
};

}  // namespace

std::function<double()> device_copy(std::size_t bytes) {
    const auto copy = std::make_shared<Copy>(std::max<std::size_t>(bytes / 2, 1));
    return [copy] { return copy->run(); };
}

std::vector<std::string> gpu_links() {
    constexpr std::size_t bytes = 256 << 20;
    const int gpus = device_facts().gpus;
    std::vector<std::string> lines;
    for (int a = 0; a < gpus; ++a) {
        for (int b = a + 1; b < gpus; ++b) {
            int direct = 0;
            int atomics = 0;
            check(cudaDeviceCanAccessPeer(&direct, a, b));
            check(cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, a, b));
            check(cudaSetDevice(b));
            if (direct != 0) cudaDeviceEnablePeerAccess(a, 0);  // or it is enabled already
            cudaGetLastError();
            const Buffer to(bytes);
            const Stream stream;
            const Event start;
            const Event stop;
            check(cudaSetDevice(a));
            const Buffer from(bytes);
            check(cudaSetDevice(b));
            for (int turn = 0; turn < 2; ++turn) {  // the first one warms up
                start.record(stream);
                check(cudaMemcpyPeerAsync(to.data(), b, from.data(), a, bytes, stream));
                stop.record(stream);
                stream.wait();
            }
            lines.push_back(fmt::format("GPU {} to GPU {}: {}, {:.0f} GB/s", a, b,
                                        direct == 0    ? "through memory of the CPU"
                                        : atomics != 0 ? "direct, with atomics (NVLink)"
                                                       : "direct, without atomics (PCIe)",
                                        static_cast<double>(bytes) / stop.ms_since(start) / 1e6));
        }
    }
    check(cudaSetDevice(0));
    return lines;
}

}  // namespace harness
