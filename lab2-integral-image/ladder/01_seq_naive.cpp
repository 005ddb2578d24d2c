// The definition as four loops: every pixel adds up all pixels above and to the left, itself
// included.
//
// The work grows with the square of the number of pixels n: n sums have n/4 terms on average.
// 500x500 takes 16 billion additions, 1000x1000 takes 250 billion. The additions bound this
// variant: the compiler vectorises the inner loop, and the terms come from the cache.

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void seq_naive(ImageView<const Pixel> in, ImageView<Sum> sums, const Options&) {
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            Sum sum = 0;
            for (int j = 0; j <= y; ++j) {
                const Pixel* row = in.row(j);
                for (int i = 0; i <= x; ++i) sum += row[i];
            }
            sums.at(x, y) = sum;
        }
    }
}

static const Register registered{
    {.name = "seq_naive",
     .backend = common::Backend::seq,
     .idea = "the definition: every pixel adds up all pixels above and to the left"},
    Cost::quadratic,
    seq_naive<Sum32>,
    seq_naive<Sum64>};

}  // namespace integral
