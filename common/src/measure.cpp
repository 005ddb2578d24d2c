#include "common/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "clock.hpp"
#include "common/statistics.hpp"

namespace common {
namespace {

template <class Call>
double wall_ms(Call call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    return ms_since(start);
}

void threaded_copy(std::vector<unsigned char>& to, const std::vector<unsigned char>& from,
                   int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int part = 0; part < threads; ++part) {
        const auto cut = [&](int p) {
            return from.size() * static_cast<std::size_t>(p) / static_cast<std::size_t>(threads);
        };
        std::memcpy(to.data() + cut(part), from.data() + cut(part), cut(part + 1) - cut(part));
    }
}

double host_copy_gb_per_s(std::size_t bytes, int threads, int repeats) {
    const std::size_t half = std::max<std::size_t>(bytes / 2, 1);
    const std::vector<unsigned char> from(half, 1);
    std::vector<unsigned char> to(half, 2);
    std::vector<double> ms;
    for (int i = 0; i < repeats + 1; ++i) {  // one to warm up
        const double time = wall_ms([&] { threaded_copy(to, from, threads); });
        if (i >= 1) ms.push_back(time);
    }
    return 2.0 * static_cast<double>(half) / statistics(ms).trimmed_mean / 1e6;
}

}  // namespace

Runner::Runner(Job job, const cv::Mat& in, const Shape& out)
    : job_(std::move(job)), in_(job_.adapted_input(in)) {
    const Shape shape = job_.adapted_output(out);
    out_.create(shape.height, shape.width, shape.type);
    if (job_.device) device_.emplace(job_, in_, shape);
}

void Runner::poison(unsigned char value) {
    for (int y = 0; y < out_.rows; ++y) {
        std::memset(out_.ptr(y), value, static_cast<std::size_t>(out_.cols) * out_.elemSize());
    }
    if (device_) device_->poison(value);
}

double Runner::call() {
    if (device_) return device_->call(out_);
    if (job_.host_to_host) return wall_ms([this] { job_.host_to_host(in_, out_, scratch_); });
    return wall_ms([this] { job_.host(in_, out_); });
}

double Runner::kernel() {
    return device_ ? device_->kernel() : call();
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

double CopyLimits::device(std::size_t bytes) {
    auto [entry, is_new] = known_.try_emplace({bytes, 0});
    if (is_new) entry->second = device_copy_gb_per_s(bytes, repeats_);
    return entry->second;
}

double CopyLimits::host(std::size_t bytes, int threads) {
    auto [entry, is_new] = known_.try_emplace({bytes, threads});
    if (is_new) entry->second = host_copy_gb_per_s(bytes, threads, repeats_);
    return entry->second;
}

}  // namespace common
