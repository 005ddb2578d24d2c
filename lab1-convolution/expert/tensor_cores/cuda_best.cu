// The sums are made by the matrix units (tensor cores). In one instruction a warp multiplies a
// 16x32 matrix of signed bytes by a 32x8 matrix of pixels, and adds the product to 16x8 sums. Two
// of them make 4x4 output values of a channel at 8 places: the pixels are windows of 8x8 around
// these places, and the weights are the mask 16 times, each time moved by a pixel, with zeros
// around. Weights of more than a byte are written with up to three digits in base 256, and each
// digit has sums of its own.
//
// Against cuda_registers: a warp needs 6 products for 384 output bytes and a digit, where it needs
// 25 * 384 / 32 multiplications (or half as many, of pairs). Pixels go from memory to shared memory
// without a detour through registers, four rows at a time and long before they are needed, with
// zeros in place of what is outside the image. They are never unpacked, only sorted by channels.
//
// At 7680x4320, colour: 199 MB to move, 51 us at the rate of a copy. Warps make 384 bytes 259
// thousand times, with 140 instructions each time if weights have one digit and 215 if they have
// three: 69 and 106 thousand cycles of a multiprocessor's four schedulers, 35 and 53 us. The matrix
// units are busy for 15 us with each digit. So bound by memory with one digit or two, and with
// three by what instructions, products and memory take together.
//
// Comes to 76% of the rate of a copy with gauss3, 75% with gauss5, 71% with unsharp5, 55% with 25
// irregular weights (7680x4320, NVIDIA H200): 2.7, 4.3, 4.0 and 3.1 times as fast as NPP.
//
// Masks that this does not suit (above 5x5, or with weights that three digits do not hold) are left
// to cuda_registers, and so are GPUs before compute capability 8.0.

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
#include "common/ptx.cuh"
#include "common/scratch.hpp"
#include "common/view.hpp"
#include "digits.hpp"
#include "matrices.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::DeviceView;

/// Null in a build without that variant.
[[gnu::weak]] void cuda_registers(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                                  const Options& options, cudaStream_t stream);

static constexpr int warp = 32;
static constexpr int most_threads = 128;  // of a block
static constexpr int largest_mask = 5;
static constexpr int side = 4;      // rows and columns of pixels that are a column of a product
static constexpr int places = 8;    // columns of a product
static constexpr int products = 3;  // side by side: the channels, or thrice as many gray pixels
static constexpr int strip = side * places * products;  // bytes of a row that a warp makes
static constexpr int halo = 2;                          // pixels of a window around its place

// A stage is `side` rows of the strip and of the bytes around it, in shared memory.
static constexpr int piece = 16;         // bytes that a lane copies
static constexpr int stage_bytes = 128;  // of a row
static constexpr int stage_pitch = 144;  // so that the rows of a window are in different banks
static constexpr int stages_ahead = 6;
static constexpr int stages = stages_ahead + 2;  // and the two of a window
static_assert(piece == 16 && side * stage_bytes == warp * piece && piece >= halo * 3 &&
              halo == side / 2);

/// Added to sums so that, read as floats, they are the sum and this: 1.5 * 2^23.
static constexpr int raised = 0x4b400000;
static constexpr float raised_float = 12582912.0f;

/// A lane's part of a product and what it is added to: rows `lane / 4` and eight further, columns
/// `lane % 4 * 2` and the next.
struct Sums {
    int values[4];
};

/// A lane's part of the pixels: bytes of column `lane / 4`, of a window's row the left four and the
/// right four. Their order is that of the columns of the weights.
struct Pixels {
    unsigned left, right;
};

/// sums + weights * pixels
static __device__ void multiply_add(Sums& sums, const LaneWeights& weights, Pixels pixels) {
    common::multiply_add_s8_u8(sums.values, weights.words, {pixels.left, pixels.right});
}

/// Two values as neighbouring pixels; what is out of range is clamped.
static __device__ std::uint16_t two_pixels(int first, int second) {
    return static_cast<std::uint16_t>(common::pack_u8(first, second));
}

/// How sums of digits become a pixel's value.
struct Scale {
    int shift;
    float factor;
};

