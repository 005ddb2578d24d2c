#include "ranks/device_rows.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "device/buffers.hpp"
#include "device/gate.hpp"
#include "device/stream.hpp"
#include "measure/fingerprint.hpp"
#include "ranks/mpi_hooks.hpp"

namespace harness {
namespace {

class CudaRows : public DeviceRows {
  public:
    CudaRows(const Shape& in, const Shape& out, int halo) : halo_(halo), in_(in, halo), out_(out) {}

    void prepare(const cv::Mat& in, unsigned char fill) override {
        if (!std::exchange(uploaded_, true)) in_.upload(in, stream_);
        const UntypedRows& rows = in_.image();
        const std::size_t room = static_cast<std::size_t>(halo_) * rows.pitch;
        auto* first = static_cast<std::byte*>(rows.data);
        const std::size_t height = static_cast<std::size_t>(rows.height);
        check(cudaMemsetAsync(first - room, fill, room, stream_));
        check(cudaMemsetAsync(first + height * rows.pitch, fill, room, stream_));
        out_.fill(fill, stream_);
        stream_.wait();
    }

    double call(const RankFunction& function, const std::byte* options, Scratch& scratch,
                const Ranks& ranks, bool gated) override {
        const auto launch = [&] {
            start_.record(stream_);
            function.call(in_.image(), out_.image(), options, scratch, ranks, stream_);
            stop_.record(stream_);
        };
        gated ? launch_together(launch, ranks) : launch();
        stream_.wait();
        return stop_.ms_since(start_);
    }

    void download(cv::Mat& out) override {
        out_.download(out, stream_);
        stream_.wait();
    }

    std::uint64_t fingerprint(int first_row) override {
        return device_fingerprint(out_.image(), stream_, first_row);
    }

  private:
    Stream stream_;
    Event start_;
    Event stop_;
    int halo_;
    bool uploaded_ = false;
    PitchedImage in_;
    PitchedImage out_;

#if defined(LABS_EMULATED)  // is never timed
    template <class Launch>
    void launch_together(const Launch& launch, const Ranks&) {
        launch();
    }
#else
    std::optional<CacheFlush> flush_;
    Gate gate_;

    /// Flushes the L2 cache, and starts the kernels when all ranks have launched theirs.
    template <class Launch>
    void launch_together(const Launch& launch, const Ranks& ranks) {
        if (!flush_) flush_.emplace();
        (*flush_)(stream_);
        gate_.close(stream_);
        try {
            launch();
        } catch (...) {
            gate_.open();
            throw;
        }
        say(wire::Doing::finished);
        PMPI_Barrier(ranks.comm);
        gate_.open();
    }
#endif
};

}  // namespace

std::unique_ptr<DeviceRows> make_device_rows(const Shape& in, const Shape& out, int halo,
                                             int number) {
    int count = 0;
    check(cudaGetDeviceCount(&count));
    check(cudaSetDevice(number % std::max(count, 1)));
    return std::make_unique<CudaRows>(in, out, halo);
}

}  // namespace harness
