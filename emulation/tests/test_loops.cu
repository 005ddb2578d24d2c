// Requests in nested loops, which the lanes of a warp leave at different times. Behind each loop
// they wait for each other (CUDA C++ Programming Guide, "SIMT Architecture").

#include "counted.hpp"

namespace {

/// The inner loop of lane i has i % 4 + 1 iterations.
__global__ void sum_rows(const int* in, int* out, int rows) {
    const int lane = static_cast<int>(threadIdx.x);
    int sum = 0;
    for (int row = 0; row < rows; ++row) {
        for (int i = 0; i <= lane % 4; ++i) sum += in[(row * 4 + i) * 32 + lane];
    }
    out[lane] = sum;
}

TEST(counters, lanes_that_leave_an_inner_loop_wait_for_the_others) {
    const Memory<int> in(3 * 128, 1);
    const Memory<int> out(32);
    const AccessCounts loads = global_loads(counted([&] { sum_rows<<<1, 32>>>(in, out, 3); }));
    EXPECT_EQ(loads.requests, 3u * 4);
    EXPECT_EQ(loads.lanes, 3u * (32 + 24 + 16 + 8));
    EXPECT_EQ(loads.sectors, 3u * 4 * 4);
}

/// Rows of 34 words. Lanes 0 and 1 of a warp store two words of each row.
__global__ void fill_rows(int rows) {
    __shared__ int tile[4 * 34];
    for (int row = 0; row < rows; ++row) {
        for (int x = static_cast<int>(threadIdx.x); x < 34; x += 32) tile[row * 34 + x] = x;
    }
}

TEST(counters, rows_that_are_a_little_wider_than_a_warp_have_no_bank_conflicts) {
    const KernelCounts kernel = counted([&] { fill_rows<<<1, 32>>>(4); });
    const AccessCounts stores = sum(kernel, Space::shared, Operation::store);
    EXPECT_EQ(stores.requests, 4u * 2);
    EXPECT_EQ(stores.lanes, 4u * 34);
    EXPECT_EQ(stores.conflicts, 0u);
}

/// The compiler puts the unlikely branch behind the loop, so that it jumps back into the loop.
__global__ void fill_with_border(int* out, int rows) {
    const int lane = static_cast<int>(threadIdx.x);
    for (int row = 0; row < rows; ++row) {
        int value = row;
        if (__builtin_expect((lane + row) % 8 == 0, 0)) value = out[96 + lane];
        out[(row % 3) * 32 + lane] = value;
    }
}

TEST(counters, a_branch_may_be_placed_behind_its_loop) {
    const Memory<int> out(128, 1);
    const KernelCounts kernel = counted([&] { fill_with_border<<<1, 32>>>(out, 5); });
    EXPECT_EQ(sum(kernel, Space::global, Operation::store).requests, 5u);
}

/// Not a part of the kernel's code: a call jumps backwards, but begins no iteration of a loop.
[[gnu::noinline]] __device__ int weight_of(int row) {
    return row % 3 + 1;
}

__global__ void sum_weighted_rows(const int* in, int* out, int rows) {
    const int lane = static_cast<int>(threadIdx.x);
    int sum = 0;
    for (int row = 0; row < rows; ++row) {
        const int weight = lane % 2 == 0 ? weight_of(row) : 1;
        for (int i = 0; i <= lane % 4; ++i) sum += weight * in[(row * 4 + i) * 32 + lane];
    }
    out[lane] = sum;
}

TEST(counters, some_lanes_may_call_a_function) {
    const Memory<int> in(3 * 128, 1);
    const Memory<int> out(32);
    const AccessCounts loads =
        global_loads(counted([&] { sum_weighted_rows<<<1, 32>>>(in, out, 3); }));
    EXPECT_EQ(loads.requests, 3u * 4);
    EXPECT_EQ(loads.sectors, 3u * 4 * 4);
}

}  // namespace
