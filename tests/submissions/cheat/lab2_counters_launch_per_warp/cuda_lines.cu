// A thread scans a line. A launch is a warp with 32 lines; the next launch has the next 32.

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::DeviceView;

template <class Sum>
static __global__ void scan_rows(DeviceView<const Pixel> in, DeviceView<Sum> sums, int first) {
    const int y = first + threadIdx.x;
    if (y >= in.height) return;
    Sum sum = 0;
    for (int x = 0; x < in.width; ++x) {
        sum += in.at(x, y);
        sums.at(x, y) = sum;
    }
}

template <class Sum>
static __global__ void scan_columns(DeviceView<Sum> sums, int first) {
    const int x = first + threadIdx.x;
    if (x >= sums.width) return;
    Sum sum = 0;
    for (int y = 0; y < sums.height; ++y) {
        sum += sums.at(x, y);
        sums.at(x, y) = sum;
    }
}

template <class Sum>
static void cuda_lines(DeviceView<const Pixel> in, DeviceView<Sum> sums, const Options&,
                       cudaStream_t stream) {
    for (int y = 0; y < in.height; y += 32) scan_rows<<<1, 32, 0, stream>>>(in, sums, y);
    for (int x = 0; x < in.width; x += 32) scan_columns<<<1, 32, 0, stream>>>(sums, x);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_lines", .backend = common::Backend::cuda, .idea = "32 lines per launch"},
    Cost::linear,
    cuda_lines<Sum32>,
    cuda_lines<Sum64>};

}  // namespace integral
