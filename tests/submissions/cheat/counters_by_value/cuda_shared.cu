// A struct in memory is passed by value, which the compiler's instrumentation does not see.

#include "parts/cuda_views_lab1.hpp"

using namespace convolution;

struct Value {
    std::uint8_t byte;
};

static __device__ float value_of(Value value) {
    return value.byte;
}

static __device__ float none_of(Value) {
    return 0;
}

static __device__ float load(Input in, int x, int y, int c) {
    using Function = float (*)(Value);
    const Function functions[] = {none_of, value_of, none_of, value_of};
    const auto* values = reinterpret_cast<const Value*>(in.row(y));
    return functions[in.channels](values[x * in.channels + c]);
}

#include "parts/kernel_lab1.hpp"

static const Register registered{mine_info, honest};
