// Task B of the handout. Replace this comment by: what bounds seq_scan, your idea, what bounds this
// variant now, what you predicted, and what you measured.

#include "common/error.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void omp_two_passes(ImageView<const Pixel> /*in*/, ImageView<Sum> /*sums*/,
                           const Options& /*options*/) {
    throw common::NotDoneYet();
}

static const Register registered{{.name = "omp_two_passes",
                                  .backend = common::Backend::omp,
                                  .idea = "task B: rows, then columns"},
                                 Cost::linear,
                                 omp_two_passes<Sum32>,
                                 omp_two_passes<Sum64>};

}  // namespace integral
