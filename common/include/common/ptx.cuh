#pragma once

// Instructions that CUDA C++ has no function for. (cuda::ptx has some of them, from CUDA 12.4 on;
// these build with 12.0.) Each has two bodies: PTX, and a call of the emulation, whose
// cuda_runtime.h declares it, in builds that run kernels on the CPU. Before compute capability 8.0,
// or 9.0 for clusters, they do nothing: who calls them has asked what the kernels are compiled for.

#include <cuda_runtime.h>

namespace common {

/// sums += left * right, by a whole warp: m16n8k32, signed bytes times unsigned bytes.
inline __device__ void multiply_add_s8_u8(int (&sums)[4], const unsigned (&left)[4],
                                          const unsigned (&right)[2]) {
#if defined(LABS_EMULATED)
    emulation::multiply_add_s8_u8({sums, left, right});
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]));
#endif
}

/// Two values as bytes, `low` in the lowest, below the 16 bits of `upper`; what is out of range is
/// clamped.
inline __device__ unsigned pack_u8([[maybe_unused]] int low, [[maybe_unused]] int high,
                                   [[maybe_unused]] unsigned upper = 0) {
    unsigned packed = 0;
#if defined(LABS_EMULATED)
    packed = emulation::pack_u8(low, high, upper);
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(packed) : "r"(high), "r"(low), "r"(upper));
#endif
    return packed;
}

/// Transposes a matrix of 8x8 16-bit values, by a whole warp: lane i has the values 2 * (i % 4) and
/// the next of row i / 4.
inline __device__ unsigned transpose_8x8([[maybe_unused]] unsigned two) {
    unsigned transposed = 0;
#if defined(LABS_EMULATED)
    transposed = emulation::transpose_8x8(two);
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
    asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(transposed) : "r"(two));
#endif
    return transposed;
}

/// Starts to copy 16 bytes from global to shared memory: `count` of them, and zeros. If `count` is
/// no compile-time constant, __pipeline_memcpy_async is a switch with a copy for each value of it.
inline __device__ void copy_16_async([[maybe_unused]] void* to, [[maybe_unused]] const void* from,
                                     [[maybe_unused]] int count) {
#if defined(LABS_EMULATED)
    emulation::copy_async(to, from, 16, count);
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(from), "r"(count)
                 : "memory");
#endif
}

/// A cluster's barrier_arrive() that puts no memory in order, which is faster. All threads of the
/// block call it together: CUDA's __cluster_barrier_arrive_relaxed() does not assume that, and
/// kernels with it have up to a quarter more instructions.
inline __device__ void cluster_arrive_relaxed() {
#if defined(LABS_EMULATED)
    emulation::group_arrive();
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.relaxed.aligned;");
#endif
}

/// Makes an mbarrier in shared memory, whose only phase completes when store_async() has brought
/// `bytes`. A whole warp calls it, before the cluster's barrier that tells that the blocks have
/// started.
inline __device__ void expect_bytes([[maybe_unused]] unsigned long long* mbarrier,
                                    [[maybe_unused]] int bytes) {
#if defined(LABS_EMULATED)
    emulation::expect_bytes(mbarrier, bytes);
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(mbarrier));
    const bool first = threadIdx.x % 32 == 0;
    if (first) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncwarp();
    if (first) {
        asm volatile(
            "mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64 _, [%0], %1;" ::"r"(address),
            "r"(bytes)
            : "memory");
    }
#endif
}

/// Starts to store 16 bytes in the shared memory of block `rank` of the cluster, where this block
/// has `to`, and counts them in that block's mbarrier.
inline __device__ void store_async([[maybe_unused]] void* to,
                                   [[maybe_unused]] unsigned long long* mbarrier,
                                   [[maybe_unused]] int rank, [[maybe_unused]] uint4 value) {
#if defined(LABS_EMULATED)
    emulation::store_async(to, mbarrier, rank, value);
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    const auto in_block = [rank](const void* own) {
        unsigned address;
        asm("mapa.shared::cluster.u32 %0, %1, %2;"
            : "=r"(address)
            : "r"(static_cast<unsigned>(__cvta_generic_to_shared(own))), "r"(rank));
        return address;
    };
    asm volatile(
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %4}, "
        "[%5];" ::"r"(in_block(to)),
        "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w), "r"(in_block(mbarrier))
        : "memory");
#endif
}

/// Waits until all bytes have arrived. This thread may read them then.
inline __device__ void wait_for_bytes([[maybe_unused]] unsigned long long* mbarrier) {
#if defined(LABS_EMULATED)
    emulation::wait_for_bytes(mbarrier);
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    unsigned complete = 0;
    while (complete == 0) {
        asm volatile(
            "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0;"
            " selp.u32 %0, 1, 0, p; }"
            : "=r"(complete)
            : "r"(static_cast<unsigned>(__cvta_generic_to_shared(mbarrier)))
            : "memory");
    }
#endif
}

}  // namespace common
