// In place of all that measures the GPU, in builds without CUDA and in those with emulated kernels,
// which are checked and whose times say nothing about a GPU.

#include "common/error.hpp"
#include "harness/device.hpp"
#include "harness/roofline.hpp"
#include "measure/fingerprint.hpp"

namespace harness {

using namespace common;
namespace {

[[noreturn]] void never_timed() {
    const DeviceFacts& facts = device_facts();
    throw Unavailable(facts.emulated ? "emulated kernels are never timed" : facts.why_unusable);
}

}  // namespace

bool has_kernels() {
    return true;
}
std::vector<std::string> gpu_links() {
    return {};
}
std::vector<KernelFacts> kernels_of(const Job&, const cv::Mat&, const Shape&) {
    return {};
}
std::function<double()> device_copy(std::size_t) {
    never_timed();
}
std::uint64_t device_fingerprint(const UntypedRows&, cudaStream_t, int) {
    never_timed();
}
Statistics device_fma_gflop_per_s() {
    never_timed();
}
double empty_kernel_ms() {
    never_timed();
}

}  // namespace harness
