// A build without CUDA has this file and untimed.cpp in place of all others in this folder. Every
// CUDA variant is unavailable then.

#include "common/error.hpp"
#include "harness/device.hpp"

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

std::optional<std::string> context_fault() {
    return std::nullopt;
}

double context_ms() {
    throw Unavailable(device_facts().why_unusable);
}

std::unique_ptr<DeviceRunner> make_device_runner(Job, cv::Mat, const Shape&, int) {
    throw Unavailable(device_facts().why_unusable);
}

}  // namespace harness
