// No tile: each thread fetches all taps from a texture. A fetch counts as a load request.

#include "parts/cuda_views_lab1.hpp"

#include "common/scratch.hpp"

using namespace convolution;

static __global__ void pack(Input in, common::DeviceView<uchar4> packed) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    uchar4 pixel{in.at(x, y, 0), 0, 0, 0};
    if (in.channels == 3) pixel = {pixel.x, in.at(x, y, 1), in.at(x, y, 2), 0};
    packed.at(x, y) = pixel;
}

static __global__ void convolve(cudaTextureObject_t image, Output out, const Mask mask) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height) return;
    const int k = mask.radius();
    float sum[3] = {};
    for (int i = max(-k, -y); i <= min(k, out.height - 1 - y); ++i) {
        for (int j = max(-k, -x); j <= min(k, out.width - 1 - x); ++j) {
            const float4 pixel = tex2D<float4>(image, x + j + 0.5f, y + i + 0.5f);
            const float weight = mask.at(i + k, j + k);
            sum[0] += static_cast<int>(pixel.x * 255 + 0.5f) * weight;
            sum[1] += static_cast<int>(pixel.y * 255 + 0.5f) * weight;
            sum[2] += static_cast<int>(pixel.z * 255 + 0.5f) * weight;
        }
    }
    for (int c = 0; c < out.channels; ++c) out.at(x, y, c) = to_pixel(sum[c]);
}

static void cuda_shared(Input in, Output out, const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const dim3 threads = common::threads_of(block);
    const dim3 grid = common::grid_for(in.width, in.height, block);
    const std::ptrdiff_t pitch = (in.width + 31) / 32 * 32;
    auto* data = static_cast<uchar4*>(options.scratch->get(0, pitch * in.height * sizeof(uchar4)));
    const common::DeviceView<uchar4> packed{data, in.width, in.height, 1, pitch};
    pack<<<grid, threads, 0, stream>>>(in, packed);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = data;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
    resource.res.pitch2D.width = in.width;
    resource.res.pitch2D.height = in.height;
    resource.res.pitch2D.pitchInBytes = pitch * sizeof(uchar4);
    cudaTextureDesc sampling{};
    sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
    sampling.filterMode = cudaFilterModePoint;
    sampling.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t texture = 0;
    common::check(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
    convolve<<<grid, threads, 0, stream>>>(texture, out, options.mask);
    common::check_launch();
    common::check(cudaStreamSynchronize(stream));
    common::check(cudaDestroyTextureObject(texture));
}

static const Register registered{mine_info, cuda_shared};
