// One pass. What is above and to the left of a pixel is what is above and to the left of the pixel
// over it, which is known already, and the row up to here, which is a running sum:
//
//     S(x, y) = S(x, y-1) + (I(0, y) + ... + I(x, y))
//
// Against seq_naive: two additions per pixel instead of a quarter of the image. That is the step of
// this lab; everything after it gains a constant factor. Bound by memory: each pixel is read once,
// each sum written once, and the row above is still in the cache.
//
// Comes to 50% of the rate of a copy by one thread (8192x8192, 32-bit sums).

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void scan(ImageView<const Pixel> in, ImageView<Sum> sums) {
    for (int y = 0; y < in.height; ++y) {
        const Sum* above = y > 0 ? sums.row(y - 1) : nullptr;
        Sum along_row = 0;
        for (int x = 0; x < in.width; ++x) {
            along_row += in.at(x, y);
            sums.at(x, y) = along_row + (above != nullptr ? above[x] : 0);
        }
    }
}

void seq_scan(ImageView<const Pixel> in, ImageView<Sum32> sums, const Options&) {
    scan(in, sums);
}

void seq_scan(ImageView<const Pixel> in, ImageView<Sum64> sums, const Options&) {
    scan(in, sums);
}

static const Register registered{
    {.name = "seq_scan",
     .backend = common::Backend::seq,
     .idea = "one pass: the sum along the row so far, plus the sum in the row above"},
    Cost::linear,
    seq_scan,
    seq_scan};

}  // namespace integral
