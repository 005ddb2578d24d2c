// Mistakes in the order of threads: races, barriers and warp operations.

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cuda/atomic>

#include "faults.hpp"

using testing::HasSubstr;

namespace {

__global__ void smooth(const float* in, float* out) {
    __shared__ float tile[64];
    tile[threadIdx.x] = in[threadIdx.x];  // fault
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
    tile[threadIdx.x] = in[threadIdx.x];                             // fault
    if (threadIdx.x < 63) out[threadIdx.x] = tile[threadIdx.x + 1];  // fault
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
    tile[threadIdx.x] = in[threadIdx.x];  // fault
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

enum class Missing { nothing, zeros, first_barrier, second_barrier, atomic, atomic_of_blocks };

__global__ void count_in_shared(unsigned* histogram, Missing missing) {
    __shared__ unsigned counts[64];
    const unsigned level = threadIdx.x % 4;
    if (missing != Missing::zeros) counts[63 - threadIdx.x] = 0;
    if (missing != Missing::first_barrier) __syncthreads();
    if (missing == Missing::atomic) {
        ++counts[level];
    } else {
        atomicAdd(&counts[level], 1u);
    }
    if (missing != Missing::second_barrier) __syncthreads();
    const unsigned count = counts[threadIdx.x];
    if (missing == Missing::atomic_of_blocks) {
        histogram[threadIdx.x] += count;
    } else {
        atomicAdd(&histogram[threadIdx.x], count);
    }
}

TEST(order, histogram_in_shared_memory) {
    const Memory<unsigned> histogram(64, 0);
    const auto message_without = [&](Missing missing) {
        count_in_shared<<<2, 64>>>(histogram, missing);
        return last_message();
    };
    EXPECT_EQ(message_without(Missing::nothing), "");
    EXPECT_EQ(histogram.at(3), 32u);
    expect_fault(message_without(Missing::zeros), "memory never written is read: a 4-byte load",
                 {"atomicAdd(&counts"});
    expect_fault(message_without(Missing::first_barrier), "race in shared memory",
                 {"] = 0;", "atomicAdd(&counts"});
    expect_fault(message_without(Missing::second_barrier), "race in shared memory",
                 {"atomicAdd(&counts", "count = counts["});
    expect_fault(message_without(Missing::atomic), "race in shared memory",
                 {"++counts", "++counts"});
    expect_fault(message_without(Missing::atomic_of_blocks), "race between blocks",
                 {"+= count;", "+= count;"});
}

__global__ void fill_row(int* row) {
    row[threadIdx.x] = 1;  // fault
}

TEST(order, blocks_that_write_the_same) {
    const Memory<int> row(32);
    fill_row<<<2, 32>>>(row);
    // The machine decides which block comes first, and, where both find a race at once, which of
    // them is reported.
    EXPECT_FAULT(HasSubstr("race between blocks: a 4-byte store"), HasSubstr("kernel fill_row"),
                 HasSubstr("written by thread"), HasSubstr("of block ("),
                 HasSubstr("several blocks compute the same element"));
}

/// Blocks take every second row, so that those of two blocks are the same.
__global__ void fill_rows(unsigned char* image, std::size_t pitch, unsigned rows) {
    for (std::size_t y = blockIdx.x; y < rows; y += 2) image[y * pitch + threadIdx.x] = 1;  // fault
}

TEST(order, step_of_a_loop_over_rows) {
    const Image image(32, 9);
    fill_rows<<<2, 32>>>(image.data, image.pitch, 9);
    EXPECT_EQ(last_message(), "");
    fill_rows<<<4, 32>>>(image.data, image.pitch, 9);
    EXPECT_FAULT(HasSubstr("race between blocks: a 1-byte store"),
                 HasSubstr("the step of a loop is smaller than what all threads take"));
}

__global__ void count_then_read(unsigned* counts, bool waits) {
    atomicAdd(&counts[threadIdx.x], 1u);
    if (waits) cooperative_groups::this_grid().sync();
    counts[32 * (blockIdx.x + 1) + threadIdx.x] = counts[threadIdx.x];
}

TEST(order, barrier_of_the_grid) {
    const Memory<unsigned> counts(96, 0);
    unsigned* data = counts;
    bool waits = true;
    void* arguments[] = {&data, &waits};
    ASSERT_EQ(cudaLaunchCooperativeKernel(count_then_read, 2, 32, arguments, 0, nullptr),
              cudaSuccess);
    EXPECT_EQ(counts.at(40), 2u);
    waits = false;
    const auto error = cudaLaunchCooperativeKernel(count_then_read, 2, 32, arguments, 0, nullptr);
    expect_fault(cudaGetErrorString(error), "race between blocks",
                 {"atomicAdd(&counts[threadIdx.x]", "= counts[threadIdx.x];"});
}

/// Each block adds its number to the sum of the block before it.
__global__ void sum_blocks(unsigned* sums, unsigned* flags, bool waits, bool fences) {
    using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
    const unsigned own = blockIdx.x;
    while (waits && own > 0 && Flag(flags[own - 1]).load(cuda::memory_order_relaxed) == 0) {
        __nanosleep(20);
    }
    const unsigned before = own > 0 ? sums[own - 1] : 0;  // fault
    sums[own] = before + own;                             // fault
    if (fences) __threadfence();
    Flag(flags[own]).store(1, cuda::memory_order_relaxed);
}

TEST(order, flag_and_fence) {
    const auto launch = [](bool waits, bool fences) {
        const Memory<unsigned> sums(4, 0);
        const Memory<unsigned> flags(4, 0);
        sum_blocks<<<4, 1>>>(sums, flags, waits, fences);
        return sums.at(3);
    };
    EXPECT_EQ(launch(true, true), 6u);
    EXPECT_EQ(last_message(), "");
    launch(true, false);
    EXPECT_FAULT(HasSubstr("race between blocks"), HasSubstr("kernel sum_blocks"));
    launch(false, false);
    EXPECT_FAULT(HasSubstr("race between blocks"), HasSubstr("kernel sum_blocks"));
}

__global__ void blur_in_place(unsigned char* image, int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
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
        __syncthreads();  // fault
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
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
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

/// Lanes from `count` on return; `mask` names those that are to take part.
__global__ void sum_lanes(int* values, int count, unsigned mask, int first) {
    if (static_cast<int>(threadIdx.x) >= count) return;
    int sum = values[threadIdx.x];
    for (int lanes = first; lanes > 0; lanes /= 2) {
        sum += __shfl_xor_sync(mask, sum, lanes);  // fault
    }
    values[threadIdx.x] = sum;
}

TEST(order, shuffle_from_lanes_that_are_not_there) {
    const Memory<int> values(32, 1);
    for (const unsigned threads : {32u, 20u}) {
        sum_lanes<<<1, threads>>>(values, 20, 0xffffffffu, 16);
        EXPECT_FAULT(HasSubstr("shuffle from a lane that is not there"),
                     HasSubstr("that lane has returned, or the block has no such thread"));
    }
    sum_lanes<<<1, 32>>>(values, 32, 0xffffu, 16);
    EXPECT_FAULT(HasSubstr("shuffle from a lane that is not there: lane 0 takes the value of"),
                 HasSubstr("the mask 0xffff does not name it"));
    sum_lanes<<<1, 32>>>(values, 32, 0xffffu, 8);
    EXPECT_FAULT(HasSubstr("warp operation by lane 16, which its mask 0xffff does not name"));
}

/// Lane 31 returns after the others have called the shuffle.
__global__ void take_from_the_last_lane(int* values) {
    if (threadIdx.x == 31) return;
    values[threadIdx.x] = __shfl_sync(0xffffffffu, values[threadIdx.x], 31);  // fault
}

TEST(order, shuffle_from_a_lane_that_returns_later) {
    const Memory<int> values(32, 1);
    take_from_the_last_lane<<<1, 32>>>(values);
    EXPECT_FAULT(HasSubstr("shuffle from a lane that is not there: lane 0 takes the value of"),
                 HasSubstr("that lane has returned"), HasSubstr("thread (0,0,0)"),
                 HasSubstr("kernel take_from_the_last_lane"));
}

__global__ void vote_in_branch(unsigned* out) {
    if (threadIdx.x < 20) *out = __ballot_sync(0xffffffffu, 1);  // fault
    __syncthreads();                                             // fault
}

TEST(order, warp_operation_in_a_branch) {
    const Memory<unsigned> out(1);
    vote_in_branch<<<1, 64>>>(out);
    EXPECT_FAULT(HasSubstr("warp operation that not all threads reach"),
                 HasSubstr("thread (20,0,0) of block (0,0,0) waits at the __syncthreads()"));
}

/// A warp copies row `y` while it uses the one before; each lane uses what its neighbour copied.
__global__ void copy_rows(const int* in, int* out, int stages, bool waits) {
    __shared__ alignas(16) int rows[2][128];
    const unsigned lane = threadIdx.x;
    for (int y = 0; y < 4; ++y) {
        if (waits) __pipeline_wait_prior(0);
        __syncwarp();
        const int* from = in + 128 * y + 4 * lane;
        if (y < 3) __pipeline_memcpy_async(&rows[y % stages][4 * lane], from, 16);  // fault
        __pipeline_commit();
        if (y == 0) continue;
        out[lane] = rows[(y - 1) % stages][(4 * lane + 4) % 128];  // fault
    }
}

TEST(order, asynchronous_copies) {
    const Memory<int> in(3 * 128, 1);
    const Memory<int> out(32);
    copy_rows<<<1, 32>>>(in, out, 2, true);
    EXPECT_EQ(last_message(), "");
    EXPECT_EQ(out.at(31), 1);
    copy_rows<<<1, 32>>>(in, out, 2, false);
    EXPECT_FAULT(HasSubstr("asynchronous copy not waited for: a 4-byte load"),
                 HasSubstr("at rows["));
    copy_rows<<<1, 32>>>(in, out, 1, true);
    EXPECT_FAULT(HasSubstr("race in shared memory"), HasSubstr("no __syncwarp()"));
}

}  // namespace
