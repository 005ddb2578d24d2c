// Lab 4 for the judge.

#include <algorithm>

#include "judge/judge.hpp"
#include "problem/oracle.hpp"
#include "problem/variant.hpp"

namespace grading {
namespace {

using equalize::Options;
using Byte = std::uint8_t;

}  // namespace

void register_proxy(const std::string& name, bool on_device) {
    const common::VariantInfo info{.name = name, .backend = common::backend_of(name), .idea = ""};
    if (on_device) {
        equalize::Register{info, device_proxy<Byte, Byte, Options>};
    } else {
        equalize::Register{info, host_proxy<Byte, Byte, Options>};
    }
}

/// Levels between two that are new in each call, so that each call has another table.
TimedCase timed_case(const nlohmann::json& speed, int threads, Secret& secret) {
    const nlohmann::json where = speed.value("where", nlohmann::json::object());
    Options options;
    options.threads = threads;
    const int width = size_in(where, "width", 3840);
    cv::Mat in(size_in(where, "height", width * 9 / 16), width, CV_8UC1);
    const std::uint64_t seed = secret.next();
    const auto low = static_cast<std::uint64_t>(secret.between(0, 60));
    const auto levels = static_cast<std::uint64_t>(secret.between(64, 190));
    for (std::size_t i = 0; i < in.total(); ++i) {
        const std::uint64_t bits = common::random_at(seed, i);
        in.data[i] = static_cast<Byte>(low + (bits >> 32) % levels * (bits & 0xFF) / 255);
    }
    return {in, cv::Mat(in.size(), in.type()), bytes_of(options), equalize::oracle::check(in),
            library_job(equalize::variants(), speed,
                        [&](const auto& variant) { return common::bind(variant, options); })};
}

}  // namespace grading
