// Matrix multiply-accumulate on tensor cores. One instruction (mma.m16n8k32) multiplies a 16x32
// matrix of signed bytes by a 32x8 matrix of unsigned bytes and adds the product to a 16x8 matrix
// of integers. Two of them make 8 output tiles of 4x4 pixels in a channel: the columns of the right
// matrix are the windows of 8x8 pixels around the tiles; the left matrix is the mask 16 times, each
// time moved by a pixel, with zeros around it. Larger weights have up to three digits in base 256,
// and each digit has accumulators of its own.
//
// Against cuda_registers, which arithmetic bounds: a warp needs 6 instructions for 384 output bytes
// and a digit, instead of 25 * 384 / 32 multiply-adds (or half as many, in pairs). Asynchronous
// copies bring pixels from global to shared memory without registers, four rows at a time and six
// stages ahead, with zeros outside the image. Pixels stay bytes; they are only sorted by channel.
//
// At 7680x4320, colour: 199 MB to move, 51 us at the rate of a copy. Warps make 384 bytes 259
// thousand times, with 140 instructions each time for one digit and 215 for three: 69 and 106
// thousand cycles of a multiprocessor's four schedulers, 35 and 53 us. The tensor cores are busy
// for 15 us per digit. So bound by memory with one or two digits, and with three by instructions,
// tensor cores and memory together.
//
// Measured: 75% of the rate of a copy with gauss3, 75% with gauss5, 71% with unsharp5, 55% with 25
// irregular weights (7680x4320, NVIDIA H200): 2.5, 4.2, 4.1 and 3.1 times as fast as NPP.
//
// With gauss3 it takes 4% longer than cuda_registers. There, arithmetic bounds neither of the two:
// it takes 35 us here and about 40 us there, a copy 51 us. So fewer multiply-adds gain nothing.
// With gauss5, it is 1.3 times as fast.
//
// Masks above 5x5, weights that three digits do not hold, and GPUs below compute capability 8.0 are
// left to cuda_registers.

#include <cuda_pipeline.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/cuda.cuh"
#include "common/scratch.hpp"
#include "common/view.hpp"
#include "matrices.hpp"
#include "problem/base256.hpp"
#include "problem/variant.hpp"
#include "segment.cuh"
#include "stages.cuh"

namespace convolution {

using common::DeviceView;

/// Null in a build without that variant.
[[gnu::weak]] void cuda_registers(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                                  const Options& options, cudaStream_t stream);

template <int Channels, bool Shifted, int Digits>
static __global__ void __launch_bounds__(most_threads, Digits == 3 ? 5 : 6)
    convolve(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
             const LaneWeights* matrices, Scale scale, int steps) {
    __shared__ Shared shared[most_threads / warp];
    const int warps_across = static_cast<int>(blockDim.x) / warp;
    const int warp_x = static_cast<int>(threadIdx.x) / warp;
    const int lane = static_cast<int>(threadIdx.x) % warp;
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    const Segment<Channels> segment{
        out, std::ptrdiff_t{segment_bytes} * (static_cast<int>(blockIdx.x) * warps_across + warp_x),
        y * steps * tile_side, lane, shared[static_cast<int>(threadIdx.y) * warps_across + warp_x]};
    if (segment.begin >= in.row_length() || segment.top >= in.height) return;
    AsyncCopy source(in, segment.begin, segment.top - halo, lane);
    for (int stage = 0; stage <= stages_ahead; ++stage) {
        if (stage <= steps) source.copy(segment.shared.rows[stage]);
        __pipeline_commit();
    }
    LaneWeights weights[2][Digits];
#pragma unroll
    for (int i = 0; i < 2 * Digits; ++i) {
        weights[i / Digits][i % Digits] = matrices[i * warp + lane];
    }
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        __pipeline_wait_prior(stages_ahead - 1);
        __syncwarp();  // two stages have arrived, and the last result is stored
        const int next = step + stages_ahead + 1;
        if (next <= steps) source.copy(segment.shared.rows[next % stages]);
        __pipeline_commit();
        segment.template convolve<Shifted>(step, weights, scale);
        __syncwarp();
        segment.store(step);
    }
}

/// The data that depend on the mask alone; kept from call to call.
struct PreparedMask {
    Mask mask;
    std::optional<Base256> weights{};
    std::vector<LaneWeights> matrices{};

