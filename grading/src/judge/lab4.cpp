// Lab 4 for the judge.

#include "harness/scenes.hpp"
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

/// A scene of the experiment `images`, with a landscape that is new in each call. Neighbours often
/// have the same level, as in pictures: what a histogram costs depends on it. It is four times as
/// wide and high as in the experiment: a call of less than a millisecond would measure how soon the
/// scheduler wakes its threads.
TimedCase timed_case(const nlohmann::json& speed, int threads, Secret& secret) {
    const nlohmann::json where = speed.value("where", nlohmann::json::object());
    Options options;
    options.threads = threads;
    options.block = block_in(where);
    const int enlarged = where.contains("scene") ? 1 : 4;
    const int width = size_in(where, "width", 960) * enlarged;
    const int height =
        where.contains("height") ? size_in(where, "height", 540) * enlarged : width * 9 / 16;
    const cv::Mat in =
        common::make_scene(where.value("scene", "dark-interior"), width, height, 1, secret.next());
    return {in, cv::Mat(in.size(), in.type()), bytes_of(options), equalize::oracle::check(in),
            library_job(equalize::variants(), speed,
                        [&](const auto& variant) { return common::bind(variant, options); })};
}

}  // namespace grading
