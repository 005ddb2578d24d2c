#include "bench/targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>

#include "common/error.hpp"
#include "harness/device.hpp"
#include "harness/roofline.hpp"

namespace harness {

using namespace common;
namespace {

constexpr double long_call_ms = 20;  // after which a warm-up changes nothing
constexpr std::chrono::milliseconds until_openmp_sleeps{2};  // see supervisor.cpp on GOMP_SPINCOUNT

class VariantTarget : public Target {
  public:
    VariantTarget(const Trial& trial, Runner& runner, std::uint64_t verified, const Check& check)
        : trial_(trial), runner_(runner), check_(check), verified_(verified) {}

    void warm_up() override {
        if (!bound()) std::this_thread::sleep_for(until_openmp_sleeps);
        if (last_ms_ > long_call_ms) return;
        repeat_briefly([this] { return runner_.kernel(); });
    }

    Times measure() override {
        ++repeat_;
        Times times;
        if (runner_.has_transfers()) {
            runner_.fill_kernel_output(fill_pattern());
        } else {
            fill_output();
        }
        times.kernel_ms = runner_.kernel();
        last_ms_ = times.kernel_ms;
        if (runner_.kernel_fingerprint(check_threads()) != verified_) {
            runner_.fetch();
            require_right();
        }
        times.total_ms = times.kernel_ms;
        if (!runner_.has_transfers() || trial_.kernel_only) return times;
        fill_output();
        times.total_ms = runner_.call();
        if (runner_.fingerprint(check_threads()) != verified_) require_right();
        return times;
    }

    int watched_threads() const override {
        if (trial_.variant.on_device || runner_.has_transfers()) return 0;
        return bound() ? trial_.options.threads : 1;
    }
    bool bound() const override { return has_own_threads(trial_.variant); }

  private:
    const Trial& trial_;
    Runner& runner_;
    const Check& check_;
    std::uint64_t verified_;
    int repeat_ = 0;
    double last_ms_ = 0;

    unsigned char fill_pattern() const { return repeat_ % 2 == 0 ? 0xA5 : 0x5A; }

    /// The variant's threads fill the output, because it would be in their caches. One thread fills
    /// it for a library: idle OpenMP threads spin for a while and would slow down the library's.
    void fill_output() {
        const bool library = trial_.variant.backend == Backend::peer && !trial_.variant.on_device;
        runner_.fill_output(fill_pattern(), library ? 1 : check_threads());
    }
    int check_threads() const { return std::min(trial_.options.threads, 64); }

    /// Another output than the verified one may be right too, within a tolerance.
    void require_right() const {
        const Verdict verdict = check_(runner_.result(), trial_.variant.agreement);
        if (verdict.ok()) return;
        throw WrongOutput(fmt::format(" in timed repeat {}: {}", repeat_, verdict.text()));
    }
};

class CopyTarget : public Target {
  public:
    /// On the GPU there are no threads.
    CopyTarget(std::function<double()> copy, int threads)
        : copy_(std::move(copy)), threads_(threads) {}
    void warm_up() override { repeat_briefly(copy_); }
    Times measure() override {
        const double ms = copy_();
        return {ms, ms};
    }
    int watched_threads() const override { return threads_; }
    bool bound() const override { return threads_ > 0; }

  private:
    std::function<double()> copy_;
    int threads_;
};

}  // namespace

std::unique_ptr<Target> variant_target(const Trial& trial, Runner& runner, std::uint64_t verified,
                                       const Check& check) {
    return std::make_unique<VariantTarget>(trial, runner, verified, check);
}

std::unique_ptr<Target> device_copy_target(std::size_t bytes) {
    return std::make_unique<CopyTarget>(device_copy(bytes), 0);
}

std::unique_ptr<Target> host_copy_target(std::size_t bytes, int threads) {
    return std::make_unique<CopyTarget>(host_copy(bytes, threads), threads);
}

}  // namespace harness