/// What the sums of a digit begin with.
template <bool Shifted>
static __device__ int begin_of(int digit) {
    return !Shifted && digit == 0 ? raised : 0;
}

/// The value that the sums of its digits stand for, without its fraction. Integers where the scale
/// is a power of two and sums are exact. Otherwise floats: the last digit's sum is one already, and
/// so is the result, whose fraction the addition cuts off.
template <bool Shifted, int Digits>
static __device__ int value_of(const Sums (&sums)[Digits], int i, Scale scale) {
    int high = 0;
#pragma unroll
    for (int d = Digits - 1; d > 0; --d) high = 256 * high + sums[d].values[i];
    if constexpr (Shifted) {
        return (256 * high + sums[0].values[i]) >> scale.shift;
    } else {
        float sum = __int_as_float(sums[0].values[i]) - raised_float;
        if constexpr (Digits > 1) sum = fmaf(static_cast<float>(high), 256.0f, sum);
        return __float_as_int(__fmaf_rz(sum, scale.factor, raised_float)) - raised;
    }
}

/// Four bytes of some words: number `first`, and each `step` further. Both are known to the
/// compiler, so that this is one to three permutations.
static __device__ unsigned gathered(const unsigned* words, int first, int step) {
    const auto two = [&](int a, int b) {  // the lowest bytes, or the word that has both
        return a / 4 == b / 4 ? words[a / 4]
                              : __byte_perm(words[a / 4], words[b / 4],
                                            static_cast<unsigned>(a % 4 | (4 + b % 4) << 4));
    };
    const int second = first + step;
    const int third = second + step;
    const int fourth = third + step;
    const bool left_together = first / 4 == second / 4;
    const bool right_together = third / 4 == fourth / 4;
    const int selector = (left_together ? first % 4 | second % 4 << 4 : 0x10) |
                         (right_together ? (4 + third % 4) << 8 | (4 + fourth % 4) << 12 : 0x5400);
    return __byte_perm(two(first, second), two(third, fourth), static_cast<unsigned>(selector));
}

/// Shared memory of a warp.
struct alignas(16) Shared {
    std::uint8_t rows[stages][side][stage_pitch];
    std::uint8_t result[side][strip];
};

/// A lane's part of the way of a strip to shared memory: a piece of a row of each stage.
class Source {
  public:
    /// The strip begins at byte `begin` of the rows; its first window at row `top`.
    __device__ Source(DeviceView<const std::uint8_t> in, std::ptrdiff_t begin, int top, int lane)
        : in_(in), row_(lane / pieces), at_(lane % pieces * piece), y_(top + row_) {
        const std::ptrdiff_t x = begin - piece + at_;
        const std::ptrdiff_t left = in.row_length() - x;
        count_ = x < 0 || left < 0 ? 0 : static_cast<int>(left < piece ? left : piece);
        next_ = in.data + y_ * in.pitch + x;
    }

    /// Starts to copy the next stage, with zeros for what is outside the image.
    __device__ void copy(std::uint8_t (&stage)[side][stage_pitch]) {
        const int count = 0 <= y_ && y_ < in_.height ? count_ : 0;
        common::copy_16_async(&stage[row_][at_], count > 0 ? next_ : in_.data, count);
        y_ += side;
        next_ += side * in_.pitch;
    }

  private:
    static constexpr int pieces = stage_bytes / piece;
    DeviceView<const std::uint8_t> in_;
    int row_, at_;
    int y_;
    int count_;  ///< bytes of the piece that are inside the image
    const std::uint8_t* next_;
};

/// A warp's strip of the image.
template <int Channels>
struct Strip {
    DeviceView<std::uint8_t> out;
    std::ptrdiff_t begin;  ///< byte of a row
    int top;               ///< row
    int lane;
    Shared& shared;

    static constexpr int stride = Channels == 1 ? 1 : 3;  ///< from a pixel to the next

