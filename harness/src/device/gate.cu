#include "device/gate.hpp"

#include "common/cuda.cuh"

namespace harness {

using namespace common;

static __device__ unsigned long long now_ns() {
    unsigned long long ns = 0;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ns));
    return ns;
}

static __global__ void wait_for(const volatile int* open, unsigned long long most_ns) {
    const unsigned long long start = now_ns();
    while (*open == 0 && now_ns() - start < most_ns) {
    }
}

Gate::Gate() {
    check(cudaMallocHost(&open_, sizeof *open_));
}

Gate::~Gate() {
    cudaFreeHost(open_);
}

void Gate::close(cudaStream_t stream) {
    *open_ = 0;
    wait_for<<<1, 1, 0, stream>>>(open_, 5'000'000);
    check_launch();
}

void Gate::open() {
    *static_cast<volatile int*>(open_) = 1;
}

}  // namespace harness
