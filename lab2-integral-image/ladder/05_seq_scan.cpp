// The variants before are bound by n^2/4 additions. This one needs two per pixel: the sum at the
// pixel above is known, and only the row up to here is missing, an inclusive scan along the row:
//
//     S(x, y) = S(x, y-1) + (I(0, y) + ... + I(x, y))
//
// All later variants gain a constant factor over this one. Its bounds are the memory bandwidth of
// one core and the chain of additions along the row. Each pixel is read once and each sum written
// once; the row above is still in the cache.

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void seq_scan(ImageView<const Pixel> in, ImageView<Sum> sums, const Options&) {
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
    {.name = "seq_scan",
     .backend = common::Backend::seq,
     .idea = "one pass: an inclusive scan along the row, plus the sum above"},
    Cost::linear,
    seq_scan<Sum32>,
    seq_scan<Sum64>};

}  // namespace integral
