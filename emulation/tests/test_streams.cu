// The order of kernels and copies in several streams, and pointers to memory that was freed.

#include <array>

#include "faults.hpp"

extern "C" void emulation_host_uses(const void* data, std::size_t bytes, bool is_write);

using testing::AllOf;
using testing::HasSubstr;

namespace {

struct Streams {
    std::array<cudaStream_t, 2> of{};
    cudaEvent_t event{};

    Streams() {
        for (cudaStream_t& stream : of) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        cudaEventCreate(&event);
    }
    ~Streams() {
        for (cudaStream_t stream : of) cudaStreamDestroy(stream);
        cudaEventDestroy(event);
    }
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;
};

__global__ void write(int* values) {
    values[threadIdx.x] = 1;
}

__global__ void add(const int* from, int* to) {
    to[threadIdx.x] = from[threadIdx.x] + 1;  // fault
}

__global__ void count(int* counts) {
    atomicAdd(&counts[threadIdx.x % 4], 1);
}

TEST(streams, kernel_reads_what_one_in_another_stream_writes) {
    const Streams streams;
    const Memory<int> from(32), to(32);
    write<<<1, 32, 0, streams.of[0]>>>(from);  // fault
    add<<<1, 32, 0, streams.of[1]>>>(from, to);
    EXPECT_FAULT(HasSubstr("race between streams: a 4-byte load"), HasSubstr("kernel add"),
                 HasSubstr("written by the launch in test_streams.cu:"),
                 HasSubstr("cudaStreamWaitEvent"));
}

TEST(streams, kernel_writes_what_one_in_another_stream_reads) {
    const Streams streams;
    const Memory<int> from(32, 1), to(32), last(32, 1);
    add<<<1, 32, 0, streams.of[0]>>>(from, to);  // fault
    add<<<1, 32, 0, streams.of[1]>>>(last, from);
    EXPECT_FAULT(HasSubstr("race between streams: a 4-byte store"),
                 HasSubstr("read by the launch"));
}

TEST(streams, copies_and_kernels_in_different_streams) {
    const Streams streams;
    const Memory<int> from(32, 1), to(32);
    int host[32] = {};
    cudaMemcpyAsync(from, host, sizeof host, cudaMemcpyHostToDevice, streams.of[0]);
    add<<<1, 32, 0, streams.of[1]>>>(from, to);
    EXPECT_THAT(last_message(), HasSubstr("written by a copy, in another stream"));
    cudaDeviceSynchronize();
    add<<<1, 32, 0, streams.of[0]>>>(from, to);
    cudaMemcpyAsync(host, to, sizeof host, cudaMemcpyDeviceToHost, streams.of[1]);
    EXPECT_THAT(last_message(),
                AllOf(HasSubstr("race between streams: a copy reads"), HasSubstr("written by")));
    cudaDeviceSynchronize();
    cudaMemsetAsync(from, 0, sizeof host);  // in the default stream, for which these do not wait
    add<<<1, 32, 0, streams.of[0]>>>(from, to);
    EXPECT_THAT(last_message(), HasSubstr("written by a memset, in another stream"));
}

TEST(streams, page_locked_memory_of_a_copy) {
    const Streams streams;
    const auto [one, two] = streams.of;
    const Memory<int> on_gpu(32, 1);
    constexpr std::size_t bytes = 32 * sizeof(int);
    int* host = nullptr;
    cudaMallocHost(&host, bytes);
    const auto copy_to_host = [&] {
        cudaMemcpyAsync(host, on_gpu, bytes, cudaMemcpyDeviceToHost, one);
    };
    const auto copy_to_gpu = [&] {
        cudaMemcpyAsync(on_gpu, host, bytes, cudaMemcpyHostToDevice, one);
    };
    host[3] = 0;
    copy_to_host();
    cudaStreamSynchronize(two);  // of another stream
    volatile int seen = host[3];
    EXPECT_THAT(last_message(), HasSubstr("a 4-byte load by code of the CPU in page-locked memory "
                                          "that cudaMemcpyAsync writes meanwhile"));
    cudaStreamSynchronize(one);
    seen = host[3];
    EXPECT_EQ(seen, 1);
    copy_to_gpu();
    seen = host[3];  // both read
    EXPECT_EQ(last_message(), "");
    host[3] = 2;
    EXPECT_THAT(last_message(), HasSubstr("a 4-byte store by code of the CPU in page-locked memory "
                                          "that cudaMemcpyAsync reads meanwhile"));
    cudaDeviceSynchronize();
    copy_to_host();
    cudaLaunchHostFunc(
        one, [](void* data) { static_cast<int*>(data)[3] = 4; }, host);
    cudaEventRecord(streams.event, one);
    cudaEventSynchronize(streams.event);
    EXPECT_EQ(host[3], 4);
    int pageable[32] = {};
    cudaMemcpyAsync(pageable, on_gpu, bytes, cudaMemcpyDeviceToHost, one);  // waits for the copy
    EXPECT_EQ(pageable[0], 1);
    cudaFreeHost(host);
    EXPECT_EQ(last_message(), "");
}

TEST(streams, page_locked_memory_that_mpi_uses) {
    const Streams streams;
    const cudaStream_t stream = streams.of[0];
    const Memory<int> on_gpu(32, 1);
    constexpr std::size_t bytes = 32 * sizeof(int);
    int* host = nullptr;
    cudaMallocHost(&host, 2 * bytes);
    cudaMemcpyAsync(host, on_gpu, bytes, cudaMemcpyDeviceToHost, stream);
    emulation_host_uses(host, bytes, false);
    EXPECT_THAT(last_message(), AllOf(HasSubstr("a 128-byte load by MPI in page-locked memory that "
                                                "cudaMemcpyAsync writes meanwhile"),
                                      HasSubstr("cudaStreamSynchronize")));
    emulation_host_uses(host + 32, bytes, true);  // beside the copy
    emulation_host_uses(on_gpu, bytes, true);     // as in nccl.h
    emulation_host_uses(nullptr, bytes, true);
    EXPECT_EQ(last_message(), "");
    cudaStreamSynchronize(stream);
    emulation_host_uses(host, bytes, true);
    cudaMemcpyAsync(on_gpu, host, bytes, cudaMemcpyHostToDevice, stream);
    emulation_host_uses(host, bytes, false);  // both read
    EXPECT_EQ(last_message(), "");
    emulation_host_uses(host, bytes, true);
    EXPECT_THAT(last_message(), HasSubstr("a 128-byte store by MPI in page-locked memory that "
                                          "cudaMemcpyAsync reads meanwhile"));
    cudaFreeHost(host);
}

TEST(streams, in_order) {
    const Streams streams;
    const auto [one, two] = streams.of;
    const Memory<int> from(32), to(32), other(32, 1);
    write<<<1, 32, 0, one>>>(from);
    cudaEventRecord(streams.event, one);
    cudaStreamWaitEvent(two, streams.event);
    add<<<1, 32, 0, two>>>(from, to);
    add<<<1, 32, 0, one>>>(from, other);  // both read
    cudaStreamSynchronize(two);
    add<<<1, 32, 0, one>>>(to, other);
    cudaEventRecord(streams.event, one);
    cudaEventSynchronize(streams.event);
    write<<<1, 32, 0, two>>>(other);
    EXPECT_EQ(to.at(5), 2);  // cudaMemcpy, after all of that
    EXPECT_EQ(last_message(), "");
}

/// The event was recorded before the kernel.
TEST(streams, event_that_is_too_early) {
    const Streams streams;
    const Memory<int> from(32), to(32);
    cudaEventRecord(streams.event, streams.of[0]);
    write<<<1, 32, 0, streams.of[0]>>>(from);  // fault
    cudaStreamWaitEvent(streams.of[1], streams.event);
    add<<<1, 32, 0, streams.of[1]>>>(from, to);
    EXPECT_FAULT(HasSubstr("race between streams"));
}

TEST(streams, atomic_additions_from_two_streams) {
    const Streams streams;
    const Memory<int> counts(4, 0);
    for (const cudaStream_t stream : streams.of) count<<<1, 32, 0, stream>>>(counts);
    EXPECT_EQ(last_message(), "");
}

TEST(streams, ordinary_streams_wait_for_the_default_stream) {
    cudaStream_t stream = nullptr;
    cudaStreamCreate(&stream);
    const Memory<int> from(32), to(32);
    write<<<1, 32, 0, stream>>>(from);
    cudaMemsetAsync(from, 0, 32 * sizeof(int));
    add<<<1, 32, 0, stream>>>(from, to);
    EXPECT_EQ(last_message(), "");
    cudaStreamDestroy(stream);
}

TEST(streams, memory_that_was_freed) {
    const Memory<int> to(32);
    int* old = nullptr;
    int* larger = nullptr;
    cudaMalloc(&old, 128);
    cudaFree(old);
    cudaMalloc(&larger, 256);
    write<<<1, 32>>>(larger);
    add<<<1, 32>>>(old, to);
    EXPECT_FAULT(HasSubstr("memory that has been freed"), HasSubstr("in one slot"));
    const int value = 1;
    cudaMemcpy(larger, &value, sizeof value, cudaMemcpyHostToDevice);
    add<<<1, 32>>>(old, to);
    EXPECT_FAULT(HasSubstr("memory that has been freed"), HasSubstr("of an earlier call"));
    cudaFree(larger);
}

__global__ void fill(unsigned char* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = 1;  // fault
}

TEST(streams, rows_without_pitch) {
    const Image image(20, 12);
    fill<<<dim3(2, 2), dim3(16, 8)>>>(image.data, image.width, image.height);
    EXPECT_FAULT(HasSubstr("rows are addressed as if they had no padding"));
}

__global__ void reverse(const int* from, int* to) {
    const auto i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[gridDim.x * blockDim.x - 1 - i];  // fault
}

TEST(streams, input_and_output_are_the_same_memory) {
    const Memory<int> values(64, 1);
    reverse<<<2, 32>>>(values, values);
    EXPECT_FAULT(HasSubstr("race between blocks"),
                 HasSubstr("two arguments of the launch are the same address"));
}

}  // namespace