    /// Of the windows that begin in this stage, the lane has rows 2 * (lane % 4) and the next.
    __device__ Pixels pixels_of(int stage, int odd, int product) const {
        constexpr int begin_byte = piece - halo * stride;
        constexpr int first = begin_byte % 4;
        constexpr int words = (8 * stride + first + 3) / 4;
        const int pair = lane % 4;
        const std::uint8_t* row =
            shared.rows[(stage + pair / 2) % stages][pair % 2 * 2 + odd] + begin_byte / 4 * 4;
        const int place = lane / 4 + (Channels == 1 ? product * places : 0);
        const auto* from = reinterpret_cast<const unsigned*>(row + place * side * stride);
        unsigned bytes[words];
#pragma unroll
        for (int i = 0; i < words; ++i) bytes[i] = from[i];
        const int channel = Channels == 1 ? 0 : product;
        return {gathered(bytes, first + channel, stride),
                gathered(bytes, first + channel + 4 * stride, stride)};
    }

    /// Makes the output rows whose windows are this stage and the next.
    template <bool Shifted, int Digits>
    __device__ void convolve(int stage, const LaneWeights (&weights)[2][Digits],
                             Scale scale) const {
        int values[2][2 * products];  // at two places, in the order of the result's bytes
#pragma unroll
        for (int product = 0; product < products; ++product) {
            Sums sums[Digits];
#pragma unroll
            for (int d = 0; d < Digits; ++d) {
                const int begin_sum = begin_of<Shifted>(d);
                sums[d] = {{begin_sum, begin_sum, begin_sum, begin_sum}};
            }
#pragma unroll
            for (int odd = 0; odd < 2; ++odd) {
                const Pixels pixels = pixels_of(stage, odd, product);
#pragma unroll
                for (int d = 0; d < Digits; ++d) multiply_add(sums[d], weights[odd][d], pixels);
            }
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int pixel = i / 2;
                values[i % 2][Channels == 1 ? 2 * product + pixel : 3 * pixel + product] =
                    value_of<Shifted>(sums, i, scale);
            }
        }
        keep(values);
    }

    /// Puts a lane's values, of two neighbouring pixels at two places, where `store` finds them.
    __device__ void keep(const int (&values)[2][2 * products]) const {
        std::uint8_t* row = shared.result[lane / 8];
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const int place = lane % 4 * 2 + i;
            const int at = (place * side + lane / 4 % 2 * 2) * stride;
#pragma unroll
            for (int k = 0; k < products; ++k) {
                const int set = Channels == 1 ? k * side * places : 2 * k;
                *reinterpret_cast<std::uint16_t*>(row + at + set) =
                    two_pixels(values[i][2 * k], values[i][2 * k + 1]);
            }
        }
    }

    /// Writes these rows, those of them that exist.
    __device__ void store(int stage) const {
        constexpr int pieces = strip / piece;
        const int y = top + stage * side + lane / pieces;
        if (lane >= side * pieces || y >= out.height) return;
        const int at = lane % pieces * piece;
        const std::uint8_t* from = shared.result[lane / pieces] + at;
        std::uint8_t* to = out.row(y) + begin + at;
        const std::ptrdiff_t count = out.row_length() - begin - at;
        if (count >= piece) {  // past the caches, as nobody reads it soon
            __stcs(reinterpret_cast<uint4*>(to), *reinterpret_cast<const uint4*>(from));
        } else {
            for (int i = 0; i < count; ++i) to[i] = from[i];
        }
    }
};

template <int Channels, bool Shifted, int Digits>
static __global__ void __launch_bounds__(most_threads, Digits == 3 ? 5 : 6)
    convolve(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
             const LaneWeights* matrices, Scale scale, int steps) {
    __shared__ Shared shared[most_threads / warp];
    const int warps_across = static_cast<int>(blockDim.x) / warp;
    const int warp_x = static_cast<int>(threadIdx.x) / warp;
    const int lane = static_cast<int>(threadIdx.x) % warp;
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    const Strip<Channels> mine{
        out, std::ptrdiff_t{strip} * (static_cast<int>(blockIdx.x) * warps_across + warp_x),
        y * steps * side, lane, shared[static_cast<int>(threadIdx.y) * warps_across + warp_x]};
    if (mine.begin >= in.row_length() || mine.top >= in.height) return;
    Source source(in, mine.begin, mine.top - halo, lane);
    for (int stage = 0; stage <= stages_ahead; ++stage) {
        if (stage <= steps) source.copy(mine.shared.rows[stage]);
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
        __syncwarp();  // the next two stages are there, and the last result is stored
        const int next = step + stages_ahead + 1;
        if (next <= steps) source.copy(mine.shared.rows[next % stages]);
        __pipeline_commit();
        mine.template convolve<Shifted>(step, weights, scale);
        __syncwarp();
        mine.store(step);
    }
}

