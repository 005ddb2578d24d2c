// Task C: a thread computes the four output pixels of a source pixel. The handout says what is
// given and what to write. Replace this comment: what bounds cuda_constant, your idea, what you
// predict and measure.

/* Alone, in the folder of the lab:

nvcc -std=c++20 -O3 -arch=native --expt-relaxed-constexpr -I../common/include -I. \
    one.cu ladder/19_cuda_phases.cu -o rung && ./rung
*/

#include "common/cuda.cuh"
#include "common/error.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

void cuda_phases(DeviceView<const std::uint8_t> /*in*/, DeviceView<std::uint8_t> /*out*/,
                 const Options& /*options*/, cudaStream_t /*stream*/) {
    throw common::NotDoneYet();
}

static const Register registered{
    {.name = "cuda_phases", .backend = common::Backend::cuda, .idea = "task C"},
    cuda_phases,
    Traits{.operations = shared_rows_operations}};

}  // namespace upscale
