// A thread owns 16 neighbouring bytes (fewer where masks are large) and walks down the image with
// them, row by row. It loads each row once, with a halo, as whole words, unpacks it once, and adds
// it to the sums of all n output rows whose windows the row belongs to; with every step one of
// these rows is complete and another begins. Where weights are small integers (times a scale, as in
// most masks), a register holds the sums of two bytes in 16 bits each, and one multiplication and
// addition serves both: whatever passes from the lower half to the upper on the way, both are right
// in the end. A mask that is a column times a row, but for the weight in its middle, needs 2n + 1
// operations per value instead of n*n.
//
// Against cuda_shared: no shared memory and no barrier, 16 bytes per load and store instead of one,
// addresses per row instead of per tap, and edges only looked for in blocks that have any.
//
// At 7680x4320, colour: 199 MB to move. A cycle has room for 64 integer operations or 128 of floats
// on each of 132 multiprocessors. 3x3 in 16 bits: 4.5 per value, so 53 thousand cycles; 5x5
// separable: 5, or 59 thousand, both less than the memory takes. 5x5 in 16 bits: 12.5, in floats:
// 25, either 147 thousand. Unpacking, packing and the rows above and below a walk add half as much
// again to the small ones. So bound by memory with 3x3, by arithmetic with masks that have no
// structure (schedulers issue in 90% of the cycles), and with separable ones by neither alone.
//
// Comes to 78% of the rate of a copy with gauss3, 58% with gauss5, 34% with 25 irregular weights
// (7680x4320, NVIDIA H200): 2.7, 3.3 and 1.9 times as fast as NPP.

#include <cuda_fp16.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <type_traits>

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/plan.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::DeviceView;

/// Two sums of 16 bits in a register, the first in its lower half.
using Pair = unsigned;

static constexpr int most_threads = 128;      // of a block; each may then have many registers
static constexpr unsigned both = 0x00010001;  // times a value of 16 bits: the pair of it twice

/// What the kernels know of a mask, in the type that sums are made of. As a kernel's parameter it
/// lies in constant memory, where arithmetic finds its operands without loading them.
template <class Sum, int N>
struct Taps {
    Sum weights[N * N];
    Sum column[N];
    Sum row[N];
    float centre;
    float scale;
    int shift;
    unsigned bias;

    explicit Taps(const Plan& plan)
        : centre(plan.centre),
          scale(plan.scale),
          shift(plan.shift),
          bias(static_cast<unsigned>(plan.bias)) {
        const auto as_sum = [](float weight) {
            if constexpr (std::is_same_v<Sum, float>) {
                return weight;
            } else {
                return static_cast<Sum>(static_cast<int>(weight));  // negative ones modulo 2^32
            }
        };
        std::transform(plan.weights, plan.weights + N * N, weights, as_sum);
        std::transform(plan.column, plan.column + N, column, as_sum);
        std::transform(plan.row, plan.row + N, row, as_sum);
    }
};

/// What follows from the size of a mask and the type of the sums.
template <class Sum, int N, int Channels>
struct Shape {
    static constexpr int bytes = N <= 5 ? 16 : N <= 9 ? 8 : 4;  ///< of a row, per thread
    static constexpr int words = bytes / 4;
    static constexpr int halo = N / 2 * Channels;
    static constexpr int halo_words = (halo + 3) / 4;
    static constexpr int window_words = words + 2 * halo_words;
    static constexpr int sums = std::is_same_v<Sum, Pair> ? bytes / 2 : bytes;

    /// Where the byte of sum `q` stands among the thread's bytes; of a pair, the first. The second
    /// stands two bytes further, so that a word and a mask, or a permutation, make a pair.
    static constexpr int place(int q) { return std::is_same_v<Sum, Pair> ? q / 2 * 4 + q % 2 : q; }
};

/// The window of a thread in one row, as it lies in memory.
template <class S>
struct Window {
    unsigned words[S::window_words];
};

/// `Count` words, in one load where there is one for so many and `from`, a multiple of `Alignment`
/// bytes, is aligned for it.
template <int Count, int Alignment>
static __device__ void load_words(const std::uint8_t* from, unsigned* words) {
    static_assert(Alignment % 4 == 0);
    if constexpr (Count == 4 && Alignment % 16 == 0) {
        const auto loaded = *reinterpret_cast<const uint4*>(from);
        words[0] = loaded.x;
        words[1] = loaded.y;
        words[2] = loaded.z;
        words[3] = loaded.w;
    } else if constexpr (Count == 2 && Alignment % 8 == 0) {
        const auto loaded = *reinterpret_cast<const uint2*>(from);
        words[0] = loaded.x;
        words[1] = loaded.y;
    } else {
        for (int i = 0; i < Count; ++i) words[i] = reinterpret_cast<const unsigned*>(from)[i];
    }
}

