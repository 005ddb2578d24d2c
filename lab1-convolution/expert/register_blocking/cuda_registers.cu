// Register blocking and a sliding window. A thread owns 16 neighbouring bytes of a row (fewer for
// large masks) and moves down the image. It loads each row once, with a halo, in whole words,
// unpacks it once, and adds it to the register sums of all n output rows whose windows contain it.
// Each step completes one output row and begins another. Where weights are small integers (times a
// scale, as in most masks), a register holds two 16-bit sums, and one multiply-add serves both:
// modulo 2^32, carries between the halves cancel. A mask that is a column times a row, except for
// its middle weight, needs 2n + 1 operations per value instead of n*n.
//
// Against cuda_separable, which is bound by the instructions that load, unpack and store four
// bytes: 16 bytes per load and store, two sums per multiply-add, no conversion to float and back,
// and tests for the edge only in blocks at an edge. The next row is loaded while this one is added.
//
// At 7680x4320, colour: 199 MB to move. Each of 132 multiprocessors executes 64 integer or 128
// float operations per cycle. 3x3 in 16 bits: 4.5 per value, 53 thousand cycles; separable 5x5: 5,
// or 59 thousand; both less than the memory takes. 5x5 in 16 bits: 12.5, in floats: 25, either 147
// thousand. Unpacking, packing and the halo rows add half as much again to the small ones. So bound
// by memory with 3x3, by arithmetic with masks without structure, and with separable 5x5 masks by
// both.

#include <algorithm>
#include <string>
#include <type_traits>

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "ladder/parts/separable.hpp"
#include "problem/variant.hpp"
#include "sums.cuh"
#include "window.cuh"

