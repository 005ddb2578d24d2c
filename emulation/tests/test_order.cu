// Mistakes in the order of threads: races, barriers and warp operations.

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include "common/cluster.cuh"
#include "common/ptx.cuh"
#include "faults.hpp"

using testing::HasSubstr;

namespace {

__global__ void smooth(const float* in, float* out) {
    __shared__ float tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    const unsigned left = (threadIdx.x + 63) % 64;
    out[threadIdx.x] = tile[threadIdx.x] + tile[left];  // fault
}

TEST(order, missing_barrier_before_reading) {
    const Memory<float> in(64, 1.0f);
    const Memory<float> out(64);
    smooth<<<1, 64>>>(in, out);
    EXPECT_FAULT(HasSubstr("race in shared memory: a 4-byte load"), HasSubstr("thread (1,0,0)"),
                 HasSubstr("at tile[0]"), HasSubstr("written by thread (0,0,0)"));
}

__global__ void take_next(const float* in, float* out) {
    __shared__ float tile[64];
    tile[threadIdx.x] = in[threadIdx.x];  // fault
    if (threadIdx.x < 63) out[threadIdx.x] = tile[threadIdx.x + 1];
}

TEST(order, read_before_another_thread_writes) {
    const Memory<float> in(64, 1.0f);
    const Memory<float> out(64);
    take_next<<<1, 64>>>(in, out);
    EXPECT_FAULT(HasSubstr("race in shared memory: a 4-byte store"), HasSubstr("at tile[1]"),
                 HasSubstr("read by thread (0,0,0)"), HasSubstr("between writing and reading"));
}

__global__ void smooth_right(const float* in, float* out) {
    __shared__ float tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    const unsigned left = threadIdx.x == 0 ? 0 : threadIdx.x - 1;
    out[threadIdx.x] = tile[threadIdx.x] + tile[left];  // fault
}

TEST(order, race_after_writing) {
    const Memory<float> in(64, 1.0f);
    const Memory<float> out(64);
    smooth_right<<<1, 64>>>(in, out);
    EXPECT_FAULT(HasSubstr("race in shared memory: a 4-byte load"), HasSubstr("at tile[0]"),
                 HasSubstr("written by thread (0,0,0) of the same block in test_order.cu:"));
}

__global__ void scan(int* values) {
    __shared__ int sums[64];
    sums[threadIdx.x] = values[threadIdx.x];
    for (unsigned distance = 1; distance < 64; distance *= 2) {
        __syncthreads();
        const int before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
        sums[threadIdx.x] += before;  // no barrier before it
    }
    __syncthreads();
    values[threadIdx.x] = sums[threadIdx.x];
}

TEST(order, scan_without_its_second_barrier) {
    const Memory<int> values(64, 1);
    scan<<<1, 64>>>(values);
    EXPECT_THAT(last_message(), testing::AllOf(HasSubstr("race in shared memory"),
                                               HasSubstr("kernel scan"), HasSubstr("at sums[")));
}

__global__ void count_in_shared(unsigned* histogram) {
    __shared__ unsigned counts[16];
    if (threadIdx.x < 16) counts[threadIdx.x] = 0;
    __syncthreads();
    counts[threadIdx.x % 16] += 1;  // fault
    __syncthreads();
    if (threadIdx.x < 16) histogram[threadIdx.x] = counts[threadIdx.x];
}

TEST(order, lost_update_in_shared_memory) {
    const Memory<unsigned> histogram(16);
    count_in_shared<<<1, 64>>>(histogram);
    EXPECT_FAULT(HasSubstr("race in shared memory"), HasSubstr("at counts[0]"),
                 HasSubstr("thread (16,0,0)"));
}

__global__ void count_in_global(unsigned* histogram) {
    histogram[threadIdx.x] += 1;  // fault
}

TEST(order, lost_update_between_blocks) {
    const Memory<unsigned> histogram(32, 0);
    count_in_global<<<2, 32>>>(histogram);
    // The machine decides which block comes first, whether it has stored or only loaded, and, where
    // both find a race at once, which of them is reported.
    EXPECT_FAULT(HasSubstr("race between blocks"), HasSubstr("kernel count_in_global"),
                 HasSubstr("of block ("));
}

__global__ void blur_in_place(unsigned char* image, int width) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int left = x == 0 ? 0 : x - 1;
    const int right = x == width - 1 ? x : x + 1;
    image[x] = static_cast<unsigned char>((image[left] + image[right]) / 2);  // fault
}

TEST(order, in_place) {
    const Memory<unsigned char> image(96, 9);
    blur_in_place<<<3, 32>>>(image, 96);
    EXPECT_FAULT(HasSubstr("race between blocks"));
}

__global__ void sum_warp(const int* in, int* out) {
    __shared__ int values[32];
    values[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (unsigned half = 16; half > 0; half /= 2) {
        if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];  // fault
    }
    if (threadIdx.x == 0) *out = values[0];
}

