// Lab 3 for the judge.

#include <algorithm>

#include "judge/judge.hpp"
#include "lab.hpp"
#include "problem/filter.hpp"
#include "problem/oracle.hpp"
#include "problem/variant.hpp"

namespace grading {
namespace {

using upscale::Options;
using Byte = std::uint8_t;

/// Variants whose pixels have four bytes are known by their names: what a student's file says of
/// itself does not count.
upscale::Traits traits_of(const std::string& name) {
    upscale::Traits traits;
    traits.four_byte_pixels = name == "cuda_uchar4_packed";
    return traits;
}

}  // namespace

void register_proxy(const std::string& name, bool on_device) {
    const common::VariantInfo info{.name = name, .backend = harness::backend_of(name), .idea = ""};
    if (on_device) {
        // The first kernels have Gaussian weights, or colour images, only.
        upscale::Register{info, device_proxy<Byte, Byte, Options, true>, traits_of(name)};
    } else {
        upscale::Register{info, host_proxy<Byte, Byte, Options>, traits_of(name)};
    }
}

/// The sigma is new in each call, and so are the weights. By default it is half the radius: with
/// the 0.36 of the other experiments, the outermost weights are 3e-9, and a variant that drops
/// these taps is faster and still right.
TimedCase timed_case(const nlohmann::json& speed, int threads, Secret& secret) {
    const nlohmann::json where = speed.value("where", nlohmann::json::object());
    upscale::Filter filter;
    filter.radius = size_in(where, "radius", 2);
    filter.sigma =
        number_in(where, "sigma", filter.radius / 2.0) * secret.between(950, 1050) / 1000;
    common::RunOptions run;
    run.threads = threads;
    run.block = block_in(where);
    const int width = size_in(where, "width", 960);
    cv::Mat in(size_in(where, "height", width * 9 / 16), width, CV_8UC3);
    fill(in, secret);
    return {in, cv::Mat(2 * in.rows, 2 * in.cols, in.type()), bytes_of(filter.options(run)),
            upscale::oracle(in, filter),
            library_job(upscale::variants(), speed, [&](const auto& variant) {
                return upscale::job_for(variant, filter.options(run));
            })};
}

}  // namespace grading
