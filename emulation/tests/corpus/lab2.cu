// Lab 2, integral image: kernels of the ladder with mistakes.

#include "corpus.hpp"

namespace corpus {
namespace {

using Pixel = unsigned;
using Sum = unsigned long long;

enum Mistake {
    none,
    row_stride,
    no_bounds,
    no_first_barrier,
    no_second_barrier,
    conditional_barrier,
    shuffle_in_branch,
    half_mask,
    partial_warp,
    wide_totals,
};

constexpr int image_width = 40, image_height = 20;
constexpr unsigned all_lanes = 0xffffffffu;

// --- one thread per pixel
// -------------------------------------------------------------------------

template <Mistake mistake>
__global__ void sum_from_global(DeviceView<const Pixel> in, DeviceView<Sum> sums) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (mistake != no_bounds && (x >= in.width || y >= in.height)) return;
    Sum sum = 0;
    for (int j = y; j >= 0; --j) {
        // fault: global_no_bounds
        for (int i = x; i >= 0; --i) sum += in.at(i, j);
    }
    // Rows are padded to as many bytes. So they have room for twice as many pixels as sums.
    const std::ptrdiff_t pitch = mistake == row_stride ? in.pitch : sums.pitch;
    // fault: global_row_stride
    sums.data[y * pitch + x] = sum;
}

template <Mistake mistake>
cudaError_t global() {
    const Padded<Pixel> in(image_width, image_height);
    const Padded<Sum> sums(image_width, image_height);
    const dim3 block(16, 16), grid(3, 2);
    sum_from_global<mistake><<<grid, block>>>(input(in), view(sums));
    return cudaGetLastError();
}

// --- tiles in shared memory
// -----------------------------------------------------------------------

template <Mistake mistake>
__global__ void sum_from_tiles(DeviceView<const Pixel> in, DeviceView<Sum> sums) {
    extern __shared__ Pixel tile[];
    const int width = static_cast<int>(blockDim.x);
    const int tx = static_cast<int>(threadIdx.x);
    const int block = static_cast<int>(blockIdx.x);
    Sum sum = 0;
    for (int tile_x = 0; tile_x <= block; ++tile_x) {
        const int x = tile_x * width + tx;
        if (mistake == conditional_barrier && x >= in.width) break;
        // fault: tiles_no_first_barrier, tiles_no_second_barrier
        tile[tx] = x < in.width ? in.at(x, 0) : 0;
        // fault: tiles_conditional_barrier
        if (mistake != no_first_barrier) __syncthreads();
        const int last = tile_x < block ? width - 1 : tx;
        // fault: tiles_no_first_barrier, tiles_no_second_barrier
        for (int i = last; i >= 0; --i) sum += tile[i];
        if (mistake != no_second_barrier) __syncthreads();
    }
    const int x = block * width + tx;
    if (x < in.width) sums.at(x, 0) = sum;
}

template <Mistake mistake>
cudaError_t tiles() {
    const Padded<Pixel> in(100, 1);
    const Padded<Sum> sums(100, 1);
    sum_from_tiles<mistake><<<2, 64, 64 * sizeof(Pixel)>>>(input(in), view(sums));
    return cudaGetLastError();
}

// --- scans
// ----------------------------------------------------------------------------------------

template <Mistake mistake>
__device__ Sum warp_scan(Sum value, int lane) {
    for (int distance = 1; distance < 32; distance *= 2) {
        const auto d = static_cast<unsigned>(distance);
        if (mistake == shuffle_in_branch) {
            // fault: rows_shuffle_in_branch
            if (lane >= distance) value += __shfl_up_sync(all_lanes, value, d);
        } else {
            // fault: rows_half_mask
            const Sum left = __shfl_up_sync(mistake == half_mask ? 0xffffu : all_lanes, value, d);
            if (lane >= distance) value += left;
        }
    }
    return value;
}

template <Mistake mistake>
__global__ void scan_rows(DeviceView<const Pixel> in, DeviceView<Sum> sums) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int y = static_cast<int>(threadIdx.x) / 32;
    Sum before = 0;
    for (int left = 0; left < in.width; left += 32) {
        const int x = left + lane;
        const Sum value = warp_scan<mistake>(x < in.width ? in.at(x, y) : 0, lane);
        if (x < in.width) sums.at(x, y) = before + value;
        // fault: rows_partial_warp
        before += __shfl_sync(all_lanes, value, 31);
    }
}

