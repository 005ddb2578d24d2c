// Matrix multiply-accumulate on tensor cores. One instruction (mma.m16n8k32) multiplies a 16x32
// matrix of signed bytes by a 32x8 matrix of unsigned bytes and adds the product to a 16x8 matrix
// of integers. The columns of the right matrix are windows of 32 bytes of a row, 16 bytes apart;
// the left matrix is a row of the mask 16 times, each time moved by a byte, with zeros around it.
// As many of them as the mask has rows make 8 runs of 16 output bytes. Larger weights have up to
// three digits in base 256, and each digit has accumulators of its own.
//
// Against cuda_registers, which unpacks each byte: pixels stay bytes, and channels stay
// interleaved, because the left matrix has zeros between the weights. Products with zeros cost less
// than the instructions that sort pixels by channel. Asynchronous copies bring rows to shared
// memory, several rows ahead and without registers.
//
// Predicted for 7680x4320, colour: 199 MB to move. A warp makes 448 bytes of a row with 12
// multiply-adds (3x3) or 20 (5x5) per digit. At the rate that `mma.sync` alone reaches (lab 3's
// learned/imma_peak.cu), these take less time per digit than a copy takes for the bytes. So memory
// bounds masks of one digit. 5x5 masks with several digits in all rows have a kernel with fewer
// multiply-adds (tiles.cuh).
//
// With 3x3 masks, no unit is near its peak: latency bounds the kernel. With three digits in all
// rows of a 5x5 mask, arithmetic does. "What stops cuda_best" in
// reports/lab1-convolution/designs.md says what is missing to a copy.
//
// Larger masks, weights of more digits and GPUs below 8.0 are left to cuda_registers.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "async_rows.cuh"
#include "common/cuda.cuh"
#include "common/scratch.hpp"
#include "common/view.hpp"
#include "matrices.hpp"
#include "problem/variant.hpp"
#include "strip.cuh"
#include "tiles.cuh"

namespace convolution {

using common::DeviceView;

/// Null in a build without that variant.
[[gnu::weak]] void cuda_registers_rows(DeviceView<const std::uint8_t> in, int first,
                                       DeviceView<std::uint8_t> out, const Options& options,
                                       cudaStream_t stream);

static constexpr int most_threads = 128;  // of a block

/// Output rows of a warp that turns `turns` times around its ring.
static constexpr int output_rows(int mask_rows, int slots, int turns) {
    return slots * turns - (mask_rows - 1);
}

/// Resident blocks per multiprocessor: a bound on the registers of a thread.
static constexpr int resident_blocks(int mask_rows, int digits) {
    if (digits == 1) return mask_rows == 3 ? 7 : 5;
    return mask_rows * digits > 10 ? 3 : 4;
}

/// A warp makes a strip of each of `output_rows(...)` rows.
template <int Rows, Scaling How, int Digits, bool Sharpens>
static __global__ void __launch_bounds__(most_threads, resident_blocks(Rows, Digits))
    convolve(DeviceView<const std::uint8_t> in, int first, DeviceView<std::uint8_t> out,
             const LaneWeights* matrices, Scale scale, int turns) {
    __shared__ Ring<Rows> rings[most_threads / warp];
    const int block = blockIdx.x;
    const int block_width = blockDim.x;
    const int thread = threadIdx.x;
    const int thread_y = threadIdx.y;
    const int warp_y = blockIdx.y * blockDim.y + threadIdx.y;
    const int warps_across = block_width / warp;
    const int warp_x = thread / warp;
    const int lane = thread % warp;
    const int rows = output_rows(Rows, slots<Rows>, turns);
    const int top = warp_y * rows;
    const int bottom = min(top + rows, out.height);
    const std::ptrdiff_t begin = std::ptrdiff_t{strip_bytes} * (block * warps_across + warp_x);
    if (begin >= in.row_length() || top >= out.height) return;

    auto& ring = rings[thread_y * warps_across + warp_x].rows;
    AsyncRows source(in, begin, first + top - Rows / 2, first + bottom + Rows / 2, lane);
#pragma unroll
    for (int i = 0; i < rows_ahead<Rows>; ++i) source.copy(ring[i]);
    const Weights<Rows, How, Digits, Sharpens> weights(matrices, scale, lane);
    const StripOutput output(out, begin, lane);
    Pixels pixels[Rows];
    int y = top - (Rows - 1);  // of the output row that the next row of the input completes
#pragma unroll 1
    for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
        for (int slot = 0; slot < slots<Rows>; ++slot, ++y) {
            __pipeline_wait_prior(rows_ahead<Rows> - 1);
            source.clear_padding(ring[slot]);
            __syncwarp();
            source.copy(ring[(slot + rows_ahead<Rows>) % slots<Rows>]);
            pixels[slot % Rows] = windows_of(ring[slot], lane);
            if (top <= y && y < bottom) output.store(y, weights, pixels, slot + 1);
        }
    }
}

/// The data that depend on the mask and the channels alone; kept from call to call.
struct PreparedMask {
    Mask mask;
    int channels;
    std::optional<ScaledWeights> scaled{};
    bool in_tiles = false;  ///< which kernel
    bool sharpens = false;
    std::vector<LaneWeights> matrices{};

    bool is_for(const Mask& other, int other_channels) const {
        return channels == other_channels && mask.size == other.size &&
               std::equal(mask.weights, mask.weights + mask.size * mask.size, other.weights);
    }
};

