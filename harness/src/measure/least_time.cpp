#include "measure/least_time.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/device.hpp"
#include "harness/machine.hpp"
#include "harness/roofline.hpp"

namespace harness {
namespace {

/// Three digits, without an exponent.
std::string three_digits(double x) {
    int decimals = 4;
    for (double limit = 0.1; decimals > 0 && x >= limit; limit *= 10) --decimals;
    return fmt::format("{:.{}f}", x, decimals);
}

bool noisy(const Rates& rates) {
    return too_noisy(rates.copy_gb_per_s.spread(), 0) ||
           too_noisy(rates.fma_gflop_per_s.spread(), 0);
}

std::string row_of(const Work& work, const Rates& rates) {
    const double copy_ms = static_cast<double>(work.bytes) / rates.copy_gb_per_s.median / 1e6;
    const double fma_ms = work.operations / rates.fma_gflop_per_s.median / 1e6;
    return fmt::format(
        "{:<16} {:>9} {:>6.0f}% {:>10} {:>6.0f}% {:>10} {:>14}   {}\n", rates.processor,
        three_digits(rates.copy_gb_per_s.median), 100 * rates.copy_gb_per_s.spread(),
        three_digits(rates.fma_gflop_per_s.median), 100 * rates.fma_gflop_per_s.spread(),
        three_digits(copy_ms), three_digits(fma_ms), copy_ms >= fma_ms ? "copy" : "operations");
}

}  // namespace

Work large_work(const Lab& lab) {
    const auto& [width, height, type] = lab.large;
    Work work{.size = fmt::format("{}x{}", width, height)};
    const cv::Mat in = cv::Mat::zeros(height, width, type);
    for (const VariantInfo& variant : lab.variants) {
        if (why_unavailable(variant)) continue;
        const ImageSource source = parse_source("scene:constant:" + work.size);
        const Problem problem = lab.problem(source, variant, RunOptions{});
        work.bytes = Shape::of(in).bytes() + problem.output_shape(in).bytes();
        work.operations = problem.operations(in);
        break;  // they are the same for all variants
    }
    return work;
}

std::vector<Rates> measured_rates(std::size_t copied_bytes) {
    const int threads = cpu_cores();
    std::vector<Rates> all{{fmt::format("CPU, {} thread{}", threads, threads == 1 ? "" : "s"),
                            copy_gb_per_s(copied_bytes, false, threads),
                            host_fma_gflop_per_s(threads)}};
    if (device_facts().usable() && !device_facts().emulated) {
        all.push_back({"GPU", copy_gb_per_s(copied_bytes, true, 0), device_fma_gflop_per_s()});
    }
    return all;
}

std::string least_times(const Work& work, std::span<const Rates> processors) {
    std::string text = fmt::format(
        "The least time of this lab at {}: {:.0f} MB of input and output, {:.3g} operations\n\n"
        "{:<16} {:>9} {:>7} {:>10} {:>7} {:>10} {:>14}   {}\n",
        work.size, static_cast<double>(work.bytes) / 1e6, work.operations, "", "copy GB/s",
        "spread", "FMA GFLOP/s", "spread", "copy ms", "operations ms", "limit");
    for (const Rates& rates : processors) text += row_of(work, rates);
    text +=
        "\nThe copy reads half of the bytes and writes the other half. Operations are those of the "
        "definition,\nat the rate of fp32 multiply-adds (FMA), which count as two. The larger time "
        "is the limit; a variant\nthat needs fewer operations can be below theirs. Rates are "
        "medians; the spread is the interquartile\nrange over the median.\n";
    if (std::ranges::any_of(processors, noisy)) {
        text += fmt::format(
            "Too noisy: a spread is over {:.0f}%. Measure again while nothing else runs.\n",
            100 * most_spread);
    }
    return text;
}

}  // namespace harness
