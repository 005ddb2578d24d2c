// The Simd library (https://github.com/ermig1979/Simd) has the masks gauss3 and box3. It rounds to
// nearest and replicates the border. A call uses one thread, so each thread gets a band of rows.

#include <Simd/SimdLib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/error.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;
using Filter = decltype(SimdGaussianBlur3x3);

static Filter* filter_for(const Mask& mask) {
    const auto is = [&](const char* name) {
        const Mask other = find_filter(name);
        return mask.size == other.size && std::equal(mask.weights, mask.weights + 9, other.weights);
    };
    if (is("gauss3")) return SimdGaussianBlur3x3;
    if (is("box3")) return SimdMeanFilter3x3;
    throw common::Unsupported("peer_simd: has the filters gauss3 and box3 only");
}

/// Rows [top, bottom) of the output, of which the first and the last see the border.
static void filter_rows(Filter* filter, ImageView<const std::uint8_t> in, int top, int bottom,
                        std::uint8_t* to, std::ptrdiff_t pitch) {
    filter(in.row(top), static_cast<std::size_t>(in.pitch), static_cast<std::size_t>(in.width),
           static_cast<std::size_t>(bottom - top), static_cast<std::size_t>(in.channels), to,
           static_cast<std::size_t>(pitch));
}

/// The rows above and below `seam`, where two bands met.
static void repair(Filter* filter, ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                   int seam) {
    const std::ptrdiff_t length = in.row_length();
    std::vector<std::uint8_t> rows(4 * static_cast<std::size_t>(length));
    filter_rows(filter, in, seam - 2, seam + 2, rows.data(), length);
    std::copy_n(&rows[static_cast<std::size_t>(length)], length, out.row(seam - 1));
    std::copy_n(&rows[2 * static_cast<std::size_t>(length)], length, out.row(seam));
}

void peer_simd(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
               const Options& options) {
    Filter* const filter = filter_for(options.mask);
    if ((in.width - 1) * in.channels < 64) {  // with less, the library ends the program
        throw common::Unsupported("peer_simd: rows are too short for its vectors");
    }
    const int bands = std::clamp(in.height / 2, 1, options.threads);
    const auto edge = [&](int i) { return static_cast<int>(std::int64_t{in.height} * i / bands); };
#pragma omp parallel for schedule(static) num_threads(bands)
    for (int b = 0; b < bands; ++b) {
        filter_rows(filter, in, edge(b), edge(b + 1), out.row(edge(b)), out.pitch);
    }
    for (int b = 1; b < bands; ++b) repair(filter, in, out, edge(b));
}

static const Register registered{
    {.name = "peer_simd",
     .backend = common::Backend::peer,
     .idea = "Simd's gauss3 and box3; rounds, replicates the border, so compared away from it",
     .agreement = {.tolerance = 1, .inside_only = true}},
    peer_simd};

}  // namespace convolution