template <Mistake mistake>
cudaError_t rows() {
    const Padded<Pixel> in(image_width, 2);
    const Padded<Sum> sums(image_width, 2);
    const unsigned threads = mistake == partial_warp ? 48 : 64;
    scan_rows<mistake><<<1, threads>>>(input(in), view(sums));
    return cudaGetLastError();
}

template <Mistake mistake>
__global__ void scan_columns(DeviceView<Sum> sums) {
    extern __shared__ unsigned char shared[];
    auto* totals = reinterpret_cast<Sum*>(shared);
    const int width = static_cast<int>(blockDim.x);
    const int height = static_cast<int>(blockDim.y);
    const int tx = static_cast<int>(threadIdx.x);
    const int ty = static_cast<int>(threadIdx.y);
    const int x = static_cast<int>(blockIdx.x) * width + tx;
    Sum before = 0;
    for (int top = 0; top < sums.height; top += height) {
        const bool inside = x < sums.width && top + ty < sums.height;
        const Sum value = inside ? sums.at(x, top + ty) : 0;
        // fault: columns_no_second_barrier, columns_wide_totals
        totals[ty * width + tx] = value;
        __syncthreads();
        Sum above = before;
        for (int t = 0; t < height; ++t) {
            // fault: columns_no_second_barrier
            const Sum total = totals[t * width + tx];
            if (t <= ty) above += total;
            before += total;
        }
        if (inside) sums.at(x, top + ty) = above;
        if (mistake != no_second_barrier) __syncthreads();
    }
}

template <Mistake mistake>
cudaError_t columns() {
    const Padded<Sum> sums(image_width, image_height);
    const dim3 block(32, 4);
    constexpr std::size_t each = mistake == wide_totals ? sizeof(unsigned) : sizeof(Sum);
    scan_columns<mistake><<<2, block, 32 * 4 * each>>>(view(sums));
    return cudaGetLastError();
}

}  // namespace

std::vector<Case> lab2_cases() {
    using enum Tool;
    const std::string global_file = "lab2-integral-image/ladder/10_cuda_global.cu";
    const std::string shared = "lab2-integral-image/ladder/11_cuda_shared.cu";
    const std::string scan = "lab2-integral-image/ladder/15_cuda_scan.cu";
    return with_file(
        {
            {"global_no_bounds", global_file, "sum_from_global",
             "no test that the pixel is inside the image",
             "out of bounds: a 4-byte load of global memory", memcheck, global<no_bounds>,
             global<none>},
            {"global_row_stride", global_file, "sum_from_global",
             "the pitch of the 32-bit input is used for the 64-bit sums",
             "out of bounds: a 8-byte store of global memory", memcheck, global<row_stride>,
             global<none>},
            {"tiles_no_first_barrier", shared, "sum_from_tiles",
             "no barrier between loading and adding", "race in shared memory", racecheck,
             tiles<no_first_barrier>, tiles<none>},
            {"tiles_no_second_barrier", shared, "sum_from_tiles",
             "no barrier before the next tile is loaded", "race in shared memory", racecheck,
             tiles<no_second_barrier>, tiles<none>},
            {"tiles_conditional_barrier", shared, "sum_from_tiles",
             "threads without a pixel leave the loop", "__syncthreads() that not all threads reach",
             synccheck, tiles<conditional_barrier>, tiles<none>},
            {"rows_shuffle_in_branch", scan, "scan_rows",
             "only the lanes that use the value call the shuffle",
             "shuffle from a lane that is not there", synccheck, rows<shuffle_in_branch>,
             rows<none>},
            {"rows_half_mask", scan, "scan_rows", "the shuffle's mask leaves out 16 lanes",
             "which its mask 0xffff does not name", synccheck, rows<half_mask>, rows<none>},
            {"rows_partial_warp", scan, "scan_rows",
             "a block of 48 threads: half a warp is missing",
             "shuffle from a lane that is not there", synccheck, rows<partial_warp>, rows<none>},
            {"columns_no_second_barrier", scan, "scan_columns",
             "no barrier before the totals are written again", "race in shared memory", racecheck,
             columns<no_second_barrier>, columns<none>},
            {"columns_wide_totals", scan, "scan_columns",
             "shared memory for 32-bit totals holds 64-bit ones",
             "out of bounds: a 8-byte store of shared memory", memcheck, columns<wide_totals>,
             columns<none>},
        },
        __FILE__);
}

}  // namespace corpus