namespace convolution {

using common::DeviceView;

static constexpr int most_threads = 128;  // of a block: many registers for each

/// Convolves rows [top, bottom) of a thread's bytes, which begin at `begin`.
template <bool Edge, bool Separable, int Channels, class Sum, int N>
static __device__ void slide_down(DeviceView<const std::uint8_t, Channels> in, int first_row,
                                  DeviceView<std::uint8_t, Channels> out, const Taps<Sum, N>& taps,
                                  std::ptrdiff_t begin, int top, int bottom) {
    using S = Shape<Sum, N, Channels>;
    const auto load = [&](int y) {
        if constexpr (Edge) {
            const bool row_inside = y >= 0 && y < in.height;
            return load_edge<S>(in.row(y), begin, in.row_length(), row_inside);
        } else {
            return load_inside<S>(in.row(y), begin);
        }
    };
    Sum first{};
    if constexpr (std::is_same_v<Sum, Pair>) first = taps.bias * both;
    Sum sums[N][S::sums];
#pragma unroll
    for (int i = 0; i < N * S::sums; ++i) sums[i / S::sums][i % S::sums] = first;

    const int last = bottom - 1 + N / 2;
    Window<S> window = load(first_row + top - N / 2);
#pragma unroll 1
    for (int y = top - N / 2; y <= last; ++y) {
        const Window<S> next =
            load(first_row + min(y + 1, last));  // prefetch, while this row is added
        add_row<Separable, Channels>(window, taps, first, sums);
        if (y - N / 2 >= top) {
            const std::ptrdiff_t left = in.row_length() - begin;
            store<Edge, S>(sums[0], taps, out.row(y - N / 2) + begin,
                           left < S::bytes ? left : S::bytes);
        }
        window = next;
    }
}

/// Resident threads of a multiprocessor: 1024 at compute capability 7.5, 1536 or more later.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
static constexpr int resident_threads = 1024;
#else
static constexpr int resident_threads = 1536;
#endif

/// Resident blocks per multiprocessor, for occupancy: a bound on the registers of a thread.
template <class Sum, int N>
static constexpr int blocks_at_a_time = N > 5                        ? 1
                                        : std::is_same_v<Sum, float> ? 4
                                        : N == 5                     ? 5
                                                 : std::min(10, resident_threads / most_threads);

template <bool Separable, int Channels, class Sum, int N>
static __global__ void __launch_bounds__(most_threads, blocks_at_a_time<Sum, N>)
    convolve(DeviceView<const std::uint8_t, Channels> in, int first,
             DeviceView<std::uint8_t, Channels> out, const Taps<Sum, N> taps, int rows) {
    using S = Shape<Sum, N, Channels>;
    const std::ptrdiff_t block_begin = std::ptrdiff_t{S::bytes} * (blockIdx.x * blockDim.x);
    const std::ptrdiff_t block_end = block_begin + S::bytes * blockDim.x;
    const int block_y = blockIdx.y * blockDim.y;
    const int block_height = blockDim.y;
    const int thread_y = threadIdx.y;
    const int block_top = block_y * rows;
    const int block_bottom = block_top + block_height * rows;
    const std::ptrdiff_t begin = block_begin + S::bytes * threadIdx.x;
    const int top = block_top + thread_y * rows;
    const int bottom = min(top + rows, out.height);
    const bool inside = block_begin >= 4 * S::halo_words &&
                        block_end + 4 * S::halo_words <= in.row_length() &&
                        block_bottom <= out.height && first + block_top >= N / 2 &&
                        first + block_bottom + N / 2 <= in.height;
    if (inside) {
        slide_down<false, Separable, Channels>(in, first, out, taps, begin, top, bottom);
    } else if (begin < in.row_length() && top < out.height) {
        slide_down<true, Separable, Channels>(in, first, out, taps, begin, top, bottom);
    }
}

struct LaunchArguments {
    DeviceView<const std::uint8_t> in;
    int first;  ///< row of `in` that belongs to the first row of `out`
    DeviceView<std::uint8_t> out;
    common::Block block;
    cudaStream_t stream;
};

template <bool Separable, int Channels, class Sum, int N>
static void launch(const LaunchArguments& args, const Decomposition& mask) {
    constexpr int bytes = Shape<Sum, N, Channels>::bytes;
    const std::ptrdiff_t columns = (args.in.row_length() + bytes - 1) / bytes;
    // Many rows per thread amortise the halo rows, but leave fewer threads to hide latency; and
    // warps that move far drift apart, so that accesses to a row no longer fall together.
    constexpr std::ptrdiff_t enough_threads = 1 << 17;
    constexpr std::ptrdiff_t longest = 3 * N - 1;
    const int rows =
        std::clamp<std::ptrdiff_t>(columns * args.out.height / enough_threads, 1, longest);
    const dim3 threads(args.block.width, args.block.height);
    const dim3 grid = common::grid_for(columns, (args.out.height + rows - 1) / rows, args.block);
    convolve<Separable, Channels, Sum, N><<<grid, threads, 0, args.stream>>>(
        args.in, args.first, args.out, Taps<Sum, N>(mask), rows);
    common::check_launch();
}

template <class Sum, int N>
static void launch(const LaunchArguments& args, const Decomposition& mask) {
    if (args.in.channels == 1) {
        mask.separable ? launch<true, 1, Sum, N>(args, mask) : launch<false, 1, Sum, N>(args, mask);
    } else {
        mask.separable ? launch<true, 3, Sum, N>(args, mask) : launch<false, 3, Sum, N>(args, mask);
    }
}

/// The smallest kernel is for 3x3: a 1x1 mask becomes the middle of such a mask.
static Mask at_least_3x3(const Mask& mask) {
    if (mask.size > 1) return mask;
    Mask larger{3, {}};
    larger.weights[4] = mask.weights[0];
    return larger;
}

/// Some rows of an image: the first row of `out` belongs to row `first` of `in`.
void cuda_registers_rows(DeviceView<const std::uint8_t> in, int first, DeviceView<std::uint8_t> out,
                         const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 4});
    if (block.threads() > most_threads) {
        throw common::Unsupported("cuda_registers: block " + common::to_string(block) +
                                  " has more than the " + std::to_string(most_threads) +
                                  " threads for which there are registers");
    }
    const Decomposition mask = decompose(at_least_3x3(options.mask));
    const LaunchArguments args{in, first, out, block, stream};
    switch (mask.size) {
        case 3:
            return mask.in_16_bits ? launch<Pair, 3>(args, mask) : launch<float, 3>(args, mask);
        case 5:
            return mask.in_16_bits ? launch<Pair, 5>(args, mask) : launch<float, 5>(args, mask);
        case 7:
            return launch<float, 7>(args, mask);
        case 9:
            return launch<float, 9>(args, mask);
        case 11:
            return launch<float, 11>(args, mask);
        case 13:
            return launch<float, 13>(args, mask);
        default:
            return launch<float, 15>(args, mask);
    }
}

void cuda_registers(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                    const Options& options, cudaStream_t stream) {
    cuda_registers_rows(in, 0, out, options, stream);
}

static const Register registered{
    {.name = "cuda_registers",
     .backend = common::Backend::cuda,
     .idea = "register blocking: 16 bytes per thread, sums of n rows, two 16-bit sums in one"},
    cuda_registers};

}  // namespace convolution
