// Lab @{number}@ for the judge.

#include "harness/scenes.hpp"
#include "judge/judge.hpp"
#include "problem/oracle.hpp"
#include "problem/variant.hpp"

namespace grading {
namespace {

using @{space}@::Options;
using Byte = std::uint8_t;

}  // namespace

void register_proxy(const std::string& name, bool on_device) {
    const common::VariantInfo info{.name = name, .backend = common::backend_of(name), .idea = ""};
    if (on_device) {
        @{space}@::Register{info, device_proxy<Byte, Byte, Options>};
    } else {
        @{space}@::Register{info, host_proxy<Byte, Byte, Options>};
    }
}

/// Noise that is new in each call.
TimedCase timed_case(const nlohmann::json& speed, int threads, Secret& secret) {
    const nlohmann::json where = speed.value("where", nlohmann::json::object());
    Options options;
    options.threads = threads;
    options.block = block_in(where);
    cv::Mat in(size_in(where, "height", 4320), size_in(where, "width", 7680), CV_8UC3);
    fill(in, secret);
    return {in, cv::Mat(in.size(), in.type()), bytes_of(options),
            @{space}@::oracle::check(in, options),
            library_job(@{space}@::variants(), speed,
                        [&](const auto& variant) { return common::bind(variant, options); })};
}

}  // namespace grading
