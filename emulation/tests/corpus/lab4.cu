// Lab 4, histogram equalization: kernels of the ladder with mistakes.

#include "corpus.hpp"

namespace corpus {
namespace {

using Count = unsigned;

constexpr int levels = 256;
constexpr int width = 91, height = 20;

enum Mistake {
    none,
    not_zeroed,
    no_first_barrier,
    no_second_barrier,
    no_atomic,
    no_last_level,
    no_global_atomic,
    global_not_zeroed,
    one_histogram,
    whole_words,
    packed_rows,
    no_barrier,
};

__device__ int thread_in_block() {
    return static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
}
__device__ int threads_in_block() {
    return static_cast<int>(blockDim.x * blockDim.y);
}

// --- histograms
// -----------------------------------------------------------------------------------

template <Mistake mistake>
__global__ void compute_histogram(DeviceView<const std::uint8_t> in, Count* histogram) {
    constexpr int bins = mistake == no_last_level ? levels - 1 : levels;
    __shared__ Count counts[bins];
    for (int i = thread_in_block(); i < bins; i += threads_in_block()) {
        // fault: histogram_no_first_barrier
        if (mistake != not_zeroed) counts[bins - 1 - i] = 0;
    }
    if (mistake != no_first_barrier) __syncthreads();
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x < in.width && y < in.height) {
        if (mistake == no_atomic) {
            // fault: histogram_no_atomic
            ++counts[in.at(x, y)];
        } else {
            // fault: histogram_not_zeroed, histogram_no_first_barrier, histogram_no_last_level
            // fault: histogram_no_second_barrier
            atomicAdd(&counts[in.at(x, y)], 1u);
        }
    }
    if (mistake != no_second_barrier) __syncthreads();
    for (int i = thread_in_block(); i < bins; i += threads_in_block()) {
        // fault: histogram_no_second_barrier
        const Count count = counts[i];
        if (mistake == no_global_atomic) {
            // fault: histogram_no_global_atomic
            histogram[i] += count;
        } else if (count > 0) {
            // fault: histogram_global_not_zeroed
            atomicAdd(&histogram[i], count);
        }
    }
}

template <Mistake mistake>
cudaError_t histogram() {
    const Image in(width, height);
    if (mistake == no_last_level) cudaMemset2D(in.data, in.pitch, 255, width, height);
    const Memory<Count> zeroed(levels, 0);
    const Memory<Count> fresh(levels);
    const dim3 block(16, 16), grid(6, 2);
    compute_histogram<mistake>
        <<<grid, block>>>(input(in), mistake == global_not_zeroed ? fresh : zeroed);
    return cudaGetLastError();
}

template <Mistake mistake>
__global__ void count_by_warps(DeviceView<const std::uint8_t> in, Count* histogram) {
    extern __shared__ Count counts[];  // one histogram after the other
    const int thread = thread_in_block();
    const int warps = threads_in_block() / 32;
    for (int i = thread; i < warps * levels; i += threads_in_block()) {
        // fault: warps_one_histogram
        counts[i] = 0;
    }
    __syncthreads();
    Count* mine = counts + thread / 32 * levels;
    atomicAdd(&mine[in.at(thread % in.width, 0)], 1u);
    __syncthreads();
    for (int level = thread; level < levels; level += threads_in_block()) {
        Count sum = 0;
        for (int warp = 0; warp < warps; ++warp) sum += counts[warp * levels + level];
        if (sum > 0) atomicAdd(&histogram[level], sum);
    }
}

template <Mistake mistake>
cudaError_t warp_histograms() {
    const Image in(width, height);
    const Memory<Count> histogram(levels, 0);
    constexpr std::size_t warps = mistake == one_histogram ? 1 : 4;
    count_by_warps<mistake><<<1, 128, warps * levels * sizeof(Count)>>>(input(in), histogram);
    return cudaGetLastError();
}

// --- the table
// ------------------------------------------------------------------------------------

template <Mistake mistake>
__global__ void make_table(const Count* histogram, std::uint8_t* table) {
    __shared__ Count cdf[levels];
    __shared__ Count cdf_min;
    const int level = static_cast<int>(threadIdx.x);
    const Count count = histogram[level];
    cdf[level] = count;
    for (int distance = 1; distance < levels; distance *= 2) {
        __syncthreads();  // all writes before any read
        // fault: scan_no_second_barrier
        const Count before = level >= distance ? cdf[level - distance] : 0;
        if (mistake != no_second_barrier) __syncthreads();  // all reads before any write
        // fault: scan_no_second_barrier
        cdf[level] += before;
    }
    // fault: table_no_barrier
    if (count > 0 && cdf[level] == count) cdf_min = count;
    if (mistake != no_barrier) __syncthreads();
    // fault: table_no_barrier
    table[level] = static_cast<std::uint8_t>(cdf[level] - cdf_min);
}

template <Mistake mistake>
cudaError_t table() {
    const Memory<Count> histogram(levels, 0);
    const Count one = 1;
    cudaMemcpy(histogram + 100, &one, sizeof one, cudaMemcpyHostToDevice);
    const Memory<std::uint8_t> values(levels);
    make_table<mistake><<<1, levels>>>(histogram, values);
    return cudaGetLastError();
}

// --- look-up
// --------------------------------------------------------------------------------------

template <Mistake mistake>
__global__ void look_up(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                        const std::uint8_t* table) {
    constexpr int word = 4;
    const int y = static_cast<int>(blockIdx.x);
    for (int x = word * thread_in_block(); x < in.width; x += word * threads_in_block()) {
        const std::uint8_t* pixels = in.row(y) + x;
        std::uint8_t* result = out.row(y) + x;
        if (mistake == whole_words || x <= in.width - word) {
            // fault: look_up_packed_rows
            const unsigned four = *reinterpret_cast<const unsigned*>(pixels);
            const unsigned low = table[four & 0xff] | table[four >> 8 & 0xff] << 8;
            const unsigned high = table[four >> 16 & 0xff] | table[four >> 24] << 8;
            // fault: look_up_whole_words
            *reinterpret_cast<unsigned*>(result) = low | high << 16;
        } else {
            for (int i = 0; i < in.width - x; ++i) result[i] = table[pixels[i]];
        }
    }
}

template <Mistake mistake>
cudaError_t equalize() {
    const Image in(width, height), out(width, height);
    const Memory<std::uint8_t> values(levels, 1);
    DeviceView<const std::uint8_t> pixels = input(in);
    if (mistake == packed_rows) pixels.pitch = width;  // rows without padding
    look_up<mistake><<<height, 32>>>(pixels, view(out), values);
    return cudaGetLastError();
}

}  // namespace

