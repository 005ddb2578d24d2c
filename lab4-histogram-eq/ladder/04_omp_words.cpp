// `omp_tables` loads each pixel by an instruction of its own, twice, and stores each result by one.
// Here a load or store takes eight pixels as one 64-bit word; shifts separate and join the bytes
// in registers. A thread has a histogram for each of the eight bytes
// (ladder/parts/word_histograms.hpp), so that at most every eighth pixel increments the same count.
//
// Predicted: counting a pixel still loads and stores its count, but 1 load of pixels takes the
// place of 8. Looking up 8 pixels takes 9 loads instead of 16, and 1 store instead of 8. Shifts
// take the place of some of these, so less is gained than the numbers of loads and stores say.
//
// Bound by instructions: a pixel still has a load of its table value, a shift and an OR.

#include <cstring>

#include "common/view.hpp"
#include "ladder/parts/word_histograms.hpp"
#include "problem/table.hpp"
#include "problem/variant.hpp"

namespace equalize {

using common::ImageView;

static void look_up_words(const std::uint8_t* in, std::uint8_t* out, int width,
                          const Table& table) {
    int x = 0;
    for (; x <= width - word_pixels; x += word_pixels) {
        std::uint64_t pixels;
        std::memcpy(&pixels, in + x, sizeof pixels);
        std::uint64_t values = 0;
        for (int i = 0; i < word_pixels; ++i) {
            values |= std::uint64_t{table[pixels >> (8 * i) & 0xff]} << (8 * i);
        }
        std::memcpy(out + x, &values, sizeof values);
    }
    for (; x < width; ++x) out[x] = table[in[x]];
}

void omp_words(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
               const Options& options) {
    const Histogram histogram = histogram_by_words(in, options.threads);
    const Table table = table_from_histogram(histogram);
#pragma omp parallel for schedule(static) num_threads(options.threads) firstprivate(in, out, table)
    for (int y = 0; y < in.height; ++y) look_up_words(in.row(y), out.row(y), in.width, table);
}

static const Register registered{{.name = "omp_words",
                                  .backend = common::Backend::omp,
                                  .idea = "eight pixels per 64-bit load and store"},
                                 omp_words};

}  // namespace equalize
