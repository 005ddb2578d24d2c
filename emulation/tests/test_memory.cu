// Mistakes in addresses: outside, misaligned, never written.

#include "faults.hpp"

using testing::HasSubstr;

namespace {

__global__ void copy_unchecked(const float* in, float* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];  // fault
}

TEST(memory, no_bounds_check) {
    const Memory<float> in(100, 1.0f);
    const Memory<float> out(100);
    copy_unchecked<<<4, 32>>>(in, out);
    EXPECT_FAULT(HasSubstr("out of bounds: a 4-byte load of global memory"),
                 HasSubstr("thread (4,0,0) of block (3,0,0)"),
                 HasSubstr("1 bytes past the end of 400 bytes from cudaMalloc"),
                 HasSubstr("kernel copy_unchecked"));
    copy_unchecked<<<1, 32>>>(in - 2, out);
    EXPECT_FAULT(HasSubstr("out of bounds: a 4-byte load of global memory"),
                 HasSubstr("8 bytes before the begin of 400 bytes from cudaMalloc"));
}

__global__ void blur_rows(const unsigned char* in, unsigned char* out, std::size_t pitch, int width,
                          int radius) {
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(blockIdx.x);
    int sum = 0;
    for (int i = -radius; i <= radius; ++i) {
        if (x + i < 0 || x + i > width) continue;
        sum += in[static_cast<std::size_t>(y) * pitch + static_cast<std::size_t>(x + i)];  // fault
    }
    out[static_cast<std::size_t>(y) * pitch + static_cast<std::size_t>(x)] =
        static_cast<unsigned char>(sum / (2 * radius + 1));
}

TEST(memory, halo_off_by_one_reads_padding) {
    const Image in(50, 8);
    const Image out(50, 8);
    blur_rows<<<8, 50>>>(in.data, out.data, in.pitch, in.width, 1);
    EXPECT_FAULT(HasSubstr("out of bounds: a 1-byte load"), HasSubstr("thread (49,0,0)"),
                 HasSubstr("1 bytes past its end, of an image of 8 rows of 50 bytes"));
}

__global__ void fill(unsigned char* out, std::size_t pitch, int rows) {
    for (int y = 0; y < rows; ++y) {
        out[static_cast<std::size_t>(y) * pitch + threadIdx.x] = 1;  // fault
    }
}

TEST(memory, store_to_padding) {
    const Image out(50, 8);
    fill<<<1, 64>>>(out.data, out.pitch, out.height);
    EXPECT_FAULT(HasSubstr("1-byte store"), HasSubstr("row 0, 1 bytes past its end"),
                 HasSubstr("no test that the thread's pixel"));
}

TEST(memory, step_of_the_width) {
    const Image out(50, 8);
    fill<<<1, 50>>>(out.data, 50, out.height);
    EXPECT_FAULT(HasSubstr("1-byte store"), HasSubstr("row 0, 1 bytes past its end"),
                 HasSubstr("the step from one row to the next is the width"));
}

TEST(memory, row_that_does_not_exist) {
    const Image out(50, 8);
    fill<<<1, 50>>>(out.data, out.pitch, 9);
    EXPECT_FAULT(HasSubstr("row 8, which does not exist"));
}

__global__ void copy_wide(const unsigned char* in, unsigned char* out) {
    const uint2 pixels = reinterpret_cast<const uint2*>(in)[threadIdx.x];  // may end in padding
    reinterpret_cast<uint2*>(out)[threadIdx.x] = pixels;                   // fault
}

TEST(memory, wide_store_that_ends_in_padding) {
    const Image in(52, 8);
    const Image out(52, 8);
    copy_wide<<<1, 6>>>(in.data, out.data);
    EXPECT_EQ(last_message(), "");
    copy_wide<<<1, 7>>>(in.data, out.data);
    EXPECT_FAULT(HasSubstr("out of bounds: a 8-byte store"), HasSubstr("thread (6,0,0)"),
                 HasSubstr("row 0, 1 bytes past its end"));
}

__global__ void copy_words(const unsigned char* in, uint2* out, int first) {
    out[threadIdx.x] = reinterpret_cast<const uint2*>(in + first)[threadIdx.x];  // fault
}

TEST(memory, misaligned) {
    const Memory<unsigned char> in(300, 1);
    const Memory<uint2> out(32);
    copy_words<<<1, 32>>>(in, out, 4);
    EXPECT_FAULT(HasSubstr("misaligned access as 'const struct uint2'"), HasSubstr("multiple of 8"),
                 HasSubstr("byte 4 of 300 bytes"));
}