TEST(order, warp_without_sync) {
    const Memory<int> in(32, 1);
    const Memory<int> out(1);
    sum_warp<<<1, 32>>>(in, out);
    EXPECT_FAULT(HasSubstr("race in shared memory"), HasSubstr("no __syncwarp()"));
}

__global__ void barrier_in_branch(int* out) {
    if (threadIdx.x < 40) __syncthreads();  // fault
    out[threadIdx.x] = 1;
}

TEST(order, barrier_in_a_branch) {
    const Memory<int> out(64);
    barrier_in_branch<<<1, 64>>>(out);
    EXPECT_FAULT(HasSubstr("__syncthreads() that not all threads reach"),
                 HasSubstr("thread (40,0,0) of block (0,0,0) has returned"));
}

__global__ void two_barriers(int* out) {
    if (threadIdx.x < 32) {
        out[threadIdx.x] = 1;
        __syncthreads();  // fault
        out[threadIdx.x] = 2;
    } else {
        __syncthreads();
    }
}

TEST(order, two_barriers_for_one) {
    const Memory<int> out(64);
    two_barriers<<<1, 64>>>(out);
    EXPECT_FAULT(HasSubstr("that not all threads reach"),
                 HasSubstr("thread (32,0,0) of block (0,0,0) waits at the __syncthreads()"));
}

__global__ void return_before_barrier(const int* in, int* out, int count) {
    __shared__ int tile[64];
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count) return;
    tile[threadIdx.x] = in[i];
    __syncthreads();  // fault
    out[i] = tile[0];
}

TEST(order, return_before_a_barrier) {
    const Memory<int> in(100, 1);
    const Memory<int> out(100);
    return_before_barrier<<<2, 64>>>(in, out, 100);
    EXPECT_FAULT(HasSubstr("that not all threads reach"), HasSubstr("block (1,0,0)"),
                 HasSubstr("has returned"));
}

__global__ void sum_lanes(int* values, int count) {
    if (static_cast<int>(threadIdx.x) >= count) return;
    int sum = values[threadIdx.x];
    for (unsigned half = 16; half > 0; half /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, half);  // fault
    }
    values[threadIdx.x] = sum;
}

TEST(order, shuffle_from_lanes_that_are_not_there) {
    const Memory<int> values(32, 1);
    sum_lanes<<<1, 32>>>(values, 20);
    EXPECT_FAULT(HasSubstr("shuffle from a lane that is not there"));
}

__global__ void wait_for_nothing(const int* in, int* out) {
    __shared__ alignas(16) int tile[128];
    __pipeline_memcpy_async(&tile[4 * threadIdx.x], &in[4 * threadIdx.x], 16);
    __pipeline_commit();
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];  // fault
}

TEST(order, asynchronous_copy_not_waited_for) {
    const Memory<int> in(128, 1);
    const Memory<int> out(128);
    wait_for_nothing<<<1, 32>>>(in, out);
    EXPECT_FAULT(HasSubstr("asynchronous copy not waited for"), HasSubstr("at tile[0]"));
}

/// Each of two blocks stores the numbers of its threads in the other one's shared memory.
template <bool waits, int missing>
__global__ void exchange(unsigned* out) {
    __shared__ alignas(16) uint4 received[32];
    __shared__ unsigned long long mbarrier;
    const auto cluster = cooperative_groups::this_cluster();
    const unsigned block = cluster.block_rank();
    common::expect_bytes(&mbarrier, sizeof received + missing);
    common::tell_started();
    cluster.barrier_wait();
    const unsigned number = 32 * block + threadIdx.x;
    common::store_async(&received[threadIdx.x], &mbarrier, 1 - static_cast<int>(block),
                        {number, number, number, number});
    if (waits) common::wait_for_bytes(&mbarrier);
    out[number] = received[31 - threadIdx.x].w;  // fault
    cluster.sync();
}

/// Launches two such blocks. Returns the message of the error, or "" without one.
std::string message_of(void (*exchange)(unsigned*), unsigned* out) {
    try {
        common::launch_clusters(exchange, 1, 2, 32, nullptr, out);
        return "";
    } catch (const std::exception& error) {
        return error.what();
    }
}

TEST(order, asynchronous_stores_in_a_cluster) {
    const Memory<unsigned> out(64);
    EXPECT_EQ(message_of(exchange<true, 0>, out), "");
    EXPECT_EQ(out.at(0), 63u);
    EXPECT_EQ(out.at(40), 23u);
}

TEST(order, asynchronous_stores_not_waited_for) {
    const Memory<unsigned> out(64);
    EXPECT_THAT(message_of(exchange<false, 0>, out),
                testing::AllOf(HasSubstr("race in shared memory: a 16-byte store"),
                               HasSubstr("in store_async, called by exchange")));
}

TEST(order, asynchronous_stores_of_too_few_bytes) {
    const Memory<unsigned> out(64);
    EXPECT_THAT(message_of(exchange<true, 16>, out),
                testing::AllOf(HasSubstr("an mbarrier whose bytes do not all arrive"),
                               HasSubstr("in wait_for_bytes, called by exchange")));
}

}  // namespace