std::vector<Case> lab4_cases() {
    using enum Tool;
    const std::string ladder = "lab4-histogram-eq/ladder/";
    const std::string table_maker = "lab4-histogram-eq/problem/make_table.cuh";
    const std::string lookup = "lab4-histogram-eq/problem/lookup.cuh";
    return with_file(
        {
            {"histogram_not_zeroed", ladder + "14_cuda_shared_atomics.cu", "compute_histogram",
             "the block's counts are not set to zero",
             "memory never written is read: a 4-byte load of shared memory", initcheck,
             histogram<not_zeroed>, histogram<none>},
            {"histogram_no_first_barrier", ladder + "14_cuda_shared_atomics.cu",
             "compute_histogram", "no barrier between setting to zero and counting",
             "race in shared memory", racecheck, histogram<no_first_barrier>, histogram<none>},
            {"histogram_no_second_barrier", ladder + "14_cuda_shared_atomics.cu",
             "compute_histogram", "no barrier between counting and adding to the image's histogram",
             "race in shared memory", racecheck, histogram<no_second_barrier>, histogram<none>},
            {"histogram_no_atomic", ladder + "14_cuda_shared_atomics.cu", "compute_histogram",
             "`++` for `atomicAdd` in shared memory: lost updates", "race in shared memory",
             racecheck, histogram<no_atomic>, histogram<none>},
            {"histogram_no_last_level", ladder + "14_cuda_shared_atomics.cu", "compute_histogram",
             "255 counts for 256 levels", "out of bounds: a 4-byte load of shared memory", memcheck,
             histogram<no_last_level>, histogram<none>},
            {"histogram_no_global_atomic", ladder + "10_cuda_three_kernels.cu", "compute_histogram",
             "`+=` for `atomicAdd` in global memory: lost updates", "race between blocks",
             racecheck, histogram<no_global_atomic>, histogram<none>},
            {"histogram_global_not_zeroed", ladder + "13_cuda_global_atomics.cu",
             "compute_histogram", "the histogram is not set to zero before the launch",
             "memory never written is read: a 4-byte load of global memory", initcheck,
             histogram<global_not_zeroed>, histogram<none>},
            {"warps_one_histogram", ladder + "15_cuda_warp_histograms.cu", "count_by_warps",
             "shared memory for one histogram, not for one per warp",
             "out of bounds: a 4-byte store of shared memory", memcheck,
             warp_histograms<one_histogram>, warp_histograms<none>},
            {"scan_no_second_barrier", table_maker, "make_table",
             "no barrier between the reads and the writes of a step", "race in shared memory",
             racecheck, table<no_second_barrier>, table<none>},
            {"table_no_barrier", table_maker, "make_table",
             "no barrier after one thread has written the minimum", "race in shared memory",
             racecheck, table<no_barrier>, table<none>},
            {"look_up_whole_words", lookup, "look_up", "the last word of a row is not cut short",
             "out of bounds: a 4-byte store of global memory", memcheck, equalize<whole_words>,
             equalize<none>},
            {"look_up_packed_rows", lookup, "look_up",
             "4-byte loads from rows without padding, of an odd number of words",
             "misaligned access as 'const unsigned int'", memcheck, equalize<packed_rows>,
             equalize<none>},
        },
        __FILE__);
}

}  // namespace corpus