__global__ void count_levels(const unsigned char* in, unsigned* histogram) {
    atomicAdd(&histogram[in[threadIdx.x]], 1u);  // fault
}

TEST(memory, histogram_not_set_to_zero) {
    const Memory<unsigned char> in(64, 3);
    const Memory<unsigned> histogram(256);
    count_levels<<<1, 64>>>(in, histogram);
    EXPECT_FAULT(HasSubstr("memory never written is read"), HasSubstr("byte 12 of 1024 bytes"));
}

__global__ void sum_tile(const float* in, float* out) {
    __shared__ float tile[64];
    if (threadIdx.x < 63) tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 64; ++i) sum += tile[i];  // fault
    out[threadIdx.x] = sum;
}

TEST(memory, tile_not_filled) {
    const Memory<float> in(64, 1.0f);
    const Memory<float> out(64);
    sum_tile<<<1, 64>>>(in, out);
    EXPECT_FAULT(HasSubstr("memory never written is read: a 4-byte load of shared memory"),
                 HasSubstr("at tile[63]"));
}

__global__ void reverse(int* values) {
    extern __shared__ int tile[];
    tile[threadIdx.x] = values[threadIdx.x];  // fault
    __syncthreads();
    values[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

TEST(memory, too_little_dynamic_shared_memory) {
    const Memory<int> values(64, 1);
    reverse<<<1, 64, 60 * sizeof(int)>>>(values);
    EXPECT_FAULT(HasSubstr("out of bounds: a 4-byte store of shared memory"),
                 HasSubstr("tile[60], where the array has 60 elements"),
                 HasSubstr("thread (60,0,0)"));
    reverse<<<1, 64>>>(values);
    EXPECT_FAULT(HasSubstr("tile[0], where the array has 0 elements"),
                 HasSubstr("gives fewer bytes of dynamic shared memory, 0, than"));
}

__global__ void blur_tile(const float* in, float* out, int halo) {
    __shared__ float tile[64];
    const int x = static_cast<int>(threadIdx.x);
    tile[x] = in[x];
    __syncthreads();
    const float* left = tile - halo;
    out[x] = left[x] + tile[x];  // fault
}

TEST(memory, negative_index_of_a_tile) {
    const Memory<float> in(64, 1.0f);
    const Memory<float> out(64);
    for (const int blocks : {1, 3}) {
        blur_tile<<<blocks, 64>>>(in, out, 5);
        EXPECT_FAULT(HasSubstr("out of bounds: a 4-byte load of shared memory"),
                     HasSubstr("tile[-5], before the array, in shared memory"),
                     HasSubstr("the width of the halo is not added"));
    }
}

TEST(memory, index_past_the_end_of_a_tile) {
    const Memory<float> in(64, 1.0f);
    const Memory<float> out(64);
    blur_tile<<<1, 64>>>(in, out, -2);
    EXPECT_FAULT(HasSubstr("out of bounds: a 4-byte load of shared memory"),
                 HasSubstr("tile[64], where the array has 64 elements"),
                 HasSubstr("thread (62,0,0)"));
}

__global__ void transpose(const float* in, float* out) {
    __shared__ float tile[16][16];
    const int x = static_cast<int>(threadIdx.x);
    for (int y = 0; y <= 16; ++y) tile[y][x] = in[16 * y + x];  // fault
    __syncthreads();
    for (int y = 0; y < 16; ++y) out[16 * y + x] = tile[x][y];
}

TEST(memory, row_of_a_tile_that_does_not_exist) {
    const Memory<float> in(300, 1.0f);
    const Memory<float> out(300);
    transpose<<<1, 16>>>(in, out);
    EXPECT_FAULT(HasSubstr("out of bounds"), HasSubstr("kernel transpose"));
}

/// Thread i adds up part i of the array, and begins at its element i.
__global__ void add_parts(unsigned* sums, bool wraps) {
    constexpr unsigned n = 8;
    __shared__ unsigned counts[n * n];
    const unsigned thread = threadIdx.x;
    for (unsigned i = thread; i < n * n; i += n) counts[i] = 1;
    __syncthreads();
    unsigned sum = 0;
    for (unsigned i = 0; i < n; ++i) {
        sum += counts[thread * n + (wraps ? (i + thread) % n : i + thread % n)];  // fault
    }
    sums[thread] = sum;
}

TEST(memory, rotation_that_does_not_wrap) {
    const Memory<unsigned> sums(8);
    add_parts<<<1, 8>>>(sums, true);
    EXPECT_EQ(last_message(), "");
    add_parts<<<1, 8>>>(sums, false);
    EXPECT_FAULT(HasSubstr("out of bounds: index 64 of an array"),
                 HasSubstr("the index has to begin again"));
}

__global__ void scale(const float* in, float* out, std::size_t pitch, int width) {
    const int x = static_cast<int>(threadIdx.x);
    const std::size_t at = blockIdx.x * pitch + static_cast<std::size_t>(x);
    if (x < width) out[at] = 2 * in[at];  // fault
}

TEST(memory, pitch_in_bytes_for_a_pointer_to_floats) {
    const Memory<float> in(128 * 8, 1.0f);
    const Memory<float> out(128 * 8);
    scale<<<3, 100>>>(in, out, 128 * sizeof(float), 100);
    EXPECT_FAULT(HasSubstr("out of bounds: a 4-byte load"), HasSubstr("block (2,0,0)"));
}

TEST(memory, input_never_copied_to_the_gpu) {
    const Memory<float> in(100);
    const Memory<float> out(100);
    scale<<<1, 100>>>(in, out, 0, 100);
    EXPECT_FAULT(HasSubstr("memory never written is read"), HasSubstr("byte 0 of 400 bytes"));
}

TEST(memory, null_pointer) {
    const Memory<float> out(100);
    scale<<<1, 100>>>(static_cast<const float*>(nullptr), out, 0, 100);
    EXPECT_FAULT(HasSubstr("illegal address 0x0"), HasSubstr("kernel scale"));
}

TEST(memory, host_reads_gpu_memory) {
    const Memory<float> values(4, 1.0f);
    const volatile float* data = values;
    EXPECT_EQ(data[0], 1.0f);
    EXPECT_THAT(last_message(), HasSubstr("4-byte load of GPU memory by code of the CPU"));
}

struct Four {
    int values[4];
};

__global__ void take_first(Four four, int* out) {
    *out = four.values[0];
}

TEST(memory, argument_of_a_launch_is_in_gpu_memory) {
    const Memory<int> in(4, 7);
    const Memory<int> out(1);
    const int* values = in;
    take_first<<<1, 1>>>(*reinterpret_cast<const Four*>(values), out);
    EXPECT_THAT(last_message(), HasSubstr("of GPU memory by code of the CPU"));
}

__global__ void fill_one(int* values) {
    values[threadIdx.x] = 1;  // fault
}

TEST(memory, freed) {
    int* values = nullptr;
    cudaMalloc(&values, 64 * sizeof(int));
    cudaFree(values);
    fill_one<<<1, 32>>>(values);
    EXPECT_FAULT(HasSubstr("memory that has been freed"));
}

TEST(memory, launch_over_the_limits) {
    const Memory<int> values(64, 1);
    fill_one<<<1, 1025>>>(values);
    EXPECT_THAT(last_message(), HasSubstr("a block of 1025x1x1 threads"));
    fill_one<<<dim3(1, 70000), 1>>>(values);
    EXPECT_THAT(last_message(), HasSubstr("a grid of 1x70000x1 blocks"));
    reverse<<<1, 64, 50000>>>(static_cast<int*>(values));
    EXPECT_THAT(last_message(), HasSubstr("50000 bytes of dynamic shared memory"));
}

/// The message of a texture of such an image, or "".
std::string message_of_texture(void* data, std::size_t pitch) {
    cudaResourceDesc image{cudaResourceTypePitch2D, {}};
    image.res.pitch2D = {data, cudaCreateChannelDesc<unsigned char>(), 20, 8, pitch};
    const cudaTextureDesc sampling{{cudaAddressModeClamp, cudaAddressModeClamp},
                                   cudaFilterModePoint,
                                   cudaReadModeNormalizedFloat};
    cudaTextureObject_t texture = 0;
    const cudaError_t error = cudaCreateTextureObject(&texture, &image, &sampling, nullptr);
    if (error == cudaSuccess) cudaDestroyTextureObject(texture);
    EXPECT_EQ(error, cudaPeekAtLastError());
    return last_message();
}

TEST(memory, texture_that_is_not_aligned) {
    cudaDeviceProp properties{};
    cudaGetDeviceProperties(&properties, 0);
    const std::size_t pitch = properties.texturePitchAlignment;
    const Memory<unsigned char> image(2048, 1);
    EXPECT_EQ(message_of_texture(image, pitch), "");
    EXPECT_EQ(message_of_texture(image + properties.textureAlignment, 2 * pitch), "");
    EXPECT_THAT(message_of_texture(image, 20),
                HasSubstr("a pitch of 20 bytes is no multiple of 32"));
    EXPECT_THAT(message_of_texture(image + pitch, pitch),
                HasSubstr("the image begins 32 bytes past a multiple of 512"));
}

}  // namespace
