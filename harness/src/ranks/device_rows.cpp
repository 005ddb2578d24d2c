#include "ranks/device_rows.hpp"

#include <algorithm>
#include <chrono>

#include "common/clock.hpp"
#include "device/buffers.hpp"
#include "device/stream.hpp"

namespace harness {
namespace {

UntypedRows rows_of(const PitchedImage& image) {
    const DeviceImage& rows = image.image();
    return {rows.data, rows.shape.width, rows.shape.height, CV_MAT_CN(rows.shape.type),
            static_cast<std::ptrdiff_t>(rows.pitch)};
}

class CudaRows : public DeviceRows {
  public:
    CudaRows(const Shape& in, const Shape& out, int halo) : in_(in, halo), out_(out) {}

    void prepare(const cv::Mat& in, unsigned char fill) override {
        in_.fill(fill, stream_);
        in_.upload(in, stream_);
        out_.fill(fill, stream_);
        stream_.wait();
    }

    double call(const RankFunction& function, const std::byte* options, Scratch& scratch,
                const Ranks& ranks) override {
        const auto start = std::chrono::steady_clock::now();
        function.call(rows_of(in_), rows_of(out_), options, scratch, ranks, stream_);
        stream_.wait();
        return ms_since(start);
    }

    void download(cv::Mat& out) override {
        out_.download(out, stream_);
        stream_.wait();
    }

  private:
    Stream stream_;
    PitchedImage in_;
    PitchedImage out_;
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
