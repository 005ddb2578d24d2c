// Kernels of the labs with a student's mistake in each.

#include <cooperative_groups.h>

#include "faults.hpp"

using testing::AnyOf;
using testing::HasSubstr;

namespace {

constexpr int levels = 256;

// --- Lab 1: convolution --------------------------------------------------------------------------

template <int Count>
__device__ void load_words(const unsigned char* from, unsigned* words) {
    if constexpr (Count == 4) {
        const auto loaded = *reinterpret_cast<const uint4*>(from);  // fault
        words[0] = loaded.x;
        words[1] = loaded.y;
        words[2] = loaded.z;
        words[3] = loaded.w;
    } else {
        for (int i = 0; i < Count; ++i) words[i] = reinterpret_cast<const unsigned*>(from)[i];
    }
}

/// As cuda_registers had it: the halo of an 11x11 mask is four words, loaded in one piece, but a
/// thread begins at any multiple of four bytes.
__global__ void sum_windows(const unsigned char* in, unsigned* out) {
    unsigned window[9];
    const unsigned char* own = in + 16 + 4 * threadIdx.x;
    load_words<4>(own - 16, window);
    load_words<1>(own, window + 4);
    load_words<4>(own + 4, window + 5);
    unsigned sum = 0;
    for (const unsigned word : window) sum += word;
    out[threadIdx.x] = sum;
}

TEST(lab1, halo_loaded_in_one_piece_from_any_word) {
    const Memory<unsigned char> in(1024, 1);
    const Memory<unsigned> out(32);
    sum_windows<<<1, 32>>>(in, out);
    EXPECT_FAULT(HasSubstr("misaligned access as 'const struct uint4'"),
                 HasSubstr("multiple of 16"), HasSubstr("kernel sum_windows"));
}

__global__ void convolve_3(const unsigned char* in, unsigned char* out, std::size_t pitch,
                           int width, int height) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x > width || y > height) return;
    int sum = 0;
    for (int j = -1; j <= 1; ++j) {
        const int row = min(max(y + j, 0), height - 1);
        for (int i = -1; i <= 1; ++i) {
            const int column = min(max(x + i, 0), width - 1);
            sum += in[static_cast<std::size_t>(row) * pitch + static_cast<std::size_t>(column)];
        }
    }
    out[static_cast<std::size_t>(y) * pitch + static_cast<std::size_t>(x)] =  // fault
        static_cast<unsigned char>(sum / 9);
}

TEST(lab1, bounds_check_with_the_wrong_sign) {
    const Image in(40, 20);
    const Image out(40, 20);
    convolve_3<<<dim3(2, 3), dim3(32, 8)>>>(in.data, out.data, in.pitch, in.width, in.height);
    EXPECT_FAULT(HasSubstr("1-byte store"), HasSubstr("1 bytes past its end"));
}

__global__ void convolve_tile(const unsigned char* in, unsigned char* out, std::size_t pitch,
                              int width) {
    extern __shared__ unsigned char tile[];
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int at = static_cast<int>(threadIdx.x) + 1;
    tile[at] = x < width ? in[blockIdx.y * pitch + static_cast<std::size_t>(x)] : 0;
    if (threadIdx.x == 0) tile[0] = 0;
    __syncthreads();
    const int sum = tile[at - 1] + tile[at] + tile[at + 1];  // fault
    if (x < width) {
        out[blockIdx.y * pitch + static_cast<std::size_t>(x)] = static_cast<unsigned char>(sum / 3);
    }
}

TEST(lab1, right_halo_not_loaded) {
    const Image in(64, 4);
    const Image out(64, 4);
    convolve_tile<<<dim3(2, 4), 32, 34>>>(in.data, out.data, in.pitch, in.width);
    EXPECT_FAULT(HasSubstr("memory never written is read"), HasSubstr("at tile[33]"),
                 HasSubstr("thread (31,0,0)"));
}

TEST(lab1, no_room_for_the_halo) {
    const Image in(64, 4);
    const Image out(64, 4);
    convolve_tile<<<dim3(2, 4), 32, 32>>>(in.data, out.data, in.pitch, in.width);
    EXPECT_THAT(last_message(),
                testing::AllOf(HasSubstr("out of bounds: a 1-byte store"), HasSubstr("tile[32]")));
}