/// Around the bytes of `row` from `begin` on; all of it inside the image. Rows begin at multiples
/// of 16 bytes or more, and `begin` is a multiple of S::bytes: that is all that is known of the
/// alignment of a thread's own bytes and of those behind them. Those before them begin a halo
/// earlier.
template <class S>
static __device__ Window<S> load_inside(const std::uint8_t* row, std::ptrdiff_t begin) {
    constexpr int halo_bytes = 4 * S::halo_words;
    Window<S> window;
    const std::uint8_t* own = row + begin;
    load_words<S::halo_words, std::gcd(S::bytes, halo_bytes)>(own - halo_bytes, window.words);
    load_words<S::words, S::bytes>(own, window.words + S::halo_words);
    load_words<S::halo_words, S::bytes>(own + S::bytes, window.words + S::halo_words + S::words);
    return window;
}

/// The same at an edge. Bytes outside the image become zero and add nothing to a sum: that is
/// "skipped". A word that begins inside a row may be loaded whole, as rows are padded.
template <class S>
static __device__ Window<S> load_edge(const std::uint8_t* row, std::ptrdiff_t begin,
                                      std::ptrdiff_t length, bool row_inside) {
    Window<S> window;
#pragma unroll
    for (int i = 0; i < S::window_words; ++i) {
        const std::ptrdiff_t at = begin + 4 * (i - S::halo_words);
        unsigned word = 0;
        if (row_inside && at >= 0 && at < length) {
            word = *reinterpret_cast<const unsigned*>(row + at);
            if (length - at < 4) word &= (1U << 8 * (length - at)) - 1;
        }
        window.words[i] = word;
    }
    return window;
}

/// The values at which sums take part, one for each byte of the window.
template <class S>
static __device__ void unpack(const Window<S>& window, float* values) {
#pragma unroll
    for (int b = 0; b < 4 * S::window_words; ++b) {
        // 1024 + a byte is a half whose last bits are the byte. Two at once, and then one by one
        // to float: three instructions for two values, none of which is a slow conversion.
        const unsigned biased =
            __byte_perm(window.words[b / 4], 0x64646464, b % 4 < 2 ? 0x4140 : 0x4342);
        const __half2 two =
            __hsub2(reinterpret_cast<const __half2&>(biased), __float2half2_rn(1024.0f));
        values[b] = b % 2 == 0 ? __low2float(two) : __high2float(two);
    }
}

/// Here the values are pairs, of the byte and the one two further.
template <class S>
static __device__ void unpack(const Window<S>& window, Pair* values) {
#pragma unroll
    for (int i = 0; i < S::window_words; ++i) {
        values[4 * i] = window.words[i] & 0x00ff00ff;
        values[4 * i + 1] = __byte_perm(window.words[i], 0, 0x4341);
    }
#pragma unroll
    for (int i = 0; i + 1 < S::window_words; ++i) {
        values[4 * i + 2] = __byte_perm(values[4 * i], values[4 * i + 4], 0x5432);
        values[4 * i + 3] = __byte_perm(values[4 * i + 1], values[4 * i + 5], 0x5432);
    }
}

/// A value from 0 to 255 with a fraction, as a float whose last byte is the value without it.
static __device__ unsigned truncated(float value) {
    return __float_as_uint(__fadd_rz(value, 8388608.0f));
}

/// The last bytes of four registers.
static __device__ unsigned last_bytes(unsigned a, unsigned b, unsigned c, unsigned d) {
    return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
}

/// Four sums as pixel values: clamped to 0..255, then truncated.
template <int N>
static __device__ unsigned pixels(const float* sums, const Taps<float, N>& taps) {
    unsigned values[4];
#pragma unroll
    for (int b = 0; b < 4; ++b) {
        const float sum = N <= 5 ? sums[b] : sums[b] * taps.scale;  // up to there: 1
        values[b] = truncated(fminf(fmaxf(sum, 0.0f), 255.0f));
    }
    return last_bytes(values[0], values[1], values[2], values[3]);
}