/// What follows from a mask, made when it is another than in the last call.
struct Prepared {
    Mask mask;
    std::optional<Digits> digits{};
    std::vector<LaneWeights> matrices{};

    bool is_for(const Mask& other) const {
        return mask.size == other.size &&
               std::equal(mask.weights, mask.weights + mask.size * mask.size, other.weights);
    }
};

/// Whether the kernels that are going to run were compiled for a GPU with what they need.
static bool compiled_for_matrices(const Options& options) {
    if (options.device_limit.compute_capability < 80) return false;
    cudaFuncAttributes kernel{};
    common::check(cudaFuncGetAttributes(&kernel, convolve<3, true, 1>));
    return kernel.ptxVersion >= 80;
}

static const Prepared& prepared_for(const Options& options) {
    const Mask& mask = options.mask;
    std::shared_ptr<void>& kept = options.scratch->kept(0);
    const auto* known = static_cast<const Prepared*>(kept.get());
    if (known != nullptr && known->is_for(mask)) return *known;
    auto fresh = std::make_shared<Prepared>(Prepared{mask});
    if (mask.size <= largest_mask && compiled_for_matrices(options))
        fresh->digits = digits_for(mask);
    if (fresh->digits) fresh->matrices = matrices_of(*fresh->digits);
    kept = fresh;
    return *fresh;
}

/// What a launch needs besides the mask.
struct Work {
    DeviceView<const std::uint8_t> in;
    DeviceView<std::uint8_t> out;
    common::Block block;
    const LaneWeights* matrices;  ///< on the GPU
    Scale scale;
    cudaStream_t stream;
};

template <int Channels, bool Shifted, int Digits>
static void launch(const Work& work) {
    const std::ptrdiff_t strips = (work.in.row_length() + strip - 1) / strip;
    // Each walk down begins with a stage more than it has steps; but there must be enough walks.
    constexpr std::ptrdiff_t enough_warps = 3600;
    constexpr std::ptrdiff_t longest = Digits == 1 ? 8 : 16;
    const auto steps = static_cast<int>(
        std::clamp<std::ptrdiff_t>(strips * work.in.height / side / enough_warps, 1, longest));
    const dim3 threads(static_cast<unsigned>(work.block.width),
                       static_cast<unsigned>(work.block.height));
    const int rows = side * steps;
    const dim3 grid = common::grid_for(static_cast<int>(strips) * warp,
                                       (work.in.height + rows - 1) / rows, work.block);
    convolve<Channels, Shifted, Digits>
        <<<grid, threads, 0, work.stream>>>(work.in, work.out, work.matrices, work.scale, steps);
    common::check_launch();
}

template <int Channels>
static void launch(const Work& work, int digits) {
    if (work.scale.shift < 0) {
        digits == 1 ? launch<Channels, false, 1>(work) : launch<Channels, false, 3>(work);
    } else {
        digits == 1 ? launch<Channels, true, 1>(work) : launch<Channels, true, 2>(work);
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
    const Prepared& prepared = prepared_for(options);
    if (!prepared.digits && cuda_registers == nullptr) {
        throw common::Unsupported(
            "cuda_best: masks of this kind need cuda_registers, which is "
            "not in this build");
    }
    if (!prepared.digits) return cuda_registers(in, out, options, stream);
    const Digits& digits = *prepared.digits;
    const void* matrices =
        options.scratch->constants(0, std::as_bytes(std::span(prepared.matrices)), stream);
    const Work work{
        in,    out, block, static_cast<const LaneWeights*>(matrices), {digits.shift, digits.scale},
        stream};
    in.channels == 1 ? launch<1>(work, digits.count) : launch<3>(work, digits.count);
}

static const Register registered{
    {.name = "cuda_best",
     .backend = common::Backend::cuda,
     .idea = "sums of 4x4 pixels at 8 places in one product of matrices; weights in base 256"},
    cuda_best};

}  // namespace convolution
