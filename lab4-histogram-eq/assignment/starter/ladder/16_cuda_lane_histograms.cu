// Task E of the handout. Replace this comment by: what bounds cuda_shared_atomics, your idea, what
// bounds this variant now, what you predicted, and what you measured.

#include "problem/lookup.cuh"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

// Call the kernel count_by_lanes: the points ask for its counts by this name.

static void cuda_lane_histograms(DeviceView<const std::uint8_t> /*in*/,
                                 DeviceView<std::uint8_t> /*out*/, const Options& /*options*/,
                                 cudaStream_t /*stream*/) {
    throw common::NotDoneYet();
}

static const Register registered{{.name = "cuda_lane_histograms",
                                  .backend = common::Backend::cuda,
                                  .idea = "task E: a bank for each lane"},
                                 cuda_lane_histograms};

}  // namespace equalize
