// The rate of multiply-adds of a GPU: the roof of arithmetic in its roofline.

#include <vector>

#include "common/cuda.cuh"
#include "common/scratch.hpp"
#include "device/stream.hpp"
#include "harness/device.hpp"
#include "harness/roofline.hpp"

namespace harness {

using namespace common;

constexpr int steps = 4096;
constexpr int chains = 8;  // of dependent multiply-adds per thread, to have enough under way

static __global__ void multiply_add(float* results, float factor) {
    float values[chains];
    for (int c = 0; c < chains; ++c) values[c] = c;
    for (int step = 0; step < steps; ++step) {
        for (int c = 0; c < chains; ++c) values[c] = fmaf(values[c], factor, 1.0f);
    }
    float sum = 0;
    for (const float value : values) sum += value;
    results[blockIdx.x * blockDim.x + threadIdx.x] = sum;  // so that nothing is optimised away
}

Statistics device_fma_gflop_per_s() {
    constexpr int threads = 256;
    constexpr int repeats = 10;
    const int blocks = 32 * device_facts().multiprocessors;
    Scratch scratch;
    const std::size_t values = blocks * threads;
    auto* results = static_cast<float*>(scratch.get(0, values * sizeof(float)));
    const Event start;
    const Event stop;
    const double operations = 2.0 * steps * chains * values;
    std::vector<double> rates;
    for (int repeat = 0; repeat <= repeats; ++repeat) {
        start.record(nullptr);
        multiply_add<<<blocks, threads>>>(results, 0.5f);
        check_launch();
        stop.record(nullptr);
        check(cudaDeviceSynchronize());
        if (repeat > 0) rates.push_back(operations / stop.ms_since(start) / 1e6);
    }
    return statistics(rates);
}

}  // namespace harness