__global__ void scale(const float* in, float* out, std::size_t pitch, int width) {
    const int x = static_cast<int>(threadIdx.x);
    const std::size_t at = blockIdx.x * pitch + static_cast<std::size_t>(x);
    if (x < width) out[at] = 2 * in[at];  // fault
}

TEST(lab1, pitch_in_bytes_for_a_pointer_to_floats) {
    const Memory<float> in(128 * 8, 1.0f);
    const Memory<float> out(128 * 8);
    scale<<<8, 100>>>(in, out, 128 * sizeof(float), 100);
    EXPECT_FAULT(HasSubstr("out of bounds: a 4-byte load"), HasSubstr("block (2,0,0)"));
}

TEST(lab1, input_never_copied_to_the_gpu) {
    const Memory<float> in(100);
    const Memory<float> out(100);
    scale<<<1, 100>>>(in, out, 0, 100);
    EXPECT_FAULT(HasSubstr("memory never written is read"), HasSubstr("byte 0 of 400 bytes"));
}

TEST(lab1, null_pointer) {
    const Memory<float> out(100);
    scale<<<1, 100>>>(static_cast<const float*>(nullptr), out, 0, 100);
    EXPECT_FAULT(HasSubstr("illegal address 0x0"), HasSubstr("kernel scale"));
}

TEST(lab1, host_reads_gpu_memory) {
    const Memory<float> values(4, 1.0f);
    const volatile float* data = values;
    EXPECT_EQ(data[0], 1.0f);
    EXPECT_THAT(last_message(), HasSubstr("4-byte load of GPU memory by code of the CPU"));
}

// --- Lab 2: integral image -----------------------------------------------------------------------

__global__ void scan_columns(int* sums, int width, int height) {
    __shared__ int totals[4][32];
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(threadIdx.y);
    int before = 0;
    for (int top = 0; top < height; top += 4) {
        const int value = sums[(top + y) * width + x];
        totals[y][x] = value;  // others may still read
        __syncthreads();
        int above = before;
        for (int t = 0; t < 4; ++t) {
            if (t <= y) above += totals[t][x];
            before += totals[t][x];
        }
        sums[(top + y) * width + x] = above;
    }
}

TEST(lab2, second_barrier_of_the_loop_missing) {
    const Memory<int> sums(32 * 16, 1);
    scan_columns<<<1, dim3(32, 4)>>>(sums, 32, 16);
    EXPECT_THAT(
        last_message(),
        testing::AllOf(HasSubstr("race in shared memory"), HasSubstr("at totals["),
                       HasSubstr("kernel scan_columns"), HasSubstr("no __syncthreads() between")));
}

__global__ void scan_lanes(int* values, int count) {
    const int x = static_cast<int>(threadIdx.x);
    int sum = x < count ? values[x] : 0;
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        if (x % 32 >= static_cast<int>(distance)) {
            sum += __shfl_up_sync(0xffffffffu, sum, distance);  // fault
        }
    }
    if (x < count) values[x] = sum;
}

TEST(lab2, shuffle_inside_the_condition) {
    const Memory<int> values(32, 1);
    scan_lanes<<<1, 32>>>(values, 32);
    const std::string message = last_message();
    EXPECT_THAT(message, AnyOf(HasSubstr("shuffle from a lane that is not there"),
                               HasSubstr("warp operation that not all threads reach")));
}

__global__ void barriers_by_row(int* values, int height) {
    __shared__ int row[32];
    for (unsigned y = threadIdx.x % 2; y < static_cast<unsigned>(height); y += 2) {
        row[threadIdx.x] = values[y * 32 + threadIdx.x];
        __syncthreads();
        values[y * 32 + threadIdx.x] = row[threadIdx.x];
    }
}

TEST(lab2, loop_that_threads_leave_at_different_times) {
    const Memory<int> values(32 * 5, 1);
    barriers_by_row<<<1, 32>>>(values, 5);
    EXPECT_THAT(last_message(), HasSubstr("__syncthreads() that not all threads reach"));
}

// --- Lab 3: upscaling ----------------------------------------------------------------------------

__global__ void upscale(const unsigned char* in, unsigned char* out, std::size_t in_pitch,
                        std::size_t out_pitch) {
    const unsigned x = threadIdx.x;
    const unsigned y = blockIdx.x;
    const unsigned char value = in[y * in_pitch + x];
    for (unsigned j = 0; j < 2; ++j) {
        for (unsigned i = 0; i < 2; ++i) {
            out[(y + j) * out_pitch + 2 * x + i] = value;  // fault
        }
    }
}

