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

}  // namespace

struct DeviceRunner::State {
    Job job;
    cv::Mat in;
    Shape out;
    int guard_rows;
    Stream stream;
    Event start;
    Event stop;
    std::optional<JobBuffers> made;
    bool uploaded = false;  // whether `made` holds the input

    State(Job bound, cv::Mat input, const Shape& out_shape, int rows)
        : job(std::move(bound)), in(std::move(input)), out(out_shape), guard_rows(rows) {
        buffers();
    }

    JobBuffers& buffers() {
        if (!made) {
            made.emplace(Shape::of(in), out, job.transfers, guard_rows);
            uploaded = false;
        }
        return *made;
    }

    void upload() {
        JobBuffers& mine = buffers();
        if (mine.pinned_in) in.copyTo(*mine.pinned_in);
        mine.images->in.upload(mine.pinned_in.value_or(in), stream);
        uploaded = true;
    }

    void launch() {
        JobBuffers& mine = buffers();
        job.run(mine.images->in.image(), mine.images->out.image(), mine.scratch, stream);
    }

    void download(cv::Mat& to) {
        JobBuffers& mine = buffers();
        mine.images->out.download(mine.pinned_out ? *mine.pinned_out : to, stream);
        stream.wait();
        if (mine.pinned_out) mine.pinned_out->copyTo(to);
    }

    void free_if_fresh() {
        if (job.transfers.fresh_buffers) made.reset();
    }
};

DeviceRunner::DeviceRunner(Job job, cv::Mat in, const Shape& out, int guard_rows) {
    require_device_memory(Shape::of(in).bytes() + out.bytes());
    state_ = std::make_unique<State>(std::move(job), std::move(in), out, guard_rows);
}

DeviceRunner::~DeviceRunner() = default;

void DeviceRunner::set_input(cv::Mat in) {
    state_->in = std::move(in);
    state_->uploaded = false;
}

void DeviceRunner::fill_output(unsigned char value) {
    state_->buffers().images->out.fill(value, state_->stream);
    state_->stream.wait();
}

cv::Mat DeviceRunner::memory_of_input() const {
    return state_->buffers().images->in.memory(state_->stream);
}

cv::Mat DeviceRunner::memory_of_output() const {
    return state_->buffers().images->out.memory(state_->stream);
}

double DeviceRunner::call(cv::Mat& out) {
    state_->free_if_fresh();  // what `kernel` has allocated: the call allocates its own
    const auto start = std::chrono::steady_clock::now();
    state_->upload();
    state_->launch();
    state_->download(out);
    state_->free_if_fresh();
    return ms_since(start);
}

void DeviceRunner::share_images(const DeviceRunner& other) {
    state_->stream.wait();
    state_->buffers().images = other.state_->buffers().images;
    state_->uploaded = other.state_->uploaded;
}

std::uint64_t DeviceRunner::fingerprint() {
    return device_fingerprint(state_->buffers().images->out.image(), state_->stream);
}

void DeviceRunner::download(cv::Mat& out) {
    state_->buffers().images->out.download(out, state_->stream);
    state_->stream.wait();
}

Stages DeviceRunner::stages(cv::Mat& out) {
    auto start = std::chrono::steady_clock::now();
    const auto lap = [&] {
        state_->stream.wait();
        const double ms = ms_since(start);
        start = std::chrono::steady_clock::now();
        return ms;
    };
    Stages stages;
    const Scratch& scratch = state_->buffers().scratch;
    stages.allocation = lap();
    state_->upload();
    stages.upload = lap();
    const double allocated_before = scratch.allocation_ms();
    state_->launch();
    stages.kernels = lap();
    const double allocated_on_the_way = scratch.allocation_ms() - allocated_before;
    stages.kernels -= allocated_on_the_way;
    stages.allocation += allocated_on_the_way;
    state_->download(out);
    stages.download = lap();
    state_->free_if_fresh();
    stages.allocation += lap();
    return stages;
}

double DeviceRunner::kernel() {
    if (!state_->uploaded) state_->upload();
    std::optional<CacheFlush>& flush = state_->buffers().images->flush;
    if (!flush) flush.emplace();
    (*flush)(state_->stream);
    state_->start.record(state_->stream);
    state_->launch();
    state_->stop.record(state_->stream);
    state_->stream.wait();
    return state_->stop.ms_since(state_->start);
}

}  // namespace harness
