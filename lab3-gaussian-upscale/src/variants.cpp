#include "variants.hpp"

#include <opencv2/imgproc.hpp>

#include "common/error.hpp"
#include "not_built.hpp"

namespace upscale {
namespace {

using Typed = common::Variant<std::uint8_t, std::uint8_t, Options>;

template <class Function>
Variant row(const common::VariantInfo& info, Function* function) {
    const Typed typed(info, function);
    Variant variant{typed, nullptr};
    if (typed.built())
        variant.bind = [typed](const Options& options) { return typed.bind(options); };
    return variant;
}

/// Pixels of four bytes for those of three. The fourth is not zero, so that it shows if it leaks
/// into a colour.
common::Adapter four_bytes(const std::string& variant) {
    common::Adapter adapter;
    adapter.input = [variant](const cv::Mat& in) {
        if (in.channels() != 3) throw common::Unsupported(variant + ": takes colour images only");
        cv::Mat packed;
        cv::cvtColor(in, packed, cv::COLOR_BGR2BGRA);
        return packed;
    };
    adapter.output = [](const common::Shape& out) {
        return common::Shape{out.width, out.height, CV_8UC4};
    };
    adapter.result = [](const cv::Mat& out) {
        cv::Mat colour;
        cv::cvtColor(out, colour, cv::COLOR_BGRA2BGR);
        return colour;
    };
    return adapter;
}

Variant rgba_row(const common::VariantInfo& info, Typed::DeviceFunction* function) {
    Variant variant = row(info, function);
    if (!variant.built()) return variant;
    variant.bind = [bind = variant.bind, name = info.name](const Options& options) {
        common::Job job = bind(options);
        job.adapter = four_bytes(name);
        return job;
    };
    return variant;
}

}  // namespace

// Weak declarations: the function of a variant that was left out of the build is null instead of a
// link error, and `list` gives the reason.
#define HOST(backend, name, ...) [[gnu::weak]] Typed::HostFunction name;
#define DEVICE(backend, name, ...) [[gnu::weak]] Typed::DeviceFunction name;
#define DEVICE_RGBA DEVICE
#include "variants.def"
#undef HOST
#undef DEVICE
#undef DEVICE_RGBA

const std::vector<Variant>& variants() {
    using common::Agreement, common::Backend;
#define HOST(backend, name, ...) row({#name, Backend::backend, __VA_ARGS__}, name),
#define DEVICE HOST
#define DEVICE_RGBA(backend, name, ...) rgba_row({#name, Backend::backend, __VA_ARGS__}, name),
    static const auto table = common::finished<Variant>(
        {
#include "variants.def"
        },
        not_built);
    return table;
}

const Variant& variant_called(std::string_view name) {
    return common::row_called(variants(), name);
}

}  // namespace upscale
