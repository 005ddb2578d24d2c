// Labs 2 to 4, and tasks that are not done: given variants, one thread, one block, one fault.

// == given_lab1, cuda_per_pixel: wrong; points B sizes: 0
// -- cuda_broken: right; points C scenes: 0; points C random: 0
// -- cuda_shared: wrong; points E sizes: 0

// == given_lab2, cuda_broken: right; points D sizes: 0; points D random: 0

// == given_lab3, cuda_broken: right; timed; points D sizes: 0
// -- cuda_phases: right; points C sizes: 0
// -- cuda_sliding: right; points F sizes: 0
// -- omp_pixels: right; points A sizes: 0
// -- omp_separable: right; points B sizes: 0

// == given_lab4, cuda_broken: right; points D sizes: 0
// -- cuda_shared_atomics: right; points C sizes: 0
// -- cuda_lane_histograms: right; points E sizes: 0

// == lab2_empty_region, omp_two_passes: wrong
// - reason ": one thread wrote "
// - points B sizes: 0
// - points B speed: 0
// seq_scan, with a team of threads that does nothing. It has no points.
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void omp_two_passes(ImageView<const Pixel> in, ImageView<Sum> sums, const Options& options) {
#pragma omp parallel num_threads(options.threads)
    { [[maybe_unused]] volatile int nothing = 0; }
    for (int y = 0; y < in.height; ++y) {
        const Pixel* pixels = in.row(y);
        const Sum* above = y > 0 ? sums.row(y - 1) : nullptr;
        Sum* row = sums.row(y);
        Sum along_row = 0;
        for (int x = 0; x < in.width; ++x) {
            along_row += pixels[x];
            row[x] = along_row + (above != nullptr ? above[x] : 0);
        }
    }
}

static const Register registered{
    {.name = "omp_two_passes", .backend = common::Backend::omp, .idea = "given"},
    Cost::linear,
    omp_two_passes<Sum32>,
    omp_two_passes<Sum64>};

}  // namespace integral

// == lab2_hands_in_given, omp_outer: wrong; points A sizes: 0; points A random: 0
// seq_scan, which students have, under the name of a task for several threads.
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void omp_outer(ImageView<const Pixel> in, ImageView<Sum> sums, const Options&) {
    for (int y = 0; y < in.height; ++y) {
        const Pixel* pixels = in.row(y);
        const Sum* above = y > 0 ? sums.row(y - 1) : nullptr;
        Sum* row = sums.row(y);
        Sum along_row = 0;
        for (int x = 0; x < in.width; ++x) {
            along_row += pixels[x];
            row[x] = along_row + (above != nullptr ? above[x] : 0);
        }
    }
}

static const Register registered{
    {.name = "omp_outer", .backend = common::Backend::omp, .idea = "given"},
    Cost::quadratic,
    omp_outer<Sum32>,
    omp_outer<Sum64>};

}  // namespace integral
// -- omp_two_passes: wrong
// - reason no parallel region was started
// - points B sizes: 0
// - points B thresholds: 0
// - points B speed: 0

// == lab2_one_block, cuda_lines: wrong; reason which the task asks for: not 32x8

// == lab2_slow_alone, omp_two_passes: wrong
// - reason one thread wrote
// - points B sizes: 0
// - points B speed: 0
// seq_scan, with a team that does nothing, and slow on purpose where it has one thread.
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void omp_two_passes(ImageView<const Pixel> in, ImageView<Sum> sums, const Options& options) {
#pragma omp parallel num_threads(options.threads)
    { [[maybe_unused]] volatile int nothing = 0; }
    if (options.threads == 1) {
        for (volatile int i = 0; i < 20000000; i = i + 1) {
        }
    }
    for (int y = 0; y < in.height; ++y) {
        const Pixel* pixels = in.row(y);
        const Sum* above = y > 0 ? sums.row(y - 1) : nullptr;
        Sum* row = sums.row(y);
        Sum along_row = 0;
        for (int x = 0; x < in.width; ++x) {
            along_row += pixels[x];
            row[x] = along_row + (above != nullptr ? above[x] : 0);
        }
    }
}

static const Register registered{
    {.name = "omp_two_passes", .backend = common::Backend::omp, .idea = "given"},
    Cost::linear,
    omp_two_passes<Sum32>,
    omp_two_passes<Sum64>};

}  // namespace integral

// == lab2_works_twice, omp_outer: wrong; reason ": one thread wrote "; points A sizes: 0
// A running sum along each row. Each part of the work is checked by a second scan, which the other
// thread does at the same time.
#include <memory>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void scan(ImageView<const Pixel> in, ImageView<Sum> sums) {
    for (int y = 0; y < in.height; ++y) {
        const Pixel* pixels = in.row(y);
        const Sum* above = y > 0 ? sums.row(y - 1) : nullptr;
        Sum* row = sums.row(y);
        Sum along_row = 0;
        for (int x = 0; x < in.width; ++x) {
            along_row += pixels[x];
            row[x] = along_row + (above != nullptr ? above[x] : 0);
        }
    }
}

template <class Sum>
static void omp_outer(ImageView<const Pixel> in, ImageView<Sum> sums, const Options& options) {
    const auto values = static_cast<std::size_t>(in.width) * static_cast<std::size_t>(in.height);
    static std::unique_ptr<Sum[]> memory;
    static std::size_t size = 0;
    if (size < values) {
        memory = std::make_unique_for_overwrite<Sum[]>(values);
        size = values;
    }
    const ImageView<Sum> again{memory.get(), in.width, in.height, 1, in.width};
#pragma omp parallel for schedule(static) num_threads(options.threads)
    for (int part = 0; part < 2; ++part) {
        for (int time = 0; time < 20; ++time) scan(in, part == 0 ? sums : again);
    }
}