template <int N>
static __device__ unsigned pixels(const Pair* sums, const Taps<Pair, N>& taps) {
    const unsigned bias = taps.bias * both;
    Pair values[2];
#pragma unroll
    for (int p = 0; p < 2; ++p) values[p] = __vmaxu2(sums[p], bias) - bias;
    if (taps.shift >= 0) {
        const unsigned kept = (0xffffU >> taps.shift) * both;
#pragma unroll
        for (int p = 0; p < 2; ++p) {
            values[p] = __vminu2(values[p] >> taps.shift & kept, 0x00ff00ff);
        }
        return __byte_perm(values[0], values[1], 0x6240);
    }
    unsigned scaled[4];
#pragma unroll
    for (int b = 0; b < 4; ++b) {
        const unsigned half = b < 2 ? 0x7610 : 0x7632;  // of the pair
        const float shifted = __uint_as_float(__byte_perm(values[b % 2], 0x4b000000, half));
        const float value = fmaf(shifted, taps.scale, -8388608.0f * taps.scale);
        scaled[b] = truncated(fminf(value, 255.0f));
    }
    return last_bytes(scaled[0], scaled[1], scaled[2], scaled[3]);
}

/// Goes on by one row of the image: moves the sums up, begins new ones with `first`, and adds the
/// row to the N output rows that it belongs to. `sums[0]` is the oldest, which this completes.
template <bool Separable, int Channels, class Sum, int N, class S>
static __device__ void add_row(const Window<S>& window, const Taps<Sum, N>& taps, Sum first,
                               Sum (&sums)[N][S::sums]) {
    Sum values[4 * S::window_words];
    unpack(window, values);
#pragma unroll
    for (int q = 0; q < S::sums; ++q) {
        const Sum* left = values + 4 * S::halo_words - S::halo + S::place(q);
        Sum along{};
        if constexpr (Separable) {
#pragma unroll
            for (int j = 0; j < N; ++j) along += taps.row[j] * left[j * Channels];
        }
#pragma unroll
        for (int r = 0; r < N; ++r) {
            const int i = N - 1 - r;  // of the mask's rows
            Sum sum = r + 1 < N ? sums[r + 1][q] : first;
            if constexpr (Separable) {
                sum += taps.column[i] * along;
                if constexpr (std::is_same_v<Sum, float>) {
                    if (i == N / 2) sum += taps.centre * left[i * Channels];
                }
            } else {
#pragma unroll
                for (int j = 0; j < N; ++j) sum += taps.weights[i * N + j] * left[j * Channels];
            }
            sums[r][q] = sum;
        }
    }
}

/// Writes the thread's bytes of one output row, those of them that exist.
template <bool Edge, class S, class Sum, class Taps>
static __device__ void store(const Sum* sums, const Taps& taps, std::uint8_t* to, int count) {
    unsigned words[S::words];
#pragma unroll
    for (int i = 0; i < S::words; ++i) words[i] = pixels(sums + i * S::sums / S::words, taps);
    if (Edge && count < S::bytes) {
#pragma unroll
        for (int b = 0; b < S::bytes; ++b) {
            if (b < count) to[b] = static_cast<std::uint8_t>(words[b / 4] >> b % 4 * 8);
        }
    } else if constexpr (S::words == 4) {
        // Past the caches, as nobody reads it soon.
        __stcs(reinterpret_cast<uint4*>(to), make_uint4(words[0], words[1], words[2], words[3]));
    } else if constexpr (S::words == 2) {
        *reinterpret_cast<uint2*>(to) = make_uint2(words[0], words[1]);
    } else {
        *reinterpret_cast<unsigned*>(to) = words[0];
    }
}

/// Rows [top, bottom) of a thread's bytes, which begin at `begin`.
template <bool Edge, bool Separable, int Channels, class Sum, int N>
static __device__ void walk_down(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                                 const Taps<Sum, N>& taps, std::ptrdiff_t begin, int top,
                                 int bottom) {
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
    Window<S> window = load(top - N / 2);
#pragma unroll 1
    for (int y = top - N / 2; y <= last; ++y) {
        const Window<S> next = load(min(y + 1, last));  // is on its way while this row is added
        add_row<Separable, Channels>(window, taps, first, sums);
        if (y - N / 2 >= top) {
            const std::ptrdiff_t left = in.row_length() - begin;
            store<Edge, S>(sums[0], taps, out.row(y - N / 2) + begin,
                           static_cast<int>(left < S::bytes ? left : S::bytes));
        }
        window = next;
    }
}

/// Threads that a multiprocessor has room for: 1024 at compute capability 7.5, 1536 or more later.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
static constexpr int resident_threads = 1024;
#else
static constexpr int resident_threads = 1536;
#endif

/// How many of the largest blocks have to fit into a multiprocessor's registers.
template <class Sum, int N>
static constexpr int blocks_at_a_time = N > 5                        ? 1
                                        : std::is_same_v<Sum, float> ? 4
                                        : N == 5                     ? 5
                                                 : std::min(10, resident_threads / most_threads);

