// omp_strips is bound by the additions along a row, each of which waits for the one before. A scan
// by a vector shortens this chain: it needs log2(lanes) steps for all lanes, and one addition to
// the sum before them. OpenMP has it: `reduction(inscan, …)` says that the sum is needed in every
// iteration, and `scan inclusive` separates adding to it from using it. The compiler makes
// the steps of each vector from shuffles. The function is compiled for several instruction sets;
// dispatch takes the best when the program starts.
//
// The first row has no row above. Zeros take its place, so that the loop has no branch.
//
// Memory bandwidth bounds it: 12 bytes per pixel with 32-bit sums. A pixel is read, a sum written,
// and a store to a line that is not cached reads the line first. omp_best stores past the caches:
// 8 bytes.
//
// Predicted: with 16 lanes, 6 dependent additions for 16 pixels instead of 16. Faster than
// omp_strips where one core is slower than its share of the bandwidth; equal where it is not.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/instruction_sets.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

static constexpr int group_rows = 16;  // 32-bit row sums of a group: one cache line

/// Scans part of a row. Takes the sum of the row left of it and returns the sum with it.
template <class Sum>
FOR_SEVERAL_INSTRUCTION_SETS static Sum scan_part(const Pixel* pixels, const Sum* above, Sum* sums,
                                                  int width, Sum along_row) {
#pragma omp simd reduction(inscan, + : along_row)
    for (int x = 0; x < width; ++x) {
        along_row += pixels[x];
#pragma omp scan inclusive(along_row)
        sums[x] = along_row + above[x];
    }
    return along_row;
}

template <class Sum>
static void omp_simd(ImageView<const Pixel> in, ImageView<Sum> sums, const Options& options) {
    const int strips = std::min(options.threads, in.width);
    const int groups = (in.height - 1) / group_rows + 1;
    const auto begin_of = [&](int strip) {
        return static_cast<int>(static_cast<std::int64_t>(in.width) * strip / strips);
    };
    const std::vector<Sum> zeros(static_cast<std::size_t>(in.width));
    std::vector<Sum> row_sums(static_cast<std::size_t>(in.height));  // of the strips done so far

#pragma omp parallel for ordered(2) schedule(static, 1) num_threads(strips)
    for (int strip = 0; strip < strips; ++strip) {
        for (int group = 0; group < groups; ++group) {
#pragma omp ordered depend(sink : strip - 1, group)
            const int begin = begin_of(strip);
            const int width = begin_of(strip + 1) - begin;
            const int top = group * group_rows;
            const int bottom = std::min(top + group_rows, in.height);
            for (int y = top; y < bottom; ++y) {
                const Sum* above = y > 0 ? sums.row(y - 1) : zeros.data();
                Sum& row_sum = row_sums[static_cast<std::size_t>(y)];
                row_sum = scan_part(in.row(y) + begin, above + begin, sums.row(y) + begin, width,
                                    row_sum);
            }
#pragma omp ordered depend(source)
        }
    }
}

static const Register registered{
    {.name = "omp_simd",
     .backend = common::Backend::omp,
     .idea = "as omp_strips; the scan along a row by vectors (omp scan)"},
    Cost::linear,
    omp_simd<Sum32>,
    omp_simd<Sum64>};

}  // namespace integral