TEST(lab3, blocks_write_the_same_rows) {
    const Image in(20, 10);
    const Image out(40, 20);
    upscale<<<10, 20>>>(in.data, out.data, in.pitch, out.pitch);
    EXPECT_FAULT(HasSubstr("race between blocks: a 1-byte store"), HasSubstr("written by thread"));
}

__global__ void store_pairs(unsigned char* out, std::size_t pitch) {
    auto* row = reinterpret_cast<uint2*>(out + blockIdx.x * pitch);
    row[threadIdx.x] = make_uint2(1, 2);  // fault
}

TEST(lab3, last_store_of_a_row_not_cut_short) {
    const Image out(44, 8);
    store_pairs<<<8, 6>>>(out.data, out.pitch);
    EXPECT_FAULT(HasSubstr("store"), HasSubstr("1 bytes past its end"),
                 HasSubstr("thread (5,0,0)"));
}

// --- Lab 4: histogram equalization ---------------------------------------------------------------

__global__ void count(const unsigned char* in, unsigned* histogram) {
    __shared__ unsigned counts[levels];
    for (unsigned i = threadIdx.x; i < levels; i += blockDim.x) counts[i] = 0;
    atomicAdd(&counts[in[blockIdx.x * blockDim.x + threadIdx.x]], 1u);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < levels; i += blockDim.x) {
        atomicAdd(&histogram[i], counts[i]);
    }
}

TEST(lab4, counts_not_set_to_zero_before_they_are_used) {
    const Memory<unsigned char> in(512, 200);
    const Memory<unsigned> histogram(levels, 0);
    count<<<2, 256>>>(in, histogram);
    EXPECT_THAT(last_message(),
                testing::AllOf(HasSubstr("at counts[200]"), HasSubstr("kernel count"),
                               AnyOf(HasSubstr("memory never written is read"),
                                     HasSubstr("race in shared memory"))));
}

__global__ void add_counts(const unsigned* counts, unsigned* histogram) {
    const unsigned i = threadIdx.x;
    histogram[i] = histogram[i] + counts[blockIdx.x * blockDim.x + i];  // fault
}

TEST(lab4, histogram_added_to_without_atomics) {
    const Memory<unsigned> counts(2 * levels, 1);
    const Memory<unsigned> histogram(levels, 0);
    add_counts<<<2, levels>>>(counts, histogram);
    EXPECT_FAULT(HasSubstr("race between blocks"));
}

__global__ void count_small(const unsigned char* in) {
    __shared__ unsigned counts[levels - 1];
    for (unsigned i = threadIdx.x; i < levels - 1; i += blockDim.x) counts[i] = 0;
    __syncthreads();
    atomicAdd(&counts[in[threadIdx.x]], 1u);  // fault
}

TEST(lab4, no_bin_for_the_last_level) {
    const Memory<unsigned char> in(64, 255);
    count_small<<<1, 64>>>(in);
    EXPECT_FAULT(HasSubstr("out of bounds"));
}

__global__ void sum_in_cluster(const int* in, int* out) {
    __shared__ int sums[4];
    const auto cluster = cooperative_groups::this_cluster();
    const unsigned block = cluster.block_rank();
    cluster.sync();
    if (threadIdx.x == 0) cluster.map_shared_rank(sums, 0)[block] = in[block];
    if (block == 0 && threadIdx.x == 0) {
        int all = 0;
        for (const int sum : sums) all += sum;  // fault
        *out = all;
    }
}

TEST(lab4, cluster_not_waited_for) {
    const Memory<int> in(4, 1);
    const Memory<int> out(1);
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {4, 1, 1};
    cudaLaunchConfig_t launch{};
    launch.gridDim = dim3(4);
    launch.blockDim = dim3(32);
    launch.attrs = &cluster;
    launch.numAttrs = 1;
    const int* from = in;
    int* to = out;
    const cudaError_t error = cudaLaunchKernelEx(&launch, sum_in_cluster, from, to);
    EXPECT_EQ(error, cudaErrorLaunchFailure);
    EXPECT_THAT(cudaGetErrorString(error),
                testing::AllOf(HasSubstr("race in shared memory"), HasSubstr("no cluster.sync()")));
}

}  // namespace
