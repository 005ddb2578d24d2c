// Right kernels: their results, and that nothing is reported.

#include <cooperative_groups.h>
#include <cuda_fp16.h>

#include "common/ptx.cuh"
#include "faults.hpp"

namespace {

__global__ void reduce(const int* in, int* out, int count) {
    __shared__ int sums[8];
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    int sum = i < count ? in[i] : 0;
    for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    int all = 0;
    for (unsigned w = 0; w < blockDim.x / 32; ++w) all += sums[w];
    atomicAdd(out, all);
}

TEST(right, reduction) {
    const Memory<int> in(1000, 3);
    const Memory<int> out(1, 0);
    reduce<<<4, 256>>>(in, out, 1000);
    EXPECT_EQ(last_message(), "");
    EXPECT_EQ(out.at(0), 3000);
}

__global__ void votes(unsigned* out) {
    const unsigned odd = __ballot_sync(0xffffffffu, threadIdx.x % 2 == 1);
    const bool any = __any_sync(0xffffffffu, threadIdx.x == 7) != 0;
    const bool all = __all_sync(0xffffffffu, threadIdx.x != 7) != 0;
    const int largest = __reduce_max_sync(0xffffffffu, -static_cast<int>(threadIdx.x) - 1);
    if (threadIdx.x != 0) return;
    out[0] = odd;
    out[1] = any ? 1 : 0;
    out[2] = all ? 1 : 0;
    out[3] = static_cast<unsigned>(-largest);
}

TEST(right, votes) {
    const Memory<unsigned> out(4);
    votes<<<1, 32>>>(out);
    EXPECT_EQ(last_message(), "");
    EXPECT_EQ(out.at(0), 0xaaaaaaaau);
    EXPECT_EQ(out.at(1), 1u);
    EXPECT_EQ(out.at(2), 0u);
    EXPECT_EQ(out.at(3), 1u);
}

__global__ void all_blocks(int* values, int* sums) {
    values[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    cooperative_groups::this_grid().sync();
    if (threadIdx.x != 0) return;
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x * blockDim.x; ++i) sum += values[i];
    sums[blockIdx.x] = sum;
}

TEST(right, cooperative_launch) {
    const Memory<int> values(128);
    const Memory<int> sums(4);
    int* data = values;
    int* results = sums;
    void* arguments[] = {&data, &results};
    EXPECT_EQ(cudaLaunchCooperativeKernel(all_blocks, 4, 32, arguments, 0, nullptr), cudaSuccess);
    EXPECT_EQ(sums.at(3), 128);
}

__global__ void rank_in_grid(int* ranks, int* size) {
    const auto grid = cooperative_groups::this_grid();
    ranks[grid.thread_rank()] = static_cast<int>(grid.thread_rank());
    grid.sync();
    if (grid.thread_rank() == 0) *size = static_cast<int>(grid.size());
}

TEST(right, cooperative_launch_of_as_many_blocks_as_fit) {
    int each = 0;
    ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, rank_in_grid, 64, 0),
              cudaSuccess);
    EXPECT_EQ(each, 32);
    int processors = 0;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    const int threads = each * processors * 64;
    const Memory<int> ranks(threads);
    const Memory<int> size(1);
    int* to = ranks;
    int* count = size;
    void* arguments[] = {&to, &count};
    ASSERT_EQ(
        cudaLaunchCooperativeKernel((const void*)rank_in_grid, each * processors, 64, arguments),
        cudaSuccess)
        << last_message();
    EXPECT_EQ(size.at(0), threads);
    EXPECT_EQ(ranks.at(threads - 1), threads - 1);
}

__global__ void sum_in_last_block(const int* in, int* sums, unsigned* done, int* out) {
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = in[blockIdx.x];
        __threadfence();
        is_last = atomicAdd(done, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last || threadIdx.x != 0) return;
    int all = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) all += sums[i];
    *out = all;
}

TEST(right, last_block_adds_up) {
    const Memory<int> in(50, 2);
    const Memory<int> sums(50);
    const Memory<unsigned> done(1, 0);
    const Memory<int> out(1);
    sum_in_last_block<<<50, 32>>>(in, sums, done, out);
    EXPECT_EQ(last_message(), "");
    EXPECT_EQ(out.at(0), 100);
}

__constant__ float weights[3];

__global__ void weigh(float* out) {
    out[threadIdx.x] = weights[threadIdx.x];
}

TEST(right, constant_memory) {
    const float values[] = {0.25f, 0.5f, 0.25f};
    ASSERT_EQ(cudaMemcpyToSymbol(weights, values, sizeof values), cudaSuccess);
    const Memory<float> out(3);
    weigh<<<1, 3>>>(out);
    EXPECT_EQ(last_message(), "");
    EXPECT_EQ(out.at(1), 0.5f);
}

// Element 10 * row + column; lane i has two neighbours of row i / 4.
__global__ void transpose(unsigned* out) {
    const unsigned first = threadIdx.x / 4 * 10 + threadIdx.x % 4 * 2;
    out[threadIdx.x] = common::transpose_8x8((first + 1) << 16 | first);
}

TEST(right, transposed_matrix) {
    const Memory<unsigned> out(32);
    transpose<<<1, 32>>>(out);
    EXPECT_EQ(last_message(), "");
    for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned first = lane % 4 * 20 + lane / 4;
        EXPECT_EQ(out.at(lane), (first + 10) << 16 | first) << lane;
    }
}

// Values that the CUDA manuals give, or that follow from what they say.
TEST(right, intrinsics) {
    EXPECT_EQ(__byte_perm(0x33221100, 0x77665544, 0x7531), 0x77553311u);
    EXPECT_EQ(__byte_perm(0x80, 0, 0x8888), 0xffffffffu);
    EXPECT_EQ(__funnelshift_r(0x11223344, 0xaabbccdd, 8), 0xdd112233u);
    EXPECT_EQ(__vminu2(0x00050001, 0x00030002), 0x00030001u);
    EXPECT_EQ(__dp4a(0x01020304, -1, 100), 90);
    EXPECT_EQ(__dp4a(0x01020304u, 0xffffffffu, 0u), 2550u);
    EXPECT_EQ(__fadd_rz(3.7f, 8388608.0f), 8388611.0f);
    EXPECT_EQ(__fadd_rz(16777216.0f, -0x1p-40f), 16777215.0f);
    EXPECT_EQ(__fmaf_rz(3.5f, 1.1f, 12582912.0f), 12582915.0f);
    EXPECT_EQ(common::pack_u8(-1, 300, 0x1234), 0x1234ff00u);
    EXPECT_EQ(__low2float(__hsub2(__float2half2_rn(1100.0f), __float2half2_rn(1024.0f))), 76.0f);
}

}  // namespace