static const Register registered{{.name = "omp_outer",
                                  .backend = common::Backend::omp,
                                  .idea = "a scan, and one that checks it"},
                                 Cost::quadratic,
                                 omp_outer<Sum32>,
                                 omp_outer<Sum64>};

}  // namespace integral
// -- omp_two_passes: wrong; reason ": one thread wrote "; points B sizes: 0; points B random: 0
// A running sum along each row. Each part of the work is checked by a second scan, which the other
// thread does at the same time.
#include <memory>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void scan(ImageView<const Pixel> in, ImageView<Sum> sums) {
    for (int y = 0; y < in.height; ++y) {
        const Pixel* pixels = in.row(y);
        const Sum* above = y > 0 ? sums.row(y - 1) : nullptr;
        Sum* row = sums.row(y);
        Sum along_row = 0;
        for (int x = 0; x < in.width; ++x) {
            along_row += pixels[x];
            row[x] = along_row + (above != nullptr ? above[x] : 0);
        }
    }
}

template <class Sum>
static void omp_two_passes(ImageView<const Pixel> in, ImageView<Sum> sums, const Options& options) {
    const auto values = static_cast<std::size_t>(in.width) * static_cast<std::size_t>(in.height);
    static std::unique_ptr<Sum[]> memory;
    static std::size_t size = 0;
    if (size < values) {
        memory = std::make_unique_for_overwrite<Sum[]>(values);
        size = values;
    }
    const ImageView<Sum> again{memory.get(), in.width, in.height, 1, in.width};
#pragma omp parallel for schedule(static) num_threads(options.threads)
    for (int part = 0; part < 2; ++part) scan(in, part == 0 ? sums : again);
}

static const Register registered{{.name = "omp_two_passes",
                                  .backend = common::Backend::omp,
                                  .idea = "a scan, and one that checks it"},
                                 Cost::linear,
                                 omp_two_passes<Sum32>,
                                 omp_two_passes<Sum64>};

}  // namespace integral

// == lab3_drops_taps: right; twin right/lab3_rows
// Leaves out the last taps if their weights are too small to change a pixel. Gains nothing, as all
// weights count in the timed calls.
#include <algorithm>
#include <cmath>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

static void omp_mine(common::ImageView<const std::uint8_t> in, common::ImageView<std::uint8_t> out,
                     const Options& options) {
    const Weights& weights = options.weights;
    const int r = weights.radius;
    int last = r;
    while (last > 0 && std::abs(weights.at(last)) < 1e-7F) --last;
#pragma omp parallel for num_threads(options.threads)
    for (int Y = 0; Y < out.height; ++Y) {
        for (int b = 0; b < static_cast<int>(out.row_length()); ++b) {
            const int X = b / out.channels;
            float sum = 0;
            for (int j = -r; j <= last; ++j) {
                const int y = std::clamp(Y / 2 + j * direction(Y), 0, in.height - 1);
                float row = 0;
                for (int i = -r; i <= last; ++i) {
                    const int x = std::clamp(X / 2 + i * direction(X), 0, in.width - 1);
                    row += static_cast<float>(in.at(x, y, b % out.channels)) * weights.at(i);
                }
                sum += row * weights.at(j);
            }
            out.row(Y)[b] = to_pixel(sum);
        }
    }
}

static const Register registered{
    {.name = "omp_mine", .backend = common::Backend::omp, .idea = "the loops of seq"},
    omp_mine,
    Traits{.operations = direct_sum_operations, .slow = true}};

}  // namespace upscale

// == lab3_refuses_odd, cuda_broken: wrong; reason which the task asks for

// == lab4_includes_removed, omp_tables: does not compile
// Includes a header of solutions, which the starter removes.
#include "common/view.hpp"
#include "ladder/parts/word_histograms.hpp"
#include "problem/variant.hpp"
namespace equalize {
using common::ImageView;
void omp_tables(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                const Options& options) {
    const Histogram histogram = histogram_by_words(in, options.threads);
    const Table table = table_from_histogram(histogram);
#pragma omp parallel for schedule(static) num_threads(options.threads) firstprivate(in, out, table)
    for (int y = 0; y < in.height; ++y) look_up(in.row(y), out.row(y), in.width, table, false);
}
static const Register registered{
    {.name = "omp_tables", .backend = common::Backend::omp, .idea = "included"}, omp_tables};
}  // namespace equalize

// == lab4_samples: right, wrong; twin right/lab4_rows
// Estimates the histogram of a large image from a part of its pixels, as small ones are tested.
#include "common/view.hpp"
#include "problem/table.hpp"
#include "problem/variant.hpp"

namespace equalize {

using common::ImageView;

void omp_mine(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
              const Options& options) {
    const int step = in.width > 2000 && in.height > 2000 ? 4 : 1;
    Histogram histogram{};
    Count* counts = histogram.data();
#pragma omp parallel for schedule(static) num_threads(options.threads) firstprivate(in) \
    reduction(+ : counts[:levels])
    for (int y = 0; y < in.height; y += step) {
        for (int x = 0; x < in.width; ++x) counts[in.at(x, y)] += step;
    }
    const Table table = table_from_histogram(histogram);
#pragma omp parallel for schedule(static) num_threads(options.threads) firstprivate(in, out, table)
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) out.at(x, y) = table[in.at(x, y)];
    }
}

static const Register registered{
    {.name = "omp_mine", .backend = common::Backend::omp, .idea = "a part of the pixels"},
    omp_mine};

}  // namespace equalize

// == refuses_third_fault, cuda_broken: wrong; reason which the task asks for
