// The Simd library (https://github.com/ermig1979/Simd) samples at the same positions as the
// definition. Its cubic method is Lagrange's polynomial, with weights of 7 bits: those of a
// doubling are multiples of 1/128, so sums are exact. At the border it takes the last pixel instead
// of replicating it. A call uses one thread, so each thread gets a band of rows.

#include <Simd/SimdLib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/error.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::ImageView;

static constexpr int reach = 4;  ///< rows beside a seam that `repair` reads, and computes again

static SimdResizeMethodType method_of(Method method) {
    switch (method) {
        case Method::lagrange:
            return SimdResizeMethodBicubic;
        case Method::bilinear:
            return SimdResizeMethodBilinear;
        case Method::gauss:
        case Method::bicubic:
        case Method::lanczos:
        case Method::learned:
            break;
    }
    throw common::Unsupported("peer_simd: has no such method; take --method lagrange");
}

/// Doubles rows [top, bottom) as if they were an image.
static void resize_rows(SimdResizeMethodType method, ImageView<const std::uint8_t> in, int top,
                        int bottom, std::uint8_t* to, std::ptrdiff_t pitch) {
    const auto width = static_cast<std::size_t>(in.width);
    const auto height = static_cast<std::size_t>(bottom - top);
    const std::unique_ptr<void, decltype(&SimdRelease)> resizer(
        SimdResizerInit(width, height, 2 * width, 2 * height, static_cast<std::size_t>(in.channels),
                        SimdResizeChannelByte, method),
        SimdRelease);
    if (!resizer) throw common::Failed("Simd: no such resizer");
    SimdResizerRun(resizer.get(), in.row(top), static_cast<std::size_t>(in.pitch), to,
                   static_cast<std::size_t>(pitch));
}

/// The rows of the output above and below `seam`, where two bands met.
static void repair(SimdResizeMethodType method, ImageView<const std::uint8_t> in,
                   ImageView<std::uint8_t> out, int seam) {
    const std::ptrdiff_t length = out.row_length();
    std::vector<std::uint8_t> rows(static_cast<std::size_t>(4 * reach * length));
    resize_rows(method, in, seam - reach, seam + reach, rows.data(), length);
    for (int y = reach; y < 3 * reach; ++y) {
        std::copy_n(&rows[static_cast<std::size_t>(y * length)], length,
                    out.row(2 * (seam - reach) + y));
    }
}

void peer_simd(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
               const Options& options) {
    const SimdResizeMethodType method = method_of(options.method);
    if (in.width < 2 * reach || in.height < 2 * reach) {  // it reads four pixels and rows at once
        throw common::Unsupported("peer_simd: takes images of 8x8 and more");
    }
    const int bands = std::clamp(in.height / (2 * reach), 1, options.threads);
    const auto edge = [&](int i) { return static_cast<int>(std::int64_t{in.height} * i / bands); };
#pragma omp parallel for schedule(static) num_threads(bands)
    for (int b = 0; b < bands; ++b) {
        resize_rows(method, in, edge(b), edge(b + 1), out.row(2 * edge(b)), out.pitch);
    }
    for (int b = 1; b < bands; ++b) repair(method, in, out, edge(b));
}

static const Register registered{
    {.name = "peer_simd",
     .backend = common::Backend::peer,
     .idea = "Simd's resize, bilinear, or cubic as --method lagrange; not compared at the border",
     .agreement = {.inside_only = true}},
    peer_simd};

}  // namespace upscale
