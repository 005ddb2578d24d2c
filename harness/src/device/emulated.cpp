// In builds with emulated kernels this file replaces the measurements: kernels run on the CPU to be
// checked, and their times say nothing about a GPU.

#include "common/error.hpp"
#include "harness/device.hpp"
#include "harness/roofline.hpp"
#include "measure/fingerprint.hpp"

namespace harness {

using namespace common;
namespace {

[[noreturn]] void never_timed() {
    throw Unavailable("emulated kernels are never timed");
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
struct DeviceCopy::State {};
DeviceCopy::DeviceCopy(std::size_t) {
    never_timed();
}
DeviceCopy::~DeviceCopy() = default;
double DeviceCopy::run() {
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
