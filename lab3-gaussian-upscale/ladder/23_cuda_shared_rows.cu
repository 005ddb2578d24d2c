// The window of cuda_sliding takes most of a multiprocessor's registers, which leaves too few warps
// to hide latency (occupancy). Here the threads of a block share resampled rows, so that a thread
// needs the window for 8 columns only, not for 24.
//
// A block owns 768 bytes of the source rows, and slides down a segment of the image, three rows at
// a time. Horizontal pass: each thread resamples 12 bytes of a source row to 24 floats in shared
// memory. Vertical pass: each thread owns 8 output columns, and keeps the last 2r+1 rows of them in
// registers. Adjacent lanes store adjacent double words: 8 full sectors per request, where
// cuda_sliding has 24 partial ones (`run --explain --against cuda_sliding`).
//
// The 24 floats of a thread are 28 apart in shared memory. Without this padding, the 16-byte stores
// of lanes 0 and 4 would be 384 bytes apart: a bank conflict.
//
// Predicted: as many instructions per output byte as in cuda_sliding, with twice as many warps to
// issue them. There are a few instructions more, and more cycles issue one.
//
// Bound by instructions, of which cuda_best needs half, and by the barrier between the passes.

#include "common/cuda.cuh"
#include "common/view.hpp"
#include "problem/row_words.cuh"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

static constexpr int step = 3;              // source rows of a block in an iteration
static constexpr int threads_of_row = 64;   // in the horizontal pass
static constexpr int padded = columns + 4;  // floats between the columns of adjacent threads
static constexpr int threads = step * threads_of_row;
static constexpr int own_columns = 8;  // of a thread in the vertical pass

/// Source rows of a block. More would save work at the top, but leave fewer blocks.
static constexpr int segment = 60;

using SharedRows = float[step][threads_of_row * padded];

/// Resamples row y of the source, at the bytes from `first` on, for 24 output columns.
template <int Channels, int Radius>
static __device__ void resample(float* to, DeviceView<const std::uint8_t> in, std::ptrdiff_t first,
                                int y, const Weights& weights) {
    RowWords<Channels, Radius> row;
    row.load(in.row(min(max(y, 0), in.height - 1)), first, in.row_length());
#pragma unroll
    for (int i = 0; i < columns; i += 4) {
        *reinterpret_cast<float4*>(to + i) = {
            row.resampled(weights, i), row.resampled(weights, i + 1), row.resampled(weights, i + 2),
            row.resampled(weights, i + 3)};
    }
}

template <int Channels, int Radius>
static __global__ void __launch_bounds__(threads)
    upscale_shared_rows(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                        const Weights weights) {
    __shared__ alignas(16) SharedRows rows;
    constexpr int last = 2 * Radius;
    const int thread = threadIdx.x;
    const int lane_of_row = thread % threads_of_row;
    const std::ptrdiff_t first_of_block = std::ptrdiff_t{blockIdx.x} * threads_of_row * owned;
    const std::ptrdiff_t first = first_of_block + lane_of_row * owned;
    const std::ptrdiff_t column = 2 * first_of_block + thread * own_columns;
    const int shared_column = thread / 3 * padded + thread % 3 * own_columns;
    const int top = blockIdx.y * segment;
    const int bottom = min(top + segment, in.height);

    float window[last + 1][own_columns] = {};
    for (int begin = top - Radius; begin < bottom + Radius; begin += step) {
        resample<Channels, Radius>(rows[thread / threads_of_row] + lane_of_row * padded, in, first,
                                   begin + thread / threads_of_row, weights);
        __syncthreads();
#pragma unroll
        for (int r = 0; r < step; ++r) {
            float upper[own_columns];
            float lower[own_columns];
#pragma unroll
            for (int i = 0; i < own_columns; ++i) {
                for (int k = 0; k < last; ++k) window[k][i] = window[k + 1][i];
                window[last][i] = rows[r][shared_column + i];
                upper[i] = lower[i] = 0;
                for (int k = 0; k <= last; ++k) {
                    upper[i] += window[k][i] * weights.values[k];
                    lower[i] += window[k][i] * weights.values[last - k];
                }
            }
            const int y = begin + r - Radius;  // the row in the middle of the window
            if (y < top || y >= bottom) continue;
            store(out.row(2 * y) + column, upper, out.row_length() - column);
            store(out.row(2 * y + 1) + column, lower, out.row_length() - column);
        }
        __syncthreads();  // before the next rows replace these
    }
}

/// Launches the kernel for the radius of the weights.
template <int Channels, int Radius = 1>
static void launch(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                   const Options& options, cudaStream_t stream) {
    if constexpr (Radius < Weights::max_radius) {
        if (options.weights.radius > Radius) {
            return launch<Channels, Radius + 1>(in, out, options, stream);
        }
    }
    const std::ptrdiff_t bytes_of_block = threads_of_row * owned;
    const dim3 grid((in.row_length() + bytes_of_block - 1) / bytes_of_block,
                    (in.height + segment - 1) / segment);
    upscale_shared_rows<Channels, Radius><<<grid, threads, 0, stream>>>(in, out, options.weights);
    common::check_launch();
}

void cuda_shared_rows(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                      const Options& options, cudaStream_t stream) {
    const auto launch_with = in.channels == 1 ? launch<1> : launch<3>;
    launch_with(in, out, options, stream);
}

static const Register registered{{.name = "cuda_shared_rows",
                                  .backend = common::Backend::cuda,
                                  .idea = "the threads of a block share resampled rows"},
                                 cuda_shared_rows,
                                 Traits{.operations = separable_operations}};

}  // namespace upscale
