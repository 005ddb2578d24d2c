// Counts of kernels that are simple enough to know them: a warp's request touches 32-byte sectors
// of global memory, and the 32 banks of shared memory deliver one word of 4 bytes each per
// wavefront (CUDA C++ Programming Guide, "Device Memory Accesses" and "Shared Memory").

#include <cuda_pipeline.h>

#include <stdexcept>

#include "counted.hpp"
#include "emulation/users.hpp"

namespace {

/// Lane i loads element `stride * i + first`.
template <class T>
__global__ void load_strided(const T* in, T* out, int stride, int first) {
    const int lane = static_cast<int>(threadIdx.x);
    out[lane] = in[lane * stride + first];
}

template <class T>
AccessCounts strided(int stride, int first, unsigned threads = 32) {
    const Memory<T> in(128, T{});
    const Memory<T> out(64);
    return global_loads(counted([&] { load_strided<T><<<1, threads>>>(in, out, stride, first); }));
}

TEST(counters, neighbouring_bytes_are_in_one_sector) {
    const AccessCounts loads = strided<unsigned char>(1, 0);
    EXPECT_EQ(loads.requests, 1u);
    EXPECT_EQ(loads.lanes, 32u);
    EXPECT_EQ(loads.bytes, 32u);
    EXPECT_EQ(loads.sectors, 1u);
    EXPECT_EQ(loads.ideal_sectors, 1u);
}

TEST(counters, neighbouring_words_are_in_four_sectors) {
    const AccessCounts loads = strided<int>(1, 0);
    EXPECT_EQ(loads.requests, 1u);
    EXPECT_EQ(loads.sectors, 4u);
    EXPECT_EQ(loads.ideal_sectors, 4u);
}

TEST(counters, words_that_begin_inside_a_sector_touch_one_more) {
    const AccessCounts loads = strided<int>(1, 1);
    EXPECT_EQ(loads.sectors, 5u);
    EXPECT_EQ(loads.ideal_sectors, 4u);
}

TEST(counters, words_12_bytes_apart_touch_12_sectors) {
    const AccessCounts loads = strided<int>(3, 0);  // 31 * 12 + 4 = 376 bytes
    EXPECT_EQ(loads.sectors, 12u);
    EXPECT_EQ(loads.ideal_sectors, 4u);
}

TEST(counters, the_same_address_is_one_sector) {
    const AccessCounts loads = strided<int>(0, 5);
    EXPECT_EQ(loads.requests, 1u);
    EXPECT_EQ(loads.sectors, 1u);
    EXPECT_EQ(loads.ideal_sectors, 1u);
}

TEST(counters, a_partial_warp_is_a_request_of_its_own) {
    const AccessCounts loads = strided<int>(1, 0, 40);
    EXPECT_EQ(loads.requests, 2u);
    EXPECT_EQ(loads.lanes, 40u);
    EXPECT_EQ(loads.live_lanes, 40u);
    EXPECT_EQ(loads.sectors, 5u);
}

TEST(counters, a_vector_is_one_access) {
    const Memory<uint4> in(32, uint4{1, 2, 3, 4});
    const Memory<uint4> out(32);
    const KernelCounts kernel = counted([&] { load_strided<uint4><<<1, 32>>>(in, out, 1, 0); });
    for (const Operation operation : {Operation::load, Operation::store}) {
        const AccessCounts accesses = sum(kernel, Space::global, operation);
        EXPECT_EQ(accesses.requests, 1u);
        EXPECT_EQ(accesses.width, 16u);
        EXPECT_EQ(accesses.sectors, 16u);
        EXPECT_EQ(accesses.ideal_sectors, 16u);
    }
}

struct Three {
    int x, y, z;
};

TEST(counters, a_structure_of_three_words_is_three_accesses) {
    const AccessCounts loads = strided<Three>(1, 0);
    EXPECT_EQ(loads.requests, 3u);
    EXPECT_EQ(loads.width, 4u);
    EXPECT_EQ(loads.sectors, 36u);
    EXPECT_EQ(loads.ideal_sectors, 12u);
}

/// Lane i loads element `stride * i` of shared memory.
template <class T>
__global__ void load_from_banks(int stride) {
    extern __shared__ uint4 memory[];
    T* const values = reinterpret_cast<T*>(memory);
    const int lane = static_cast<int>(threadIdx.x);
    if (lane == 0) {
        for (int i = 0; i < 32; ++i) values[i * stride] = T{};
    }
    __syncthreads();
    const T loaded = values[lane * stride];
    __syncthreads();
    values[lane * stride] = loaded;
}

template <class T>
AccessCounts from_banks(int stride) {
    const std::size_t bytes = sizeof(T) * static_cast<std::size_t>(31 * stride + 1);
    return shared_loads(counted([&] { load_from_banks<T><<<1, 32, bytes>>>(stride); }));
}

void expect_wavefronts(const AccessCounts& loads, std::uint64_t wavefronts,
                       std::uint64_t conflicts) {
    EXPECT_EQ(loads.requests, 1u);
    EXPECT_EQ(loads.wavefronts, wavefronts);
    EXPECT_EQ(loads.conflicts, conflicts);
}

TEST(counters, neighbouring_words_are_in_different_banks) {
    expect_wavefronts(from_banks<int>(1), 1, 0);
}
TEST(counters, a_column_of_32_words_is_in_one_bank) {
    expect_wavefronts(from_banks<int>(32), 32, 31);
}
TEST(counters, a_column_of_33_words_is_in_32_banks) {
    expect_wavefronts(from_banks<int>(33), 1, 0);
}
TEST(counters, every_second_word_is_a_2_way_conflict) {
    expect_wavefronts(from_banks<int>(2), 2, 1);
}
TEST(counters, a_word_is_broadcast) {
    expect_wavefronts(from_banks<unsigned char>(1), 1, 0);  // four lanes per word
}
TEST(counters, eight_bytes_per_lane_take_two_wavefronts) {
    expect_wavefronts(from_banks<uint2>(1), 2, 0);
}
TEST(counters, sixteen_bytes_per_lane_take_four_wavefronts) {
    expect_wavefronts(from_banks<uint4>(1), 4, 0);
}
TEST(counters, sixteen_bytes_128_bytes_apart_conflict) {
    expect_wavefronts(from_banks<uint4>(8), 32, 28);  // the 8 lanes of a part share four banks
}

__global__ void diverge(const int* in, int* out) {
    const int lane = static_cast<int>(threadIdx.x);
    int sum = 0;
    for (int i = 0; i <= lane % 4; ++i) sum += in[i * 32 + lane];
    out[lane] = sum;
}

TEST(counters, lanes_that_leave_a_loop_are_missing_in_later_requests) {
    const Memory<int> in(128, 1);
    const Memory<int> out(32);
    const KernelCounts kernel = counted([&] { diverge<<<1, 32>>>(in, out); });
    const AccessCounts loads = global_loads(kernel);
    EXPECT_EQ(loads.requests, 4u);
    EXPECT_EQ(loads.lanes, 32u + 24 + 16 + 8);
    EXPECT_EQ(loads.live_lanes, 4u * 32);
    EXPECT_EQ(loads.sectors, 4u * 4);
    EXPECT_EQ(sum(kernel, Space::global, Operation::store).lanes, 32u);
}

/// Half of the lanes load in the first iteration, the others in the second.
__global__ void take_turns(const int* in, int* out, bool of_block) {
    const int lane = static_cast<int>(threadIdx.x);
    int sum = 0;
    for (int i = 0; i < 2; ++i) {
        if (lane / 16 == i) sum += in[lane];
        if (of_block) {
            __syncthreads();
        } else {
            __syncwarp();
        }
    }
    out[lane] = sum;
}

TEST(counters, no_request_spans_a_barrier) {
    const Memory<int> in(32, 1);
    const Memory<int> out(32);
    for (const bool of_block : {true, false}) {
        const KernelCounts kernel = counted([&] { take_turns<<<1, 32>>>(in, out, of_block); });
        EXPECT_EQ(global_loads(kernel).requests, 2u);
        EXPECT_EQ(global_loads(kernel).lanes, 32u);
        EXPECT_EQ(kernel.barriers, of_block ? 2u : 0u);
        EXPECT_EQ(kernel.warp_operations, of_block ? 0u : 2u);
    }
}

__global__ void count_all(unsigned* all) {
    atomicAdd(all, 1u);
}

TEST(counters, an_atomic_function_is_one_request) {
    const Memory<unsigned> all(1, 0);
    const KernelCounts kernel = counted([&] { count_all<<<1, 32>>>(all); });
    const AccessCounts atomics = sum(kernel, Space::global, Operation::atomic);
    EXPECT_EQ(atomics.requests, 1u);
    EXPECT_EQ(atomics.sectors, 32u);  // one after the other
    EXPECT_EQ(atomics.ideal_sectors, 1u);
    EXPECT_EQ(atomics.most_on_one_address, 32u);
    EXPECT_EQ(kernel.most_stored, 4u);
    EXPECT_EQ(global_loads(kernel).requests, 0u);
    EXPECT_EQ(sum(kernel, Space::global, Operation::store).requests, 0u);
}

/// Three lanes change element 0, the other lanes one element each.
__global__ void count_some(unsigned* all) {
    const unsigned lane = threadIdx.x;
    atomicAdd(all + (lane < 3 ? 0 : lane), 1u);
}

TEST(counters, lanes_that_change_one_element_take_turns) {
    const Memory<unsigned> all(32, 0);
    const KernelCounts kernel = counted([&] { count_some<<<1, 32>>>(all); });
    const AccessCounts atomics = sum(kernel, Space::global, Operation::atomic);
    EXPECT_EQ(atomics.most_on_one_address, 3u);
    EXPECT_EQ(atomics.sectors, 4u + 1 + 1);
}

__global__ void copy_later(const unsigned char* in, int count) {
    __shared__ uint4 tile[32];
    const int lane = static_cast<int>(threadIdx.x);
    emulation::copy_async(&tile[lane], in + 16 * lane, 16, static_cast<unsigned>(count));
    emulation::commit_copies();
    emulation::wait_for_copies(0);
}

TEST(counters, an_asynchronous_copy_is_a_load_and_a_store) {
    const Memory<unsigned char> in(512, 1);
    const KernelCounts kernel = counted([&] { copy_later<<<1, 32>>>(in, 13); });
    EXPECT_EQ(global_loads(kernel).requests, 1u);
    EXPECT_EQ(global_loads(kernel).bytes, 32u * 13);
    EXPECT_EQ(sum(kernel, Space::shared, Operation::store).wavefronts, 4u);
}

__global__ void some_kernel(int* out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = 0;  // line
}

TEST(counters, a_line_is_named_and_its_launches_are_added) {
    const Memory<int> out(320);
    const KernelCounts kernel = counted([&] {
        some_kernel<<<5, 64>>>(out);
        some_kernel<<<3, 64>>>(out);
    });
    EXPECT_EQ(kernel.name, "some_kernel");
    EXPECT_EQ(kernel.launches, 2u);
    EXPECT_EQ(kernel.blocks, 8u);
    EXPECT_EQ(kernel.warps, 16u);
    EXPECT_EQ(kernel.most_stored, 8u);
    EXPECT_FALSE(kernel.same_grid);
    ASSERT_EQ(kernel.lines.size(), 1u);
    const LineCounts& line = kernel.lines.front();
    EXPECT_THAT(named_lines("test_counters.cu:" + std::to_string(line.line), __FILE__),
                testing::ElementsAre(testing::EndsWith("// line")));
    EXPECT_EQ(line.counts.requests, 16u);
    EXPECT_EQ(line.counts.sectors, 64u);
    EXPECT_TRUE(line.counts.example.interior);
    EXPECT_EQ(line.counts.example.block_index.x, 1u);  // in the grid of 3
}

TEST(counters, one_count_at_a_time) {
    const emulation::Counting counting;
    EXPECT_THROW(emulation::Counting{}, std::logic_error);
}

/// Threads outside the row take its last byte.
__global__ void store_clamped(unsigned char* row, int width) {
    const int x = threadIdx.x;
    row[x < width ? x : width - 1] = 1;
}

TEST(counters, threads_that_use_a_byte) {
    const Image image(5, 2);
    const emulation::Watching watching;
    store_clamped<<<dim3(1), dim3(8)>>>(image.data, image.width);
    EXPECT_EQ(last_message(), "");
    const auto images = watching.images();
    ASSERT_EQ(images.size(), 1u);
    EXPECT_EQ(images[0].kernel, "store_clamped");
    EXPECT_TRUE(images[0].are_stores);
    ASSERT_EQ(images[0].threads.size(), 10u);
    EXPECT_EQ(images[0].threads[3].size(), 1u);
    ASSERT_EQ(images[0].threads[4].size(), 4u);
    EXPECT_EQ(images[0].index_of(images[0].threads[4][1]).x, 5u);
    EXPECT_TRUE(images[0].threads[5].empty());
}

}  // namespace