/// True if the loaded kernels were compiled for a GPU with these tensor-core instructions.
static bool compiled_for_matrices(const Options& options) {
    if (options.limits.device.compute_capability < 80) return false;
    cudaFuncAttributes kernel{};
    common::check(cudaFuncGetAttributes(&kernel, convolve<3, Scaling::shift, 1, false>));
    return kernel.ptxVersion >= 80;
}

static const PreparedMask& prepared_for(const Options& options, int channels) {
    const Mask& mask = options.mask;
    std::shared_ptr<void>& kept = options.scratch->kept(0);
    const auto* known = static_cast<const PreparedMask*>(kept.get());
    if (known != nullptr && known->is_for(mask, channels)) return *known;
    auto fresh = std::make_shared<PreparedMask>(PreparedMask{mask, channels});
    if (mask.size <= largest_mask && compiled_for_matrices(options))
        fresh->scaled = scaled_weights(mask);
    if (fresh->scaled) {
        const Base256& weights = fresh->scaled->weights;
        fresh->sharpens = sharpens(*fresh->scaled);
        fresh->in_tiles = mask.size == 5 && weights.digits > 1 && !fresh->sharpens;
        fresh->matrices =
            fresh->in_tiles ? tile_matrices_of(weights) : matrices_of(weights, channels);
    }
    kept = fresh;
    return *fresh;
}

template <int Rows, Scaling How, int Digits, bool Sharpens = false>
static void launch(const LaunchArguments& args) {
    const std::ptrdiff_t strips = (args.in.row_length() - 1) / strip_bytes + 1;
    // A warp copies more rows than it makes: many turns amortise them, but fewer warps hide less
    // latency.
    constexpr std::ptrdiff_t enough_warps = 4800;
    constexpr std::ptrdiff_t longest = Rows == 3 ? 10 : 16;
    const int wanted =
        std::clamp<std::ptrdiff_t>(strips * args.out.height / enough_warps, 1, longest);
    const int turns = (wanted + Rows - 2) / slots<Rows> + 1;
    const int rows = output_rows(Rows, slots<Rows>, turns);
    const dim3 threads(args.block.width, args.block.height);
    const dim3 grid = common::grid_for(strips * warp, (args.out.height - 1) / rows + 1, args.block);
    convolve<Rows, How, Digits, Sharpens><<<grid, threads, 0, args.stream>>>(
        args.in, args.first, args.out, args.matrices, args.scale, turns);
    common::check_launch();
}

template <int Rows>
static void launch(const LaunchArguments& args, const PreparedMask& mask) {
    using enum Scaling;
    if (mask.sharpens) return launch<Rows, digit, 2, true>(args);
    if constexpr (Rows == 3) {  // others are in tiles
        if (mask.scaled->weights.digits == 3) return launch<3, shift, 3>(args);
        if (mask.scaled->weights.digits == 2) return launch<3, shift, 2>(args);
    }
    switch (args.scale.scaling) {
        case byte:
            return launch<Rows, byte, 1>(args);
        case reciprocal:
            return launch<Rows, reciprocal, 1>(args);
        case whole:
            return launch<Rows, whole, 1>(args);
        default:
            return launch<Rows, shift, 1>(args);
    }
}

static void launch(const LaunchArguments& args, const PreparedMask& mask) {
    if (mask.in_tiles) {
        const int digits = mask.scaled->weights.digits;
        return args.in.channels == 1 ? tiles::launch<1>(args, digits)
                                     : tiles::launch<3>(args, digits);
    }
    kernel_rows(mask.mask.size) == 3 ? launch<3>(args, mask) : launch<5>(args, mask);
}

/// Blocks of two warps for a small image, of which all multiprocessors then get an equal part.
/// Larger images are faster with four.
static common::Block best_block(DeviceView<std::uint8_t> out, const PreparedMask& mask) {
    constexpr std::ptrdiff_t small = 64 << 10;  // bytes per multiprocessor
    const int multiprocessors = common::device_attribute(cudaDevAttrMultiProcessorCount);
    const bool is_small = out.row_length() * out.height < small * multiprocessors;
    return {is_small && !mask.in_tiles ? most_threads / 2 : most_threads, 1};
}

/// Some rows of an image: the first row of `out` belongs to row `first` of `in`.
void cuda_best_rows(DeviceView<const std::uint8_t> in, int first, DeviceView<std::uint8_t> out,
                    const Options& options, cudaStream_t stream) {
    const PreparedMask& prepared = prepared_for(options, in.channels);
    const common::Block block = options.block.value_or(best_block(out, prepared));
    if (block.width % warp != 0 || block.threads() > most_threads) {
        throw common::Unsupported("cuda_best: block " + common::to_string(block) +
                                  " is not made of whole warps, at most " +
                                  std::to_string(most_threads) + " threads in all");
    }
    if (!prepared.scaled && cuda_registers_rows == nullptr) {
        throw common::Unsupported(
            "cuda_best: this mask needs cuda_registers, which is not in this build");
    }
    if (!prepared.scaled) return cuda_registers_rows(in, first, out, options, stream);
    const void* matrices =
        options.scratch->constants(0, std::as_bytes(std::span(prepared.matrices)), stream);
    const LaunchArguments args{
        in,    first, out, block, static_cast<const LaneWeights*>(matrices), prepared.scaled->scale,
        stream};
    launch(args, prepared);
}

void cuda_best(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
               const Options& options, cudaStream_t stream) {
    cuda_best_rows(in, 0, out, options, stream);
}

static const Register registered{
    {.name = "cuda_best",
     .backend = common::Backend::cuda,
     .idea = "tensor cores: rows of the mask times windows of 32 bytes; weights in base 256"},
    cuda_best};

}  // namespace convolution
