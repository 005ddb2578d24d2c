// omp_scan is bound by memory bandwidth, and reads its input twice. This variant needs one pass.
// Every thread has a strip of columns, which it scans from top to bottom as seq_scan does. From the
// strip to its left it needs one value per row: the sum of the row so far.
//
// So the strips form a pipeline: each starts a group of rows as soon as its left neighbour has
// finished that group. OpenMP calls this a cross-iteration dependence. `ordered(2)` declares the
// two loops, `depend(sink: …)` waits for an iteration, and `depend(source)` ends one. There is no
// barrier. A group has several rows, because each wait costs an exchange between two cores.
// schedule(static, 1) keeps neighbouring strips on different threads.
//
// It moves 12 bytes per pixel with 32-bit sums, as many as a copy. The additions along a row bound
// it, as they bound seq_scan: each waits for the one before.
//
// Predicted: up to the rate of a copy; with two threads, twice seq_scan's speed.
//
// It depends on the CPU how near it comes. On a Zen 5, two threads gain nothing over seq_scan with
// 32-bit sums. Neither the bytes nor the waits are the reason: omp_simd has the same of both, and
// is faster. The scalar loop is: it executes the same instructions per pixel as in seq_scan, but a
// core needs longer for them. Why it does so when both cores work was not measured.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

static constexpr int group_rows = 16;  // 32-bit row sums of a group: one cache line

/// Scans columns [begin, end) of row y. `row_sum` is the sum of the row left of them, then with
/// them.
template <class Sum>
static void scan_part(ImageView<const Pixel> in, ImageView<Sum> sums, int y, int begin, int end,
                      Sum& row_sum) {
    const Pixel* pixels = in.row(y);
    const Sum* above = y > 0 ? sums.row(y - 1) : nullptr;
    Sum* row = sums.row(y);
    Sum along_row = row_sum;
    for (int x = begin; x < end; ++x) {
        along_row += pixels[x];
        row[x] = along_row + (above != nullptr ? above[x] : 0);
    }
    row_sum = along_row;
}

template <class Sum>
static void omp_strips(ImageView<const Pixel> in, ImageView<Sum> sums, const Options& options) {
    const int strips = std::min(options.threads, in.width);
    const int groups = (in.height - 1) / group_rows + 1;
    const auto begin_of = [&](int strip) {
        return static_cast<int>(static_cast<std::int64_t>(in.width) * strip / strips);
    };
    std::vector<Sum> row_sums(static_cast<std::size_t>(in.height));  // of the strips done so far

#pragma omp parallel for ordered(2) schedule(static, 1) num_threads(strips)
    for (int strip = 0; strip < strips; ++strip) {
        for (int group = 0; group < groups; ++group) {
#pragma omp ordered depend(sink : strip - 1, group)
            const int top = group * group_rows;
            const int bottom = std::min(top + group_rows, in.height);
            for (int y = top; y < bottom; ++y) {
                scan_part(in, sums, y, begin_of(strip), begin_of(strip + 1),
                          row_sums[static_cast<std::size_t>(y)]);
            }
#pragma omp ordered depend(source)
        }
    }
}

static const Register registered{
    {.name = "omp_strips",
     .backend = common::Backend::omp,
     .idea = "one pass: a pipeline of column strips, by ordered depend"},
    Cost::linear,
    omp_strips<Sum32>,
    omp_strips<Sum64>};

}  // namespace integral
