// The rate of mma.sync.m16n8k32 (signed by unsigned bytes) alone, with independent sums in
// registers: what cuda_learned_mma cannot exceed.
//
//     nvcc -O3 -std=c++20 -arch=native learned/imma_peak.cu -o imma_peak && ./imma_peak

#include <algorithm>
#include <cstdio>

template <int Chains>
__global__ void multiply(int* out, int loops) {
    int sums[Chains][4] = {};
    const unsigned seed = threadIdx.x;
    const unsigned left[4] = {seed * 2654435761u, seed * 0x01fe3377u, seed ^ 0x12345678u,
                              seed * 77777u};
    const unsigned right[2] = {seed * 40503u, seed * 0x9e3779b9u};
    for (int i = 0; i < loops; ++i) {
#pragma unroll
        for (auto& s : sums) {
            asm volatile(
                "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 "
                "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
                : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]),
                  "r"(right[1]));
        }
    }
    int sum = 0;
    for (const auto& s : sums) sum += s[0] + s[1] + s[2] + s[3];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <int Chains>
void measure(int threads, int blocks_per_multiprocessor) {
    constexpr int loops = 4000;
    int multiprocessors = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    const int blocks = multiprocessors * blocks_per_multiprocessor;
    int* out = nullptr;
    cudaMalloc(&out, sizeof(int) * (blocks * threads));
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    float best = 1e9f;
    for (int repeat = 0; repeat < 5; ++repeat) {
        float ms = 0;
        cudaEventRecord(begin);
        multiply<Chains><<<blocks, threads>>>(out, loops);
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        cudaEventElapsedTime(&ms, begin, end);
        best = std::min(best, ms);
    }
    const double products = 1.0 * blocks * threads / 32 * loops * Chains;
    std::printf("chains %d threads %d x%d: %.0f TMAC/s (%s)\n", Chains, threads,
                blocks_per_multiprocessor, products * 4096 / best / 1e9,
                cudaGetErrorString(cudaGetLastError()));
    cudaFree(out);
}

int main() {
    measure<2>(256, 2);
    measure<2>(384, 2);
    measure<4>(256, 2);
    measure<8>(256, 2);
    measure<4>(512, 2);
}
