// The arguments of a submission to lab 1 with kernels, and its description.

#include "common/cuda.cuh"
#include "problem/variant.hpp"

namespace convolution {

using Input = common::DeviceView<const std::uint8_t>;
using Output = common::DeviceView<std::uint8_t>;

[[maybe_unused]] static const common::VariantInfo mine_info{
    .name = "cuda_mine", .backend = common::Backend::cuda, .idea = "a submission"};

}  // namespace convolution
