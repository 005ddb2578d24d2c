// Tiling: each block copies its tile of the image, with a halo of k pixels on every side, into
// shared memory, and convolves from there. The tile holds zeros where it leaves the image. They add
// nothing to a sum, so the inner loop needs no test for the edge.
//
// Against cuda_per_pixel: a block reads every byte once from global memory, not once per tap, in
// coalesced accesses. The inner loop is a shared-memory load, a conversion and a multiply-add. The
// costs: a barrier, and the halo, which makes (b + 2k)^2 / b^2 times the loads for a block of b x
// b. Bound by instructions: each tap loads and converts one byte per lane.
//
// Slower than cuda_per_pixel with gauss3, faster with gauss5. A tile saves accesses to global
// memory, but these do not bound cuda_per_pixel: its instructions do. A tap has the same load,
// conversion and multiply-add here, and a load of its weight. Each byte of the tile costs more
// instructions than a tap, most of them for the division that gives its row (SASS; doc/fastest.md).
// A block of 32x8 loads 1.3 bytes per value with 3x3 masks and 1.7 with 5x5, for 9 and 25 taps.

#include "common/cuda.cuh"
#include "common/view.hpp"
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

template <int Channels>
static __global__ void convolve_tile(DeviceView<const std::uint8_t, Channels> in,
                                     DeviceView<std::uint8_t, Channels> out, const Mask mask) {
    extern __shared__ std::uint8_t tile[];
    const int k = mask.radius();
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int block_x = blockIdx.x * blockDim.x;
    const int block_y = blockIdx.y * blockDim.y;
    const int tile_rows = blockDim.y + 2 * k;
    const int tile_bytes = (blockDim.x + 2 * k) * in.channels;
    load_tile(in, tile, block_y - k, tile_rows, std::ptrdiff_t{block_x - k} * in.channels,
              tile_bytes);
    __syncthreads();

    const int x = block_x + tx;
    const int y = block_y + ty;
    if (x >= in.width || y >= in.height) return;
    const std::uint8_t* corner = tile + ty * tile_bytes + tx * in.channels;
    for (int c = 0; c < in.channels; ++c) {
        float sum = 0;
        for (int i = 0; i < mask.size; ++i) {
            for (int j = 0; j < mask.size; ++j) {
                sum += corner[i * tile_bytes + j * in.channels + c] * mask.at(i, j);
            }
        }
        out.at(x, y, c) = to_pixel(sum);
    }
}

void cuda_shared(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                 const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const int halo = 2 * options.mask.radius();
    const int tile_bytes = (block.width + halo) * (block.height + halo) * in.channels;
    if (tile_bytes > 48 * 1024) {  // the limit without cudaFuncSetAttribute
        throw common::Unsupported("cuda_shared: the tile of block " + common::to_string(block) +
                                  " needs " + std::to_string(tile_bytes) +
                                  " bytes of shared memory; 49152 are available");
    }
    const dim3 threads = common::threads_of(block);
    const dim3 grid = common::grid_for(in.width, in.height, block);
    if (in.channels == 1) {
        convolve_tile<1><<<grid, threads, tile_bytes, stream>>>(in, out, options.mask);
    } else {
        convolve_tile<3><<<grid, threads, tile_bytes, stream>>>(in, out, options.mask);
    }
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_shared",
     .backend = common::Backend::cuda,
     .idea = "tiling: each block copies its tile and a halo to shared memory"},
    cuda_shared};

}  // namespace convolution
