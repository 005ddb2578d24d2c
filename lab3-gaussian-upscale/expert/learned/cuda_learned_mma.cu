// The method `learned` by matrix multiply-accumulates. A block computes all layers of a tile, and
// the activations stay in shared memory.
//
// cuda_learned writes the activations of every layer to global memory, and each thread reads its
// window: 33 MB per layer at 1920x1080. Here, only pixels move: 6.2 MB in, 24.9 MB out.
//
// Per source pixel: 7632 multiply-adds, 15.8 billion at 1920x1080. Products of 16x32 by 32x8 have
// room for more (the first layer uses 9 of 32 columns, the last one 4 of 16 rows, the others 9 of
// 10 taps), and tiles compute their halos again: 6.9 million products of 4096, 28.4 billion.
//
// Bound by no single unit: the tensor cores are idle for most of the time, and without any one of
// its stages (the layers, the bicubic part, the stores to global memory) it takes less time
// (learned/runs/h200/tune.txt).
//
// Needs compute capability 8.0.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "bicubic.cuh"
#include "common/cuda.cuh"
#include "common/scratch.hpp"
#include "common/view.hpp"
#include "convolution.cuh"
#include "problem/network.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

static constexpr int threads = 384;
static constexpr int blocks_per_multiprocessor = 2;
static constexpr int tile_width = row_pixels - 2 * Network::halo(0);  // source pixels
static constexpr int tile_height = 36;
static_assert(threads % (warp * warps_across) == 0 && tile_width % 2 == 0);

/// Source pixels around the tile. Columns beyond its halo are loaded, because the first layer reads
/// words.
static constexpr int source_width = row_pixels + 4;
static constexpr int source_height = tile_height + 2 * network_layers;

/// Layers write to the two arrays of activations in turn. The residuals and the output take the
/// place of activations that no layer reads any more.
template <int Channels>
struct Shared {
    std::uint8_t activations[2][(tile_height + 2 * Network::halo(0)) * row_bytes];
    std::uint8_t source[source_height][source_width * Channels];
    std::uint8_t luma[source_height][source_width];

    static constexpr int residuals = network_layers % 2 == 0;  ///< the array that has them
    __device__ const std::int16_t* residual(int x, int y) const {
        return reinterpret_cast<const std::int16_t*>(activations[residuals]) +
               (y * row_pixels + x) * phases;
    }
    static constexpr int output_pitch = 2 * tile_width * Channels;
    __device__ std::uint8_t* output(int y) { return activations[1 - residuals] + y * output_pitch; }
};

template <int Channels>
static __device__ void load_source(DeviceView<const std::uint8_t> in, Shared<Channels>& shared,
                                   int left, int top) {
    for (int i = threadIdx.x; i < source_width * source_height; i += threads) {
        const int x = i % source_width;
        const int y = i / source_width;
        const int from_x = min(max(left + x - network_layers, 0), in.width - 1);
        const int from_y = min(max(top + y - network_layers, 0), in.height - 1);
        const std::uint8_t* from = &in.at(from_x, from_y);
        for (int c = 0; c < Channels; ++c) shared.source[y][x * Channels + c] = from[c];
        shared.luma[y][x] = luma(from, Channels);
    }
}

template <int Channels>
static __device__ void run_network(Shared<Channels>& shared, const NetworkFragments& network) {
    const int thread = threadIdx.x;
    const auto rows = [](int layer) { return tile_height + 2 * Network::halo(layer); };
    convolve_luma(shared.luma[0], source_width, shared.activations[0],
                  Share(thread, threads, rows(0)), network.layers[0]);
#pragma unroll 1
    for (int i = 1; i < network_layers - 1; ++i) {
        __syncthreads();
        const Share share(thread, threads, rows(i));
        const LayerFragments& layer = network.layers[i];
        std::uint8_t* out = shared.activations[i % 2];
        convolve(shared.activations[1 - i % 2], share, layer,
                 [&](int y, int product, const Sums& sums) {
                     store_activations(out + y * row_bytes, share, product, sums, layer.shift);
                 });
    }
    __syncthreads();
    const Share share(thread, threads, tile_height);
    const LayerFragments& layer = network.layers[network_layers - 1];
    constexpr int target = Shared<Channels>::residuals;
    auto* residuals = reinterpret_cast<std::int16_t*>(shared.activations[target]);
    convolve(
        shared.activations[1 - target], share, layer, [&](int y, int product, const Sums& sums) {
            store_residuals(residuals + y * row_pixels * phases, share, product, sums, layer.shift);
        });
}

