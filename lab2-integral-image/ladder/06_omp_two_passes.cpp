// seq_scan is bound by one core. A sum over a rectangle is a sum down a column of sums along rows.
// So two passes have independent parts for the threads: rows are scanned independently of each
// other, and then columns are.
//
// The second pass adds to each row the row above it. A thread has a strip of columns for that, not
// one column after the other: it uses whole cache lines, neighbouring columns share a vector
// (`omp simd`), and the strip of the row above is still in the cache. The first `for` ends with a
// barrier, which the second pass needs.
//
// Memory bandwidth bounds it: sums travel to the memory twice and back once. That is 20 bytes per
// pixel with 32-bit sums: a pixel is read, a sum written, read and written again, and the first
// write of a line reads the line before. A copy has 12.
//
// Predicted: at most 12 / 20 = 60 % of the rate of a copy. So two threads gain little over
// seq_scan, which moves 12 bytes with one thread; with 64-bit sums, 36 bytes instead of 20, they
// can be slower. The next variant moves 16 bytes instead of 20.

#include <algorithm>
#include <cstdint>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void scan_row(const Pixel* pixels, Sum* sums, int width) {
    Sum along_row = 0;
    for (int x = 0; x < width; ++x) {
        along_row += pixels[x];
        sums[x] = along_row;
    }
}

/// Scans columns [begin, end) from top to bottom.
template <class Sum>
static void scan_columns(ImageView<Sum> sums, int begin, int end) {
    for (int y = 1; y < sums.height; ++y) {
        const Sum* above = sums.row(y - 1);
        Sum* row = sums.row(y);
#pragma omp simd
        for (int x = begin; x < end; ++x) row[x] += above[x];
    }
}

template <class Sum>
static void omp_two_passes(ImageView<const Pixel> in, ImageView<Sum> sums, const Options& options) {
    const int strips = std::min(options.threads, in.width);
    const auto begin_of = [&](int strip) {
        return static_cast<int>(static_cast<std::int64_t>(in.width) * strip / strips);
    };
#pragma omp parallel num_threads(options.threads)
    {
#pragma omp for schedule(static)
        for (int y = 0; y < in.height; ++y) scan_row(in.row(y), sums.row(y), in.width);
#pragma omp for schedule(static)
        for (int strip = 0; strip < strips; ++strip) {
            scan_columns(sums, begin_of(strip), begin_of(strip + 1));
        }
    }
}

static const Register registered{
    {.name = "omp_two_passes",
     .backend = common::Backend::omp,
     .idea = "two passes: threads scan the rows, then strips of columns"},
    Cost::linear,
    omp_two_passes<Sum32>,
    omp_two_passes<Sum64>};

}  // namespace integral
