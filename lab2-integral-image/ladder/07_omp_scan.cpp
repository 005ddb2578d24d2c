// omp_two_passes is bound by memory bandwidth: it writes every sum twice. Here every thread scans a
// band of rows, and writes every sum once. A band needs the sums in the row above it, so the last
// row of every band is computed first:
//
//   1. each thread adds up the columns of its band, into the band's last output row;
//   2. one thread turns these rows into sums, from top to bottom: a scan along the row, plus the
//      last row of the band above;
//   3. each thread scans the other rows of its band, from the row above it downwards.
//
// Memory bandwidth bounds it: it reads the input twice, 4 more bytes per pixel. `for` and `single`
// each end with a barrier, so the second step leaves all threads but one idle.
//
// With 64-bit sums it moves 24 bytes where seq_scan moves 20, and two threads can be slower than
// that one.

#include <algorithm>
#include <cstdint>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void add_up_columns(ImageView<const Pixel> in, Sum* sums, int begin, int end) {
    std::fill_n(sums, in.width, Sum{0});
    for (int y = begin; y < end; ++y) {
        const Pixel* row = in.row(y);
#pragma omp simd
        for (int x = 0; x < in.width; ++x) sums[x] += row[x];
    }
}

/// sums(x) = above(x) + terms(0) + ... + terms(x). `sums` may be `terms`.
template <class Term, class Sum>
static void scan_row(const Term* terms, const Sum* above, Sum* sums, int width) {
    Sum along_row = 0;
    for (int x = 0; x < width; ++x) {
        along_row += terms[x];
        sums[x] = along_row + (above != nullptr ? above[x] : 0);
    }
}

template <class Sum>
static void omp_scan(ImageView<const Pixel> in, ImageView<Sum> sums, const Options& options) {
    const int bands = std::min(options.threads, in.height);
    const auto begin_of = [&](int band) {
        return static_cast<int>(static_cast<std::int64_t>(in.height) * band / bands);
    };
    const auto row_above = [&](int y) { return y > 0 ? sums.row(y - 1) : nullptr; };

#pragma omp parallel num_threads(bands)
    {
#pragma omp for schedule(static)
        for (int band = 0; band < bands; ++band) {
            const int end = begin_of(band + 1);
            add_up_columns(in, sums.row(end - 1), begin_of(band), end);
        }
#pragma omp single
        for (int band = 0; band < bands; ++band) {
            Sum* last = sums.row(begin_of(band + 1) - 1);
            scan_row(last, row_above(begin_of(band)), last, in.width);
        }
#pragma omp for schedule(static)
        for (int band = 0; band < bands; ++band) {
            for (int y = begin_of(band); y < begin_of(band + 1) - 1; ++y) {
                scan_row(in.row(y), row_above(y), sums.row(y), in.width);
            }
        }
    }
}

static const Register registered{
    {.name = "omp_scan",
     .backend = common::Backend::omp,
     .idea = "bands of rows: column sums first, then a one-pass scan of each band"},
    Cost::linear,
    omp_scan<Sum32>,
    omp_scan<Sum64>};

}  // namespace integral
