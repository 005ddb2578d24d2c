// Intel's IPP: its general filter, with 16-bit integer weights and a divisor where the mask has
// them, and with floats otherwise. It correlates, as the definition does. A border of constant
// zeros agrees with the definition, and so does truncation. A call uses one thread, so each thread
// gets a band of rows, and reads the rows beside it.

#include <ipp/ippcore.h>
#include <ipp/ippi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "common/error.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

/// The mask as IPP wants it.
struct Kernel {
    IppiSize size;
    std::vector<Ipp16s> integers;  ///< empty if the weights are not integers over a divisor
    std::vector<Ipp32f> floats;
    int divisor = 0;

    explicit Kernel(const Mask& mask) : size{mask.size, mask.size} {
        floats.assign(mask.weights, mask.weights + mask.size * mask.size);
        while (integers.empty() && divisor < 256) set_integers(++divisor);
    }

    /// Sets the integers, if all weights are fractions with this denominator.
    void set_integers(int denominator) {
        const auto is_fraction = [&](float weight) {
            const float integer = std::nearbyint(weight * static_cast<float>(denominator));
            return std::abs(integer) < 128 && integer / static_cast<float>(denominator) == weight;
        };
        if (!std::all_of(floats.begin(), floats.end(), is_fraction)) return;
        for (const float weight : floats) {
            integers.push_back(
                static_cast<Ipp16s>(std::nearbyint(weight * static_cast<float>(denominator))));
        }
    }

    IppDataType type() const { return integers.empty() ? ipp32f : ipp16s; }

    IppStatus make(int channels, IppiFilterBorderSpec* spec) const {
        return integers.empty() ? ippiFilterBorderInit_32f(floats.data(), size, ipp8u, channels,
                                                           ippRndZero, spec)
                                : ippiFilterBorderInit_16s(integers.data(), size, divisor, ipp8u,
                                                           channels, ippRndZero, spec);
    }
};

/// A status below 0 is an error.
static IppStatus filter_rows(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                             const Kernel& kernel, int top, int bottom) {
    const IppiSize region{in.width, bottom - top};
    int spec_size = 0;
    int buffer_size = 0;
    const IppStatus sizes = ippiFilterBorderGetSize(kernel.size, region, ipp8u, kernel.type(),
                                                    in.channels, &spec_size, &buffer_size);
    if (sizes < ippStsNoErr) return sizes;
    std::vector<Ipp8u> spec_bytes(static_cast<std::size_t>(spec_size));
    std::vector<Ipp8u> buffer(static_cast<std::size_t>(buffer_size));
    auto* spec = reinterpret_cast<IppiFilterBorderSpec*>(spec_bytes.data());
    const IppStatus made = kernel.make(in.channels, spec);
    if (made < ippStsNoErr) return made;
    const int border = ippBorderConst | (top > 0 ? ippBorderInMemTop : 0) |
                       (bottom < in.height ? ippBorderInMemBottom : 0);
    const Ipp8u zeros[3] = {};
    const auto filter = in.channels == 1 ? ippiFilterBorder_8u_C1R : ippiFilterBorder_8u_C3R;
    return filter(in.row(top), static_cast<int>(in.pitch), out.row(top),
                  static_cast<int>(out.pitch), region, static_cast<IppiBorderType>(border), zeros,
                  spec, buffer.data());
}

void peer_ipp(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
              const Options& options) {
    const Kernel kernel(options.mask);
    const int bands = std::clamp(in.height / options.mask.size, 1, options.threads);
    const auto edge = [&](int i) { return static_cast<int>(std::int64_t{in.height} * i / bands); };
    std::vector<IppStatus> status(static_cast<std::size_t>(bands));
#pragma omp parallel for schedule(static) num_threads(bands)
    for (int b = 0; b < bands; ++b) {
        status[static_cast<std::size_t>(b)] = filter_rows(in, out, kernel, edge(b), edge(b + 1));
    }
    const IppStatus worst = *std::min_element(status.begin(), status.end());
    if (worst < ippStsNoErr) throw common::Failed(ippGetStatusString(worst));
}

static const Register registered{
    {.name = "peer_ipp",
     .backend = common::Backend::peer,
     .idea = "ippiFilterBorder; floats may be rounded otherwise, so compared with tolerance 1",
     .agreement = {.tolerance = 1}},
    peer_ipp};

}  // namespace convolution
