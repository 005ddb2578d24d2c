#include "harness/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "common/clock.hpp"
#include "common/error.hpp"
#include "measure/fingerprint.hpp"

namespace harness {

using namespace common;

Runner::Runner(Job job, const cv::Mat& in, const Shape& out)
    : job_(std::move(job)), in_(job_.adapted_input(in)) {
    const Shape shape = job_.adapted_output(out);
    out_.create(shape.height, shape.width, shape.type);
    if (job_.needs_transfers()) device_ = make_device_runner(job_, in_, shape);
    if (const RankCall* call = job_.in_ranks()) ranks_.emplace(*call, in_, shape);
}

void Runner::fill_kernel_output(unsigned char value) {
    if (device_) device_->fill_output(value);
    if (ranks_) ranks_->fill_output(value);
}

void Runner::fill_output(unsigned char value, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int y = 0; y < out_.rows; ++y) {
        std::memset(out_.ptr(y), value, static_cast<std::size_t>(out_.cols) * out_.elemSize());
    }
    fill_kernel_output(value);
}

void Runner::share_images(const Runner& other) {
    const bool same_out = Shape::of(out_) == Shape::of(other.out_);
    if (same_out) out_ = other.out_;
    const bool same_in = in_.data == other.in_.data;  // an adapter makes an input of its own
    if (device_ && other.device_ && same_in && same_out && !job_.transfers.fresh_buffers &&
        !other.job_.transfers.fresh_buffers) {
        device_->share_images(*other.device_);
    }
}

std::uint64_t Runner::fingerprint(int threads) const {
    return harness::fingerprint(out_, threads);
}

std::uint64_t Runner::kernel_fingerprint(int threads) {
    if (device_) return device_->fingerprint();
    if (ranks_) return ranks_->fingerprint();
    fetch();
    return fingerprint(threads);
}

void Runner::fetch() {
    if (device_) device_->download(out_);
    if (ranks_) ranks_->fetch(out_);
}

double Runner::call() {
    if (device_) return device_->call(out_);
    if (ranks_) return ranks_->call(out_);
    const auto start = std::chrono::steady_clock::now();
    job_.run(in_, out_, scratch_);
    return ms_since(start);
}

double Runner::kernel() {
    if (ranks_) return ranks_->kernel();
    return device_ ? device_->kernel() : call();
}

double first_call(Runner& runner, const VariantInfo& variant) {
    try {
        return runner.call();
    } catch (const Failed& failure) {
        const auto fault = emulated_fault(failure.what());
        if (!fault) throw;
        throw Failed(fmt::format("{} is WRONG, nothing written: {}", variant.name, *fault));
    }
}

Samples measure(Runner& runner, int repeats) {
    Samples samples;
    const int warm_ups = runner.on_gpu() ? 3 : 1;
    for (int i = 0; i < warm_ups; ++i) runner.kernel();
    for (int i = 0; i < repeats; ++i) samples.kernel_ms.push_back(runner.kernel());
    if (!runner.has_transfers()) {
        samples.total_ms = samples.kernel_ms;
        return samples;
    }
    runner.call();
    for (int i = 0; i < repeats; ++i) samples.total_ms.push_back(runner.call());
    return samples;
}

double Samples::disturbed_part() const {
    if (disturbed.empty()) return 0;
    return static_cast<double>(std::count(disturbed.begin(), disturbed.end(), true)) /
           static_cast<double>(disturbed.size());
}

}  // namespace harness
