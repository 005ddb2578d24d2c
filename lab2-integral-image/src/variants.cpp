#include "variants.hpp"

#include "library_form.hpp"
#include "not_built.hpp"

namespace integral {
namespace {

template <class In, class Sum>
using Typed = common::Variant<In, Sum, Options>;

template <class Function32, class Function64>
Variant row(const common::VariantInfo& info, Cost cost, Function32* sums32, Function64* sums64) {
    const Typed<Pixel, Sum32> narrow(info, sums32);
    const Typed<Pixel, Sum64> wide(info, sums64);
    Variant variant{narrow, cost, nullptr};
    if (!narrow.built()) return variant;
    variant.bind = [narrow, wide](const Options& options) {
        const common::Job job32 = narrow.bind(options);
        const common::Job job64 = wide.bind(options);
        common::Job job;
        if (narrow.on_device) {
            job.device = [=](const common::DeviceImage& in, const common::DeviceImage& out,
                             common::Scratch& scratch, cudaStream_t stream) {
                (out.shape.type == CV_32SC1 ? job32 : job64).device(in, out, scratch, stream);
            };
        } else {
            job.host = [=](const cv::Mat& in, cv::Mat& out) {
                (out.type() == CV_32SC1 ? job32 : job64).host(in, out);
            };
        }
        return job;
    };
    return variant;
}

template <class Function>
Variant bytes_row(const common::VariantInfo& info, Cost cost, Function* function) {
    const Typed<std::uint8_t, Sum32> typed(info, function);
    Variant variant{typed, cost, nullptr};
    if (!typed.built()) return variant;
    variant.bind = [typed](const Options& options) {
        common::Job job = typed.bind(options);
        job.adapter = library_form(typed.name);
        return job;
    };
    return variant;
}

}  // namespace

// Weak declarations: the function of a variant that was left out of the build is null instead of a
// link error, and `list` gives the reason.
#define HOST(backend, name, ...)                          \
    [[gnu::weak]] Typed<Pixel, Sum32>::HostFunction name; \
    [[gnu::weak]] Typed<Pixel, Sum64>::HostFunction name;
#define DEVICE(backend, name, ...)                          \
    [[gnu::weak]] Typed<Pixel, Sum32>::DeviceFunction name; \
    [[gnu::weak]] Typed<Pixel, Sum64>::DeviceFunction name;
#define HOST_BYTES(backend, name, ...) [[gnu::weak]] Typed<std::uint8_t, Sum32>::HostFunction name;
#define DEVICE_BYTES(backend, name, ...) \
    [[gnu::weak]] Typed<std::uint8_t, Sum32>::DeviceFunction name;
#include "variants.def"
#undef HOST
#undef DEVICE
#undef HOST_BYTES
#undef DEVICE_BYTES

const std::vector<Variant>& variants() {
    using common::Backend;
#define HOST(backend, name, cost, idea)                                        \
    row<Typed<Pixel, Sum32>::HostFunction, Typed<Pixel, Sum64>::HostFunction>( \
        {#name, Backend::backend, idea}, Cost::cost, name, name),
#define DEVICE(backend, name, cost, idea)                                          \
    row<Typed<Pixel, Sum32>::DeviceFunction, Typed<Pixel, Sum64>::DeviceFunction>( \
        {#name, Backend::backend, idea}, Cost::cost, name, name),
#define HOST_BYTES(backend, name, cost, idea) \
    bytes_row({#name, Backend::backend, idea}, Cost::cost, name),
#define DEVICE_BYTES HOST_BYTES
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

double work(const Variant& variant, int width, int height) {
    const double w = width;
    const double h = height;
    if (variant.cost == Cost::linear) return w * h;
    constexpr double per_pixel = 1000;  // a parallel region, if it is one of those
    return w * (w + 1) / 2 * h * (h + 1) / 2 + per_pixel * w * h;
}

}  // namespace integral
