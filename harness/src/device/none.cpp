// A build without CUDA compiles this file in place of all others in this folder. Only
// device_facts() and context_fault() are called then, because every CUDA variant is unavailable.

#include "common/error.hpp"
#include "harness/device.hpp"
#include "harness/roofline.hpp"

namespace harness {

using namespace common;

const DeviceFacts& device_facts() {
    static const DeviceFacts facts = [] {
        DeviceFacts none;
        none.why_unusable = "built without CUDA";
        return none;
    }();
    return facts;
}

struct DeviceRunner::State {};

namespace {
[[noreturn]] void no_cuda() {
    throw Unavailable("built without CUDA");
}
}  // namespace

double context_ms() {
    no_cuda();
}
std::vector<std::string> gpu_links() {
    return {};
}
std::vector<KernelFacts> kernels_of(const Job&, const cv::Mat&, const Shape&) {
    no_cuda();
}
struct DeviceCopy::State {};
DeviceCopy::DeviceCopy(std::size_t) {
    no_cuda();
}
DeviceCopy::~DeviceCopy() = default;
double DeviceCopy::run() {
    no_cuda();
}
std::optional<std::string> context_fault() {
    return std::nullopt;
}
Statistics device_fma_gflop_per_s() {
    no_cuda();
}
double empty_kernel_ms() {
    no_cuda();
}
DeviceRunner::DeviceRunner(Job, cv::Mat, const Shape&, int) {
    no_cuda();
}
DeviceRunner::~DeviceRunner() = default;
void DeviceRunner::set_input(cv::Mat) {
    no_cuda();
}
void DeviceRunner::fill_output(unsigned char) {
    no_cuda();
}
cv::Mat DeviceRunner::memory_of_input() const {
    no_cuda();
}
cv::Mat DeviceRunner::memory_of_output() const {
    no_cuda();
}
double DeviceRunner::call(cv::Mat&) {
    no_cuda();
}
void DeviceRunner::share_images(const DeviceRunner&) {
    no_cuda();
}
std::uint64_t DeviceRunner::fingerprint() {
    no_cuda();
}
void DeviceRunner::download(cv::Mat&) {
    no_cuda();
}
Stages DeviceRunner::stages(cv::Mat&) {
    no_cuda();
}
double DeviceRunner::kernel() {
    no_cuda();
}

}  // namespace harness
