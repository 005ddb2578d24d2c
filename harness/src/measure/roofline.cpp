// The rate of multiply-adds of a CPU, and the rate of a copy.

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "common/clock.hpp"
#include "common/error.hpp"
#include "harness/device.hpp"
#include "harness/roofline.hpp"

namespace harness {

using namespace common;
namespace {

constexpr int repeats = 10;
constexpr int steps = 2'000'000;

using Float4 [[gnu::vector_size(16)]] = float;
using Float8 [[gnu::vector_size(32)]] = float;
using Float16 [[gnu::vector_size(64)]] = float;

/// Chains of dependent multiply-adds: enough for latency times units, and few enough for the
/// registers.
constexpr int chains = 12;

/// Returns a value that depends on all chains, so that they are not optimised away.
template <class Vector>
[[gnu::always_inline]] inline float multiply_add(float factor) {
    Vector values[chains];
    for (int c = 0; c < chains; ++c) values[c] = Vector{} + static_cast<float>(c);
    for (int step = 0; step < steps; ++step) {
#pragma GCC unroll 12
        for (int c = 0; c < chains; ++c) values[c] = values[c] * factor + 1.0f;
    }
    float sum = 0;
    for (const Vector& value : values) sum += value[0];
    return sum;
}

float with_sse(float factor) {
    return multiply_add<Float4>(factor);
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] float with_avx2(float factor) {
    return multiply_add<Float8>(factor);
}
[[gnu::target("avx512f")]] float with_avx512(float factor) {
    return multiply_add<Float16>(factor);
}
#endif

/// A function and the length of its vectors.
struct Method {
    float (*run)(float factor);
    int length;
};

Method widest() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return {with_avx512, 16};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return {with_avx2, 8};
    }
#endif
    return {with_sse, 4};
}

/// Every thread runs its chains once. Returns the time in ms.
double chains_ms(const Method& method, int threads) {
    std::vector<float> results(static_cast<std::size_t>(threads));
    const auto start = std::chrono::steady_clock::now();
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int thread = 0; thread < threads; ++thread) {
        results[static_cast<std::size_t>(thread)] = method.run(0.5f);
    }
    const double ms = ms_since(start);
    // All chains converge to 2; any other value means that they were not computed.
    const float sum = std::accumulate(results.begin(), results.end(), 0.0f);
    if (sum != 2.0f * chains * static_cast<float>(threads)) {
        throw Failed("the multiply-adds that measure the CPU gave a wrong value");
    }
    return ms;
}

/// The bytes of a copy.
struct Buffers {
    std::vector<unsigned char> from;
    std::vector<unsigned char> to;
};

}  // namespace

std::function<double()> host_copy(std::size_t bytes, int threads) {
    const std::size_t half = std::max<std::size_t>(bytes / 2, 1);
    const auto buffers = std::make_shared<Buffers>(
        Buffers{std::vector<unsigned char>(half, 1), std::vector<unsigned char>(half, 2)});
    return [=] {
        const auto cut = [=](int part) {
            return half * static_cast<std::size_t>(part) / static_cast<std::size_t>(threads);
        };
        const auto start = std::chrono::steady_clock::now();
#pragma omp parallel for num_threads(threads) schedule(static)
        for (int part = 0; part < threads; ++part) {
            std::memcpy(buffers->to.data() + cut(part), buffers->from.data() + cut(part),
                        cut(part + 1) - cut(part));
        }
        return ms_since(start);
    };
}

void repeat_briefly(const std::function<double()>& call) {
    constexpr double enough_ms = 2;
    constexpr int most_calls = 20;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < most_calls && ms_since(start) <= enough_ms; ++i) call();
}

Statistics host_fma_gflop_per_s(int threads) {
    const Method method = widest();
    const double operations = 2.0 * steps * chains * method.length * threads;
    chains_ms(method, threads);  // starts the threads
    std::vector<double> rates;
    for (int i = 0; i < repeats; ++i) {
        rates.push_back(operations / chains_ms(method, threads) / 1e6);
    }
    return statistics(rates);
}

Statistics copy_gb_per_s(std::size_t bytes, bool on_device, int threads) {
    const auto copy = on_device ? device_copy(bytes) : host_copy(bytes, threads);
    repeat_briefly(copy);
    std::vector<double> rates;
    for (int i = 0; i < repeats; ++i) {
        rates.push_back(static_cast<double>(bytes) / copy() / 1e6);
    }
    return statistics(rates);
}

}  // namespace harness
