// A kernel that does nothing: whether there is one for this GPU, and how long it takes.

#include <vector>

#include "common/cuda.cuh"
#include "harness/device.hpp"
#include "harness/statistics.hpp"

namespace harness {

using namespace common;

static __global__ void do_nothing() {}

bool has_kernels() {
    cudaFuncAttributes attributes{};
    const bool found = cudaFuncGetAttributes(&attributes, do_nothing) == cudaSuccess;
    cudaGetLastError();  // else the next check would find it
    return found;
}

double empty_kernel_ms() {
    constexpr int warm_ups = 3;
    constexpr int repeats = 20;
    const DeviceCall launch = [](const UntypedRows&, const UntypedRows&, Scratch&,
                                 cudaStream_t stream) {
        do_nothing<<<1, 32, 0, stream>>>();
        check_launch();
    };
    const Shape pixel{1, 1, CV_8UC1};
    const auto runner = make_device_runner({launch}, cv::Mat(1, 1, CV_8UC1, cv::Scalar(0)), pixel);
    std::vector<double> ms;
    for (int i = 0; i < warm_ups; ++i) runner->kernel();
    for (int i = 0; i < repeats; ++i) ms.push_back(runner->kernel());
    return statistics(ms).trimmed_mean;
}

}  // namespace harness
