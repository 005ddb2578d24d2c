// Task D: the loop of cuda_constant, on a tile of the source image in shared memory. It has two
// faults. With the default block, the result is right for an image of 1920x1080.
//
// Find both faults with the tests and the messages of the emulation, and repair them. Replace this
// comment. Say for each fault: the message, the cause, and why 1920x1080 does not show it.

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

/// The source pixels that a block reads.
struct Tile {
    int left, top;  // of the first pixel; may lie outside the image
    int width, height;
};

/// Source pixels along one axis for `threads` adjacent output pixels: a pixel for every two, and a
/// halo of `radius` pixels on both sides.
static constexpr __host__ __device__ int tile_size(int threads, int radius) {
    return threads / 2 + 2 * radius;
}

/// All threads of the block copy the tile. Coordinates outside the image are clamped to it.
template <int Channels>
static __device__ void load(const Tile& tile, DeviceView<const std::uint8_t, Channels> in,
                            std::uint8_t* pixels) {
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int threads = blockDim.x * blockDim.y;
    for (int i = thread; i < tile.width * tile.height; i += threads) {
        const int x = min(max(tile.left + i % tile.width, 0), in.width - 1);
        const int y = min(max(tile.top + i / tile.width, 0), in.height - 1);
        for (int c = 0; c < Channels; ++c) pixels[i * Channels + c] = in.at(x, y, c);
    }
}

template <int Channels>
static __global__ void upscale_from_tile(DeviceView<const std::uint8_t, Channels> in,
                                         DeviceView<std::uint8_t, Channels> out,
                                         const Weights weights) {
    extern __shared__ std::uint8_t pixels[];
    const int X = blockIdx.x * blockDim.x + threadIdx.x;
    const int Y = blockIdx.y * blockDim.y + threadIdx.y;
    if (X >= out.width || Y >= out.height) return;

    const int r = weights.radius;
    const int left = blockIdx.x * blockDim.x / 2 - r;
    const int top = blockIdx.y * blockDim.y / 2 - r;
    const Tile tile{left, top, tile_size(blockDim.x, r), tile_size(blockDim.y, r)};
    load<Channels>(tile, in, pixels);
    __syncthreads();

    float sum[Channels] = {};
    for (int j = -r; j <= r; ++j) {
        const int y = Y / 2 + j * direction(Y) - tile.top;
        float row[Channels] = {};
        for (int i = -r; i <= r; ++i) {
            const int x = X / 2 + i * direction(X) - tile.left;
            const std::uint8_t* tap = pixels + (y * tile.width + x) * Channels;
            for (int c = 0; c < Channels; ++c) {
                row[c] += tap[c] * weights.at(i);
            }
        }
        for (int c = 0; c < Channels; ++c) sum[c] += row[c] * weights.at(j);
    }
    for (int c = 0; c < Channels; ++c) out.at(X, Y, c) = to_pixel(sum[c]);
}

void cuda_broken(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                 const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{16, 16});
    const int r = options.weights.radius;
    const int tile_bytes = tile_size(block.width, r) * tile_size(block.height, r) * in.channels;
    const dim3 grid = common::grid_for(out.width, out.height, block);
    if (in.channels == 1) {
        upscale_from_tile<1>
            <<<grid, common::threads_of(block), tile_bytes, stream>>>(in, out, options.weights);
    } else {
        upscale_from_tile<3>
            <<<grid, common::threads_of(block), tile_bytes, stream>>>(in, out, options.weights);
    }
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_broken", .backend = common::Backend::cuda, .idea = "task D"},
    cuda_broken,
    Traits{.operations = direct_sum_operations, .in_ladder = false}};

}  // namespace upscale
