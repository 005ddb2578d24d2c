#pragma once

#include <cuda_pipeline.h>

#include <algorithm>
#include <cstddef>

#include "digits.cuh"
#include "segment.cuh"
#include "stages.cuh"

// The kernel for 5x5 masks of several digits. The columns of the right matrix are windows of 8x8
// pixels of a channel, so that no product is with a zero between channels: 4 multiply-adds make 256
// bytes of output, in place of 10. In return, pixels have to be sorted by channel.

namespace convolution::tiles {

template <int Channels, int Digits>
static __global__ void __launch_bounds__(most_threads, Digits == 3 ? 6 : 7)
    convolve(DeviceView<const std::uint8_t> in, int first, DeviceView<std::uint8_t> out,
             const LaneWeights* matrices, Scale scale, int steps) {
    __shared__ Shared shared[most_threads / warp];
    const int block = blockIdx.x;
    const int block_width = blockDim.x;
    const int thread = threadIdx.x;
    const int thread_y = threadIdx.y;
    const int warps_across = block_width / warp;
    const int warp_x = thread / warp;
    const int lane = thread % warp;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const Segment<Channels> segment{
        out, std::ptrdiff_t{segment_bytes} * (block * warps_across + warp_x), y * steps * tile_side,
        lane, shared[thread_y * warps_across + warp_x]};
    if (segment.begin >= in.row_length() || segment.top >= out.height) return;
    AsyncCopy source(in, segment.begin, first + segment.top - halo, lane);
    for (int stage = 0; stage < stages; ++stage) {
        if (stage <= steps) source.copy(segment.shared.rows[stage]);
        __pipeline_commit();
    }
    LaneWeights weights[2][Digits];
#pragma unroll
    for (int i = 0; i < 2 * Digits; ++i) {
        weights[i / Digits][i % Digits] = matrices[i * warp + lane];
    }
    __pipeline_wait_prior(stages_ahead);
    __syncwarp();
    Pixels upper[products];
#pragma unroll
    for (int product = 0; product < products; ++product) {
        upper[product] = segment.pixels_of(0, product);
    }
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        __pipeline_wait_prior(stages_ahead - 1);
        __syncwarp();  // the next stage has arrived, and the last result is stored
        if (step + stages <= steps) source.copy(segment.shared.rows[step % stages]);
        __pipeline_commit();
        segment.convolve(step, upper, weights, scale);
        __syncwarp();
        segment.store(step);
    }
}

template <int Channels, int Digits>
static void launch(const LaunchArguments& args) {
    const std::ptrdiff_t segments = (args.in.row_length() + segment_bytes - 1) / segment_bytes;
    // A warp copies one stage more than it has steps: many steps amortise it, but fewer warps hide
    // less latency.
    constexpr std::ptrdiff_t enough_warps = 3600;
    constexpr std::ptrdiff_t longest = 16;
    const int steps = std::clamp<std::ptrdiff_t>(
        segments * args.out.height / tile_side / enough_warps, 1, longest);
    const dim3 threads(args.block.width, args.block.height);
    const int rows = tile_side * steps;
    const dim3 grid =
        common::grid_for(segments * warp, (args.out.height + rows - 1) / rows, args.block);
    convolve<Channels, Digits><<<grid, threads, 0, args.stream>>>(args.in, args.first, args.out,
                                                                  args.matrices, args.scale, steps);
    common::check_launch();
}

template <int Channels>
static void launch(const LaunchArguments& args, int digits) {
    digits == 3 ? launch<Channels, 3>(args) : launch<Channels, 2>(args);
}

}  // namespace convolution::tiles
