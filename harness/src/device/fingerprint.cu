#include "common/cuda.cuh"
#include "device/buffers.hpp"
#include "harness/random.hpp"
#include "measure/fingerprint.hpp"

namespace harness {

using namespace common;
namespace {

constexpr int block_size = 256;

/// A grid-stride loop over the words of all rows; each warp adds its sum with one atomic.
__global__ void hash_words(const unsigned char* data, std::size_t pitch, std::size_t row_bytes,
                           std::size_t rows, std::size_t first_row, unsigned long long* sum) {
    const std::size_t per_row = words_of(row_bytes);
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    unsigned long long mine = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < per_row * rows;
         i += stride) {
        const std::size_t column = 8 * (i % per_row);
        const unsigned char* at = data + i / per_row * pitch + column;
        std::uint64_t word = 0;
        if (column + 8 <= row_bytes) {
            word = *reinterpret_cast<const std::uint64_t*>(at);
        } else {
            for (std::size_t b = 0; column + b < row_bytes; ++b) {
                word |= static_cast<std::uint64_t>(at[b]) << (8 * b);
            }
        }
        mine += random_at(word, first_row * per_row + i);
    }
    for (int lanes = 16; lanes > 0; lanes /= 2) mine += __shfl_down_sync(~0u, mine, lanes);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

}  // namespace

std::uint64_t device_fingerprint(const UntypedRows& image, cudaStream_t stream, int first_row) {
    const Buffer sum(sizeof(unsigned long long));
    check(cudaMemsetAsync(sum.data(), 0, sum.bytes(), stream));
    hash_words<<<1024, block_size, 0, stream>>>(
        static_cast<const unsigned char*>(image.data), image.pitch, image.row_bytes(), image.height,
        first_row, static_cast<unsigned long long*>(sum.data()));
    check_launch();
    unsigned long long result = 0;
    check(cudaMemcpyAsync(&result, sum.data(), sizeof result, cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
    return result;
}

}  // namespace harness