    bool is_for(const Mask& other) const {
        return mask.size == other.size &&
               std::equal(mask.weights, mask.weights + mask.size * mask.size, other.weights);
    }
};

/// True if the loaded kernels were compiled for a GPU with these tensor-core instructions.
static bool compiled_for_matrices(const Options& options) {
    if (options.device_limit.compute_capability < 80) return false;
    cudaFuncAttributes kernel{};
    common::check(cudaFuncGetAttributes(&kernel, convolve<3, true, 1>));
    return kernel.ptxVersion >= 80;
}

static const PreparedMask& prepared_for(const Options& options) {
    const Mask& mask = options.mask;
    std::shared_ptr<void>& kept = options.scratch->kept(0);
    const auto* known = static_cast<const PreparedMask*>(kept.get());
    if (known != nullptr && known->is_for(mask)) return *known;
    auto fresh = std::make_shared<PreparedMask>(PreparedMask{mask});
    if (mask.size <= largest_mask && compiled_for_matrices(options))
        fresh->weights = in_base_256(mask);
    if (fresh->weights) fresh->matrices = matrices_of(*fresh->weights);
    kept = fresh;
    return *fresh;
}

struct LaunchArguments {
    DeviceView<const std::uint8_t> in;
    DeviceView<std::uint8_t> out;
    common::Block block;
    const LaneWeights* matrices;  ///< on the GPU
    Scale scale;
    cudaStream_t stream;
};

template <int Channels, bool Shifted, int Digits>
static void launch(const LaunchArguments& args) {
    const std::ptrdiff_t segments = (args.in.row_length() + segment_bytes - 1) / segment_bytes;
    // A warp copies one stage more than it has steps: many steps amortise it, but fewer warps hide
    // less latency.
    constexpr std::ptrdiff_t enough_warps = 3600;
    constexpr std::ptrdiff_t longest = Digits == 1 ? 8 : 16;
    const auto steps = static_cast<int>(std::clamp<std::ptrdiff_t>(
        segments * args.in.height / tile_side / enough_warps, 1, longest));
    const dim3 threads(static_cast<unsigned>(args.block.width),
                       static_cast<unsigned>(args.block.height));
    const int rows = tile_side * steps;
    const dim3 grid = common::grid_for(static_cast<int>(segments) * warp,
                                       (args.in.height + rows - 1) / rows, args.block);
    convolve<Channels, Shifted, Digits>
        <<<grid, threads, 0, args.stream>>>(args.in, args.out, args.matrices, args.scale, steps);
    common::check_launch();
}

template <int Channels>
static void launch(const LaunchArguments& args, int digits) {
    if (args.scale.shift < 0) {
        digits == 1 ? launch<Channels, false, 1>(args) : launch<Channels, false, 3>(args);
    } else {
        digits == 1 ? launch<Channels, true, 1>(args) : launch<Channels, true, 2>(args);
    }
}

void cuda_best(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
               const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{128, 1});
    if (block.width % warp != 0 || block.threads() > most_threads) {
        throw common::Unsupported("cuda_best: block " + common::to_string(block) +
                                  " is not made of whole warps, at most " +
                                  std::to_string(most_threads) + " threads in all");
    }
    const PreparedMask& prepared = prepared_for(options);
    if (!prepared.weights && cuda_registers == nullptr) {
        throw common::Unsupported(
            "cuda_best: this mask needs cuda_registers, which is not in this build");
    }
    if (!prepared.weights) return cuda_registers(in, out, options, stream);
    const Base256& weights = *prepared.weights;
    const void* matrices =
        options.scratch->constants(0, std::as_bytes(std::span(prepared.matrices)), stream);
    const LaunchArguments args{in,
                               out,
                               block,
                               static_cast<const LaneWeights*>(matrices),
                               {weights.shift, weights.scale},
                               stream};
    in.channels == 1 ? launch<1>(args, weights.digits) : launch<3>(args, weights.digits);
}

static const Register registered{
    {.name = "cuda_best",
     .backend = common::Backend::cuda,
     .idea = "tensor cores: 8 tiles of 4x4 pixels in two products; weights in base 256"},
    cuda_best};

}  // namespace convolution
