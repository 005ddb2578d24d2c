// Task C of the handout. Replace this comment by: what bounds cuda_global, your idea, what bounds
// this variant now, what you predicted, and what you measured.

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::DeviceView;

// Call the kernels scan_rows and scan_columns: the points ask for their counts by these names.

template <class Sum>
static void cuda_lines(DeviceView<const Pixel> /*in*/, DeviceView<Sum> /*sums*/,
                       const Options& /*options*/, cudaStream_t /*stream*/) {
    throw common::NotDoneYet();
}

static const Register registered{
    {.name = "cuda_lines", .backend = common::Backend::cuda, .idea = "task C: two kernels"},
    Cost::linear,
    cuda_lines<Sum32>,
    cuda_lines<Sum64>};

}  // namespace integral
