// Mistakes in the arguments and the configuration of a launch, and loops that do not end.

#include <memory>

#include "faults.hpp"

using testing::HasSubstr;

namespace {

__global__ void read_weight(const float* weights, float* out) {
    out[threadIdx.x] = weights[0];  // fault
}

TEST(launches, pointer_to_a_variable_of_the_cpu) {
    const Memory<float> out(32);
    const auto weight = std::make_unique<float>(1.0f);
    read_weight<<<1, 32>>>(weight.get(), out);
    EXPECT_FAULT(HasSubstr("memory of the CPU: a 4-byte load"), HasSubstr("kernel read_weight"),
                 HasSubstr("&options.mask"));
}

__global__ void write_result(float* out) {
    out[threadIdx.x] = 1;  // fault
}

TEST(launches, pointer_to_a_variable_on_the_stack_of_the_cpu) {
    float values[32] = {};
    float* const result = values;
    write_result<<<1, 32>>>(result);
    EXPECT_FAULT(HasSubstr("memory of the CPU: a 4-byte store"));
}

struct Weights {
    float values[9];
};
__constant__ Weights constants;
constexpr float table[] = {1, 2, 3};

__global__ void use_constants(const Weights weights, float* out) {
    out[threadIdx.x] = weights.values[threadIdx.x % 9] + constants.values[threadIdx.x % 9] +
                       table[threadIdx.x % 3];
}

TEST(launches, arguments_and_constants_are_no_memory_of_the_cpu) {
    const Memory<float> out(32);
    use_constants<<<1, 32>>>(Weights{{5, 5, 5, 5, 5, 5, 5, 5, 5}}, out);
    EXPECT_EQ(last_message(), "");
    EXPECT_EQ(out.at(2), 8);
}

struct View {
    float* data;
    std::size_t width;
    float factor = 1;
};
struct Pair {
    int first;
    View second;
};

template <class T, class... More>
__global__ void fill(T value, View view, int sign, Pair pair, More... more) {
    const int sum = sign + pair.first + (more + ... + 0);
    view.data[threadIdx.x] = static_cast<float>(value) * view.factor + static_cast<float>(sum);
    if (threadIdx.x == view.width) pair.second.data[threadIdx.x] = pair.second.factor;
}

struct Owner {
    float* data;
    std::size_t width;
    void fill_own() const { fill<<<{1, 1}, {32}>>>(1, {data, width, 5}, 0, {}); }
};

template <int A, int B>
constexpr int sum = A + B;

/// All that an argument list may have in it, in one line or in several.
TEST(launches, argument_lists) {
    const Memory<float> memory(32);
    float* const out = memory;
    const short width = 31;
    int calls = 0;
    const auto next = [&] { return ++calls; };
    const auto less = [](int a, int b) { return a < b ? 7.f : 8.f; };
    fill<<<1, 32>>>(1.5f, {out, width, 2}, ")}'" [0], {
        next(), {
            .data = out, .width = 0, .factor = -1
        }
    });
    EXPECT_EQ(last_message(), "");
    EXPECT_EQ(memory.at(0), 3 + ')' + 1);
    EXPECT_EQ(memory.at(31), -1);
    EXPECT_EQ(calls, 1);
    fill<float><<<dim3(1, 1), sum<(8 > 4), 31>>>>(
        width,
        {out,  // a comment, with a brace: {
         static_cast<std::size_t>(width),
         {}},
        R"x()", {>>>)x" [0],
        {
            sum<1, 2>, {
                out, {}, less(1, 2)
            }
        },
        width<2, width> 1, std::pair<int, int>{5, 6}.second, sum<3, 4>);
    EXPECT_EQ(last_message(), "");
    EXPECT_EQ(memory.at(0), ')' + 3 + 0 + 1 + 6 + 7);
    EXPECT_EQ(memory.at(31), 7);
    Owner{out, 40}.fill_own();
    EXPECT_EQ(memory.at(31), 5);
    fill<<<1, 1'0>>>(
        L'(' == 40, View{out, {}, 4}, "\"(" [0], Pair {
            2, {
                out, 40
            }
        });
    EXPECT_EQ(memory.at(9), 4 + '"' + 2);
}

TEST(launches, on_the_default_stream_beside_another_one) {
    const Memory<float> out(32);
    cudaStream_t stream = nullptr;
    cudaStreamCreate(&stream);
    write_result<<<1, 32, 0, stream>>>(out);
    EXPECT_EQ(last_message(), "");
    write_result<<<1, 32>>>(out);  // fault
    EXPECT_FAULT(HasSubstr("a launch on the default stream"));
    cudaStreamDestroy(stream);
    write_result<<<1, 32>>>(out);
    EXPECT_EQ(last_message(), "");
}

TEST(launches, over_the_limits_name_their_line) {
    const Memory<float> out(32);
    write_result<<<1, dim3(32, 32, 3)>>>(out);  // fault
    EXPECT_FAULT(HasSubstr("a block of 32x32x3 threads"));
}

__global__ void count_to(int* out, int end) {
    volatile int i = 0;
    while (i < end) {
        out[threadIdx.x] = i;
    }
}

TEST(launches, loop_that_does_not_end) {
    const Memory<int> out(64);
    count_to<<<1, 64>>>(out, 3);
    const std::string message = last_message();
    EXPECT_THAT(
        message,
        testing::AllOf(HasSubstr("a loop that does not end"), HasSubstr("test_launches.cu:"),
                       HasSubstr("kernel count_to"), HasSubstr("thread (0,0,0) of block (0,0,0)")));
}

__global__ void convert(const float* in, int* out) {
    out[0] = __float2int_rn(in[0]);
    out[1] = __float2int_rz(in[0]);
    out[2] = __float2int_ru(in[0]);
    out[3] = __float2int_rd(in[0]);
    out[4] = __float2int_rz(in[0] * 1e20f);
    out[5] = static_cast<int>(__brev(1u) >> 31);
}

TEST(launches, conversions) {
    const Memory<float> in(1, -2.5f);
    const Memory<int> out(6, 0);
    convert<<<1, 1>>>(in, out);
    EXPECT_EQ(last_message(), "");
    const int expected[] = {-2, -2, -2, -3, -2147483648, 1};
    for (int i = 0; i < 6; ++i) EXPECT_EQ(out.at(i), expected[i]) << i;
}

}  // namespace
