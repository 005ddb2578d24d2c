// cuda_constant clamps, addresses and loads every tap in global memory. Here each block first
// copies its tile of source pixels, with a halo of r pixels on every side, into shared memory.
// Coordinates are clamped when the tile is loaded, so the loop over the taps needs no clamp.
//
// A block of b x b output pixels reads (b/2 + 1 + 2r)^2 source pixels once each, instead of once
// per tap; but the L1 cache serves that reuse too. The price is a barrier. Bound by the loads from
// shared memory, one byte per tap, channel and lane, and by arithmetic.

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

/// Source pixels along one axis for `threads` adjacent output pixels, whichever phase is first.
static constexpr __host__ __device__ int tile_size(int threads, int radius) {
    return threads / 2 + 1 + 2 * radius;
}

template <int Channels>
static __device__ void load_tile(DeviceView<const std::uint8_t, Channels> in, std::uint8_t* tile,
                                 int left, int top, int width, int height) {
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int threads = blockDim.x * blockDim.y;
    for (int at = thread; at < width * height; at += threads) {
        const int x = min(max(left + at % width, 0), in.width - 1);
        const int y = min(max(top + at / width, 0), in.height - 1);
        for (int c = 0; c < Channels; ++c) tile[at * Channels + c] = in.at(x, y, c);
    }
}

/// `Channels` is a compile-time constant, so that the sums stay in registers.
template <int Channels>
static __global__ void upscale_tile(DeviceView<const std::uint8_t, Channels> in,
                                    DeviceView<std::uint8_t, Channels> out, const Weights weights) {
    extern __shared__ std::uint8_t tile[];
    const int r = weights.radius;
    const int left = blockIdx.x * blockDim.x / 2 - r;
    const int top = blockIdx.y * blockDim.y / 2 - r;
    const int width = tile_size(blockDim.x, r);
    const int height = tile_size(blockDim.y, r);
    load_tile<Channels>(in, tile, left, top, width, height);
    __syncthreads();

    const int X = blockIdx.x * blockDim.x + threadIdx.x;
    const int Y = blockIdx.y * blockDim.y + threadIdx.y;
    if (X >= out.width || Y >= out.height) return;
    const int taps = 2 * r + 1;
    const int step_x = direction(X) * Channels;
    const int step_y = direction(Y) * width * Channels;
    const std::uint8_t* centre = tile + ((Y / 2 - top) * width + X / 2 - left) * Channels;
    const std::uint8_t* first = centre - r * step_y - r * step_x;
    float sum[Channels] = {};
    for (int j = 0; j < taps; ++j) {
        float row[Channels] = {};
        for (int i = 0; i < taps; ++i) {
            const std::uint8_t* tap = first + j * step_y + i * step_x;
            for (int c = 0; c < Channels; ++c) {
                row[c] += tap[c] * weights.values[i];
            }
        }
        for (int c = 0; c < Channels; ++c) sum[c] += row[c] * weights.values[j];
    }
    for (int c = 0; c < Channels; ++c) out.at(X, Y, c) = to_pixel(sum[c]);
}

void cuda_shared(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                 const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{16, 16});
    const int r = options.weights.radius;
    const int tile_bytes =
        tile_size(block.width, r) * tile_size(block.height, r) * in.channels;  // at most 24 KB
    const dim3 threads = common::threads_of(block);
    const dim3 grid = common::grid_for(out.width, out.height, block);
    if (in.channels == 1) {
        upscale_tile<1><<<grid, threads, tile_bytes, stream>>>(in, out, options.weights);
    } else {
        upscale_tile<3><<<grid, threads, tile_bytes, stream>>>(in, out, options.weights);
    }
    common::check_launch();
}

static const Register registered{{.name = "cuda_shared",
                                  .backend = common::Backend::cuda,
                                  .idea = "a tile of the source with its halo in shared memory"},
                                 cuda_shared,
                                 Traits{.operations = direct_sum_operations}};

}  // namespace upscale
