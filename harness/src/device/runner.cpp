// Transfers to and from the GPU, kernels, and clocks.

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "common/clock.hpp"
#include "common/scratch.hpp"
#include "device/buffers.hpp"
#include "device/stream.hpp"
#include "harness/device.hpp"
#include "measure/fingerprint.hpp"

namespace harness {

using namespace common;
namespace {

struct Images {
    PitchedImage in;
    PitchedImage out;
    std::optional<CacheFlush> flush{};  ///< made when needed, because it is no part of a cold call

    Images(const Shape& in_shape, const Shape& out_shape, int guard_rows)
        : in(in_shape, guard_rows), out(out_shape, guard_rows) {}
};

/// Everything that a call of a job allocates.
struct JobBuffers {
    std::shared_ptr<Images> images;      ///< shared by the variants of a problem
    Scratch scratch{};                   ///< of the job
    Scratch staging{};                   ///< of the transfers
    std::optional<cv::Mat> pinned_in{};  ///< in `staging`
    std::optional<cv::Mat> pinned_out{};

    JobBuffers(const Shape& in_shape, const Shape& out_shape, const Transfers& transfers,
               int guard_rows)
        : images(std::make_shared<Images>(in_shape, out_shape, guard_rows)) {
        if (!transfers.pinned) return;
        pinned_in = pinned(0, in_shape);
        pinned_out = pinned(1, out_shape);
    }

  private:
    cv::Mat pinned(std::size_t slot, const Shape& shape) {
        return {shape.height, shape.width, shape.type, staging.pinned(slot, shape.bytes())};
    }
};

class CudaRunner : public DeviceRunner {
  public:
    CudaRunner(Job job, cv::Mat in, const Shape& out, int guard_rows)
        : job_(std::move(job)), in_(std::move(in)), out_(out), guard_rows_(guard_rows) {
        buffers();
    }

    void set_input(cv::Mat in) override {
        in_ = std::move(in);
        uploaded_ = false;
    }

    void fill_output(unsigned char value) override {
        buffers().images->out.fill(value, stream_);
        stream_.wait();
    }

    cv::Mat memory_of_input() override { return buffers().images->in.memory(stream_); }
    cv::Mat memory_of_output() override { return buffers().images->out.memory(stream_); }

    double call(cv::Mat& out) override {
        free_if_fresh();  // what `kernel` has allocated: the call allocates its own
        const auto start = std::chrono::steady_clock::now();
        upload();
        launch();
        download_through_staging(out);
        free_if_fresh();
        return ms_since(start);
    }

    void share_images(DeviceRunner& other) override {
        auto& of = dynamic_cast<CudaRunner&>(other);
        stream_.wait();
        buffers().images = of.buffers().images;
        uploaded_ = of.uploaded_;
    }

    std::uint64_t fingerprint() override {
        return device_fingerprint(buffers().images->out.image(), stream_);
    }

    void download(cv::Mat& out) override {
        buffers().images->out.download(out, stream_);
        stream_.wait();
    }

    Stages stages(cv::Mat& out) override {
        auto start = std::chrono::steady_clock::now();
        const auto lap = [&] {
            stream_.wait();
            const double ms = ms_since(start);
            start = std::chrono::steady_clock::now();
            return ms;
        };
        Stages stages;
        const Scratch& scratch = buffers().scratch;
        stages.allocation = lap();
        upload();
        stages.upload = lap();
        const double allocated_before = scratch.allocation_ms();
        launch();
        stages.kernels = lap();
        const double allocated_on_the_way = scratch.allocation_ms() - allocated_before;
        stages.kernels -= allocated_on_the_way;
        stages.allocation += allocated_on_the_way;
        download_through_staging(out);
        stages.download = lap();
        free_if_fresh();
        stages.allocation += lap();
        return stages;
    }

    double kernel() override {
        if (!uploaded_) upload();
        std::optional<CacheFlush>& flush = buffers().images->flush;
        if (!flush) flush.emplace();
        (*flush)(stream_);
        start_.record(stream_);
        launch();
        stop_.record(stream_);
        stream_.wait();
        return stop_.ms_since(start_);
    }

  private:
    Job job_;
    cv::Mat in_;
    Shape out_;
    int guard_rows_;
    Stream stream_;
    Event start_;
    Event stop_;
    std::optional<JobBuffers> made_;
    bool uploaded_ = false;  // whether `made_` holds the input

    JobBuffers& buffers() {
        if (!made_) {
            made_.emplace(Shape::of(in_), out_, job_.transfers, guard_rows_);
            uploaded_ = false;
        }
        return *made_;
    }

    void upload() {
        JobBuffers& mine = buffers();
        if (mine.pinned_in) in_.copyTo(*mine.pinned_in);
        mine.images->in.upload(mine.pinned_in.value_or(in_), stream_);
        uploaded_ = true;
    }

    void launch() {
        JobBuffers& mine = buffers();
        job_.run(mine.images->in.image(), mine.images->out.image(), mine.scratch, stream_);
    }

    void download_through_staging(cv::Mat& to) {
        const std::optional<cv::Mat>& pinned = buffers().pinned_out;
        cv::Mat image = pinned.value_or(to);
        download(image);
        if (pinned) pinned->copyTo(to);
    }

    void free_if_fresh() {
        if (job_.transfers.fresh_buffers) made_.reset();
    }
};

}  // namespace

std::unique_ptr<DeviceRunner> make_device_runner(Job job, cv::Mat in, const Shape& out,
                                                 int guard_rows) {
    require_device_memory(Shape::of(in).bytes() + out.bytes());
    return std::make_unique<CudaRunner>(std::move(job), std::move(in), out, guard_rows);
}

}  // namespace harness