template <bool Separable, int Channels, class Sum, int N>
static __global__ void __launch_bounds__(most_threads, blocks_at_a_time<Sum, N>)
    convolve(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
             const Taps<Sum, N> taps, int rows) {
    using S = Shape<Sum, N, Channels>;
    in.channels = out.channels = Channels;
    const std::ptrdiff_t block_begin = std::ptrdiff_t{S::bytes} * (blockIdx.x * blockDim.x);
    const std::ptrdiff_t block_end = block_begin + S::bytes * blockDim.x;
    const int block_top = static_cast<int>(blockIdx.y * blockDim.y) * rows;
    const int block_bottom = block_top + static_cast<int>(blockDim.y) * rows;
    const std::ptrdiff_t begin = block_begin + S::bytes * threadIdx.x;
    const int top = block_top + static_cast<int>(threadIdx.y) * rows;
    const int bottom = min(top + rows, in.height);
    const bool inside = block_begin >= 4 * S::halo_words &&
                        block_end + 4 * S::halo_words <= in.row_length() && block_top >= N / 2 &&
                        block_bottom + N / 2 <= in.height;
    if (inside) {
        walk_down<false, Separable, Channels>(in, out, taps, begin, top, bottom);
    } else if (begin < in.row_length() && top < in.height) {
        walk_down<true, Separable, Channels>(in, out, taps, begin, top, bottom);
    }
}

/// What a launch needs besides the mask.
struct Work {
    DeviceView<const std::uint8_t> in;
    DeviceView<std::uint8_t> out;
    common::Block block;
    cudaStream_t stream;
};

template <bool Separable, int Channels, class Sum, int N>
static void launch(const Work& work, const Plan& plan) {
    constexpr int bytes = Shape<Sum, N, Channels>::bytes;
    const std::ptrdiff_t columns = (work.in.row_length() + bytes - 1) / bytes;
    // Long walks load the rows above and below less often, but must leave enough threads; and
    // neighbours that walk for long drift apart, until memory is read in small pieces.
    constexpr std::ptrdiff_t enough_threads = 1 << 17;
    constexpr std::ptrdiff_t longest = 3 * N - 1;
    const auto rows = static_cast<int>(
        std::clamp<std::ptrdiff_t>(columns * work.in.height / enough_threads, 1, longest));
    const dim3 threads(static_cast<unsigned>(work.block.width),
                       static_cast<unsigned>(work.block.height));
    const dim3 grid =
        common::grid_for(static_cast<int>(columns), (work.in.height + rows - 1) / rows, work.block);
    convolve<Separable, Channels, Sum, N>
        <<<grid, threads, 0, work.stream>>>(work.in, work.out, Taps<Sum, N>(plan), rows);
    common::check_launch();
}

template <class Sum, int N>
static void launch(const Work& work, const Plan& plan) {
    if (work.in.channels == 1) {
        plan.separable ? launch<true, 1, Sum, N>(work, plan) : launch<false, 1, Sum, N>(work, plan);
    } else {
        plan.separable ? launch<true, 3, Sum, N>(work, plan) : launch<false, 3, Sum, N>(work, plan);
    }
}

/// A single weight, as the middle of a mask of the smallest size that there is a kernel for.
static Mask at_least_3x3(const Mask& mask) {
    if (mask.size > 1) return mask;
    Mask larger{3, {}};
    larger.weights[4] = mask.weights[0];
    return larger;
}

void cuda_registers(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                    const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 4});
    if (block.threads() > most_threads) {
        throw common::Unsupported("cuda_registers: block " + common::to_string(block) +
                                  " has more than the " + std::to_string(most_threads) +
                                  " threads that there are registers for");
    }
    const Plan plan = plan_for(at_least_3x3(options.mask));
    const Work work{in, out, block, stream};
    switch (plan.size) {
        case 3:
            return plan.in_16_bits ? launch<Pair, 3>(work, plan) : launch<float, 3>(work, plan);
        case 5:
            return plan.in_16_bits ? launch<Pair, 5>(work, plan) : launch<float, 5>(work, plan);
        case 7:
            return launch<float, 7>(work, plan);
        case 9:
            return launch<float, 9>(work, plan);
        case 11:
            return launch<float, 11>(work, plan);
        case 13:
            return launch<float, 13>(work, plan);
        default:
            return launch<float, 15>(work, plan);
    }
}

static const Register registered{
    {.name = "cuda_registers",
     .backend = common::Backend::cuda,
     .idea =
         "a thread walks down with 16 bytes, sums of n rows in registers, pairs of 16-bit sums"},
    cuda_registers};

}  // namespace convolution