/// A thread goes down a column of bytes, with the row sums in a sliding window.
template <int Channels>
static __device__ void restore_tile(Shared<Channels>& shared) {
    constexpr int columns = tile_width * Channels;
    constexpr int segments = 3;
    constexpr int border = network_layers - 2;  // of the source beyond the taps
    for (int i = threadIdx.x; i < columns * segments; i += threads) {
        const int column = i % columns;
        const int x = column / Channels;
        const int first = i / columns * tile_height / segments;
        const int last = (i / columns + 1) * tile_height / segments;
        const auto sums = [&](int y) {
            return row_sums<Channels>(&shared.source[y + border][column + border * Channels]);
        };
        RowSums window[5] = {sums(first), sums(first + 1), sums(first + 2), sums(first + 3), {}};
        const int at = x * 2 * Channels + column % Channels;
#pragma unroll 5
        for (int y = first; y < last; ++y) {
            window[4] = sums(y + 4);
            restore(window, shared.residual(x, y), shared.output(2 * y) + at,
                    shared.output(2 * y + 1) + at, Channels);
#pragma unroll
            for (int k = 0; k < 4; ++k) window[k] = window[k + 1];
        }
    }
}

template <int Channels>
static __device__ void store_tile(DeviceView<std::uint8_t> out, Shared<Channels>& shared, int left,
                                  int top) {
    constexpr int words = Shared<Channels>::output_pitch / 4;
    const std::ptrdiff_t begin = std::ptrdiff_t{2} * left * Channels;
    for (int i = threadIdx.x; i < words * 2 * tile_height; i += threads) {
        const int at = i % words * 4;
        const int y = 2 * top + i / words;
        const std::ptrdiff_t count = out.row_length() - begin - at;
        if (y >= out.height || count <= 0) continue;
        const std::uint8_t* from = shared.output(i / words) + at;
        std::uint8_t* to = out.row(y) + begin + at;
        if (count >= 4) {  // streaming: no kernel reads it again soon
            __stcs(reinterpret_cast<unsigned*>(to), *reinterpret_cast<const unsigned*>(from));
        } else {
            for (int k = 0; k < count; ++k) to[k] = from[k];
        }
    }
}

template <int Channels>
static __global__ void __launch_bounds__(threads, blocks_per_multiprocessor)
    upscale_learned(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                    const NetworkFragments* network, int tiles_across) {
    extern __shared__ uint4 memory[];
    auto& shared = *reinterpret_cast<Shared<Channels>*>(memory);
    const int left = blockIdx.x % tiles_across * tile_width;
    const int top = blockIdx.x / tiles_across * tile_height;
    load_source(in, shared, left, top);
    __syncthreads();
    run_network(shared, *network);
    __syncthreads();
    restore_tile(shared);
    __syncthreads();
    store_tile(out, shared, left, top);
}

/// The matrices of the last network, which are kept from call to call.
struct PreparedNetwork {
    Network network;
    NetworkFragments fragments;
};

static const NetworkFragments* on_device(const Options& options, cudaStream_t stream) {
    std::shared_ptr<void>& kept = options.scratch->kept(0);
    auto known = std::static_pointer_cast<PreparedNetwork>(kept);
    if (known == nullptr || !(known->network == *options.network)) {
        known = std::make_shared<PreparedNetwork>(
            PreparedNetwork{*options.network, fragments_of(*options.network)});
        kept = known;
    }
    const auto bytes = std::as_bytes(std::span(&known->fragments, 1));
    return static_cast<const NetworkFragments*>(options.scratch->constants(0, bytes, stream));
}

template <int Channels>
static void launch(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                   const NetworkFragments* network, cudaStream_t stream) {
    constexpr int bytes = sizeof(Shared<Channels>);
    common::check(cudaFuncSetAttribute(upscale_learned<Channels>,
                                       cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const int across = (in.width + tile_width - 1) / tile_width;
    const int down = (in.height + tile_height - 1) / tile_height;
    const dim3 grid(across * down);
    upscale_learned<Channels><<<grid, threads, bytes, stream>>>(in, out, network, across);
    common::check_launch();
}

void cuda_learned_mma(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                      const Options& options, cudaStream_t stream) {
    if (options.block) {
        throw common::Unsupported("cuda_learned_mma: blocks have " + std::to_string(threads) +
                                  " threads, to which its tiles are fitted; leave out --block");
    }
    cudaFuncAttributes kernel{};
    common::check(cudaFuncGetAttributes(&kernel, upscale_learned<3>));
    if (options.limits.device.compute_capability < 80 || kernel.ptxVersion < 80 ||
        common::shared_bytes_per_block(options) < static_cast<int>(sizeof(Shared<3>))) {
        throw common::Unsupported("cuda_learned_mma: needs compute capability 8.0 and " +
                                  std::to_string(sizeof(Shared<3>)) +
                                  " bytes of shared memory in a block");
    }
    const auto launch_with = in.channels == 1 ? launch<1> : launch<3>;
    launch_with(in, out, on_device(options, stream), stream);
}

static const Register registered{
    {.name = "cuda_learned_mma",
     .backend = common::Backend::cuda,
     .idea = "--method learned on tensor cores: all layers of a tile in shared memory"},
    cuda_learned_mma,
    Traits{.in_ladder = false, .learned = true}};

}  // namespace upscale
