// Blocks of a cluster, which access each other's shared memory.

#include <cooperative_groups.h>

#include "common/cluster.cuh"
#include "common/ptx.cuh"
#include "faults.hpp"

using testing::HasSubstr;

namespace {

/// Launches a cluster of two blocks. Returns the message of the error, or "" without one.
template <class... Parameters>
std::string message_of(void (*kernel)(Parameters...), Parameters... arguments) {
    try {
        common::launch_clusters(kernel, 1, 2, 32, nullptr, arguments...);
        return "";
    } catch (const std::exception& error) {
        return error.what();
    }
}

enum class Missing { nothing, start, middle, end };

/// Each of two blocks stores the numbers of its threads in the other one's shared memory.
__global__ void exchange(unsigned* out, Missing missing) {
    __shared__ unsigned received[32];
    const auto cluster = cooperative_groups::this_cluster();
    const unsigned number = 32 * cluster.block_rank() + threadIdx.x;
    unsigned* theirs = cluster.map_shared_rank(received, 1 - cluster.block_rank());
    if (missing != Missing::start) cluster.sync();
    theirs[threadIdx.x] = number;
    if (missing != Missing::middle) cluster.sync();
    const unsigned mine = received[31 - threadIdx.x];
    out[number] = mine + theirs[threadIdx.x];
    if (missing != Missing::end) cluster.sync();
}

TEST(clusters, barriers) {
    const Memory<unsigned> out(64);
    const auto message_without = [&](Missing missing) {
        return message_of<unsigned*, Missing>(exchange, out, missing);
    };
    EXPECT_EQ(message_without(Missing::nothing), "");
    EXPECT_EQ(out.at(1), 62u + 1u);
    expect_fault(message_without(Missing::start),
                 "shared memory of a block that may not have started: a 4-byte store",
                 {"theirs[threadIdx.x] = number"});
    expect_fault(message_without(Missing::middle), "race in shared memory: a 4-byte",
                 {"theirs[threadIdx.x] = number", "mine = received"});
    expect_fault(message_without(Missing::end),
                 "shared memory of a block that has exited: a 4-byte load",
                 {"mine + theirs[threadIdx.x]"});
}

__global__ void exchange_async(unsigned* out, int missing_bytes, bool waits) {
    __shared__ alignas(16) uint4 received[32];
    __shared__ unsigned long long mbarrier;
    const auto cluster = cooperative_groups::this_cluster();
    const unsigned block = cluster.block_rank();
    common::expect_bytes(&mbarrier, static_cast<int>(sizeof received) + missing_bytes);
    common::tell_started();
    cluster.barrier_wait();
    const unsigned number = 32 * block + threadIdx.x;
    common::store_async(&received[threadIdx.x], &mbarrier, 1 - static_cast<int>(block),
                        {number, number, number, number});
    if (waits) common::wait_for_bytes(&mbarrier);
    out[number] = received[31 - threadIdx.x].w;
    cluster.sync();
}

TEST(clusters, asynchronous_stores) {
    const Memory<unsigned> out(64);
    const auto message = [&](int missing_bytes, bool waits) {
        return message_of<unsigned*, int, bool>(exchange_async, out, missing_bytes, waits);
    };
    EXPECT_EQ(message(0, true), "");
    EXPECT_EQ(out.at(0), 63u);
    EXPECT_EQ(out.at(40), 23u);
    EXPECT_THAT(message(0, false),
                testing::AllOf(HasSubstr("race in shared memory: a 16-byte store"),
                               HasSubstr("in store_async, called by exchange_async")));
    EXPECT_THAT(message(16, true),
                testing::AllOf(HasSubstr("an mbarrier whose bytes do not all arrive"),
                               HasSubstr("in wait_for_bytes, called by exchange_async")));
}

}  // namespace
