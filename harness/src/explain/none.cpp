// In builds whose kernels do not run on the CPU.

#include "common/error.hpp"
#include "explain/explain.hpp"
#include "harness/device.hpp"

namespace harness {

void require_counters() {
    throw common::Unavailable(
        "--explain needs kernels that run on the CPU: build with cmake -DLABS_CUDA=EMULATE");
}

Explanation explained(const std::function<void()>&) {
    return {};  // require_counters() has been called before
}

std::vector<ImageUsers> image_users(const std::function<void()>&) {
    return {};
}

}  // namespace harness
