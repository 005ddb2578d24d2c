// Variables that are declared __device__ or __constant__, and those of the CPU.

#include <cstring>

#include "counted.hpp"
#include "faults.hpp"

using testing::HasSubstr;

int of_the_host[4] = {1, 2, 3, 4};

namespace {

__device__ int table[4] = {1, 2, 3, 4}, calls;
__device__ volatile unsigned char bytes[100];
static __constant__ float factor = 0.5f;
__device__ const int primes[] = {2, 3, 5};

__global__ void use(int* out) {
    __device__ static int offset = 10;
    out[threadIdx.x] =
        table[threadIdx.x] + static_cast<int>(factor * 8) + primes[threadIdx.x % 3] + offset;
    if (threadIdx.x == 0) ++calls;
}

TEST(variables, keep_their_values) {
    const Memory<int> out(4);
    use<<<1, 4>>>(out);
    use<<<1, 4>>>(out);
    EXPECT_EQ(last_message(), "");
    EXPECT_EQ(out.at(0), 1 + 4 + 2 + 10);
    EXPECT_EQ(out.at(3), 4 + 4 + 2 + 10);
    int count = 0;
    ASSERT_EQ(cudaMemcpyFromSymbol(&count, calls, sizeof count), cudaSuccess);
    EXPECT_EQ(count, 2);
    count = 5;
    ASSERT_EQ(cudaMemcpyToSymbol(calls, &count, sizeof count), cudaSuccess);
    use<<<1, 4>>>(out);
    ASSERT_EQ(cudaMemcpyFromSymbol(&count, calls, sizeof count), cudaSuccess);
    EXPECT_EQ(count, 6);
    EXPECT_EQ(cudaMemcpyFromSymbol(&count, calls, sizeof count, 1), cudaErrorInvalidValue);
}

__global__ void read_at(int* out, int i) {
    const int* all = table;
    out[0] = all[i];  // fault
}

TEST(variables, have_bounds) {
    const Memory<int> out(1);
    read_at<<<1, 1>>>(out, 4);
    EXPECT_FAULT(HasSubstr("out of bounds: a 4-byte load of global memory"),
                 HasSubstr("1 bytes past the end of the __device__ variable table"));
}

TEST(variables, have_an_address) {
    void* address = nullptr;
    ASSERT_EQ(cudaGetSymbolAddress(&address, table), cudaSuccess);
    int values[4] = {};
    cudaMemcpy(values, address, sizeof values, cudaMemcpyDeviceToHost);
    EXPECT_EQ(values[3], 4);
    EXPECT_NE(cudaFree(address), cudaSuccess);
    EXPECT_NE(last_message(), "");
}

__global__ void sum_up() {
    table[0] += static_cast<int>(blockIdx.x);  // fault
}

TEST(variables, race) {
    sum_up<<<8, 1>>>();
    EXPECT_FAULT(HasSubstr("race between blocks"), HasSubstr("the __device__ variable table"));
}

TEST(variables, are_counted) {
    const Memory<int> out(4);
    const emulation::Counting counting;
    use<<<1, 4>>>(out);
    std::uint64_t loads = 0;
    for (const auto& line : counting.kernels().at(0).lines) {
        if (line.operation == emulation::Operation::load) loads += line.counts.requests;
    }
    EXPECT_EQ(loads, 3u);  // table, offset, calls
}

TEST(variables, of_the_gpu_are_not_read_by_the_cpu) {
    const int sum = table[0] + table[1];
    EXPECT_THAT(last_message(), HasSubstr("GPU memory by code of the CPU")) << sum;
    const float half = factor;
    EXPECT_THAT(last_message(), HasSubstr("a __constant__ variable")) << half;
}

__global__ void write_constant() {
    factor = 2;  // fault
}

TEST(variables, constants_are_not_written) {
    write_constant<<<1, 1>>>();
    EXPECT_FAULT(HasSubstr("constant memory: a 4-byte store by a kernel"));
}

TEST(variables, constants_get_no_copy_of_gpu_memory) {
    const Memory<float> in(1, 1.0f);
    EXPECT_EQ(cudaMemcpyToSymbolAsync(factor, in, 4, 0, cudaMemcpyDeviceToDevice),
              cudaErrorNotSupported);
    EXPECT_THAT(last_message(), HasSubstr("__constant__"));
}

__global__ void read_of_the_host(int* out) {
    out[threadIdx.x] = of_the_host[threadIdx.x];  // fault
}

__global__ void keep_of_the_host(const int* in) {
    static int kept[4];
    kept[threadIdx.x] += in[kept[0]];  // fault
}

TEST(variables, of_the_cpu_are_not_used_by_kernels) {
    const Memory<int> data(4, 1);
    read_of_the_host<<<1, 4>>>(data);
    EXPECT_FAULT(HasSubstr("memory of the CPU: a 4-byte load"),
                 HasSubstr("of_the_host, a variable of the program that is not declared"));
    keep_of_the_host<<<1, 4>>>(data);
    EXPECT_FAULT(HasSubstr("memory of the CPU: a 4-byte load"), HasSubstr("kept, a variable"));
}

}  // namespace
