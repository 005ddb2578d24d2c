// The size of the mask as a template argument. The loops over the taps unroll, and each weight has
// a constant address, so the multiply-add takes it from constant memory as an operand.
//
// Against cuda_shared, which is bound by instructions: each of its taps has a load of the weight,
// whose address is known at run time only, and loops of 3 or 5 iterations add counters and tests.
// Here a tap is three instructions: load a byte, convert it, multiply and add. There is a kernel
// for each size and number of channels.
//
// Bound by instructions, many of which copy the tile byte by byte. Large masks are bound by the
// loads from shared memory, one per tap. Predicted: about 2 times as fast as cuda_shared.

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/sizes.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::DeviceView;

/// Copies rows [top, top + rows) and bytes [left, left + bytes) of the image, zero outside it.
template <int Channels>
static __device__ void load_tile(DeviceView<const std::uint8_t, Channels> in, std::uint8_t* tile,
                                 int top, int rows, std::ptrdiff_t left, int bytes) {
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int threads = blockDim.x * blockDim.y;
    for (int at = thread; at < rows * bytes; at += threads) {
        const int y = top + at / bytes;
        const std::ptrdiff_t b = left + at % bytes;
        const bool inside = y >= 0 && y < in.height && b >= 0 && b < in.row_length();
        tile[at] = inside ? in.row(y)[b] : std::uint8_t{0};
    }
}

template <int N, int Channels>
static __global__ void convolve_unrolled(DeviceView<const std::uint8_t, Channels> in,
                                         DeviceView<std::uint8_t, Channels> out, const Mask mask) {
    extern __shared__ std::uint8_t tile[];
    constexpr int k = N / 2;
    const int block_x = blockIdx.x * blockDim.x;
    const int block_y = blockIdx.y * blockDim.y;
    const int tile_rows = blockDim.y + 2 * k;
    const int tile_bytes = (blockDim.x + 2 * k) * in.channels;
    load_tile(in, tile, block_y - k, tile_rows, std::ptrdiff_t{block_x - k} * in.channels,
              tile_bytes);
    __syncthreads();

    const int x = block_x + threadIdx.x;
    const int y = block_y + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    const std::uint8_t* corner = tile + threadIdx.y * tile_bytes + threadIdx.x * in.channels;
    for (int c = 0; c < Channels; ++c) {
        float sum = 0;
#pragma unroll
        for (int i = 0; i < N; ++i) {
#pragma unroll
            for (int j = 0; j < N; ++j) {
                sum += corner[i * tile_bytes + j * Channels + c] * mask.weights[i * N + j];
            }
        }
        out.at(x, y, c) = to_pixel(sum);
    }
}

void cuda_unrolled(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                   const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const int halo = 2 * options.mask.radius();
    const int tile_bytes = (block.width + halo) * (block.height + halo) * in.channels;
    if (tile_bytes > 48 * 1024) {  // the limit without cudaFuncSetAttribute
        throw common::Unsupported("cuda_unrolled: the tile of block " + common::to_string(block) +
                                  " needs " + std::to_string(tile_bytes) +
                                  " bytes of shared memory; 49152 are available");
    }
    const dim3 threads = common::threads_of(block);
    const dim3 grid = common::grid_for(in.width, in.height, block);
    with_size(options.mask.size, [&]<int N>() {
        if (in.channels == 1) {
            convolve_unrolled<N, 1><<<grid, threads, tile_bytes, stream>>>(in, out, options.mask);
        } else {
            convolve_unrolled<N, 3><<<grid, threads, tile_bytes, stream>>>(in, out, options.mask);
        }
    });
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_unrolled",
     .backend = common::Backend::cuda,
     .idea = "mask size as a template argument: unrolled taps, weights as operands"},
    cuda_unrolled};

}  // namespace convolution
