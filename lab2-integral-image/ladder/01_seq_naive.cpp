// The definition, written down: for every pixel, in order, add up all the pixels above and to the
// left of it, itself included.
//
// An image of n pixels has n sums of n/4 terms on average, so the work grows with the square of the
// number of pixels: 500x500 takes 16 billion additions, 1000x1000 takes 250 billion. That is what
// bounds it; the terms themselves come from the cache, and the compiler adds several at a time.
//
// Comes to about 10 thousand million additions per second (500x500, one CPU core).

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void sum_up(ImageView<const Pixel> in, ImageView<Sum> sums) {
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            Sum sum = 0;
            for (int j = 0; j <= y; ++j) {
                for (int i = 0; i <= x; ++i) sum += in.at(i, j);
            }
            sums.at(x, y) = sum;
        }
    }
}

void seq_naive(ImageView<const Pixel> in, ImageView<Sum32> sums, const Options&) {
    sum_up(in, sums);
}

void seq_naive(ImageView<const Pixel> in, ImageView<Sum64> sums, const Options&) {
    sum_up(in, sums);
}

static const Register registered{
    {.name = "seq_naive",
     .backend = common::Backend::seq,
     .idea = "the definition: for every pixel, add up all pixels above and to the left"},
    Cost::quadratic,
    seq_naive,
    seq_naive};

}  // namespace integral
