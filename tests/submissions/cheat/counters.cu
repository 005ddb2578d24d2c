// Fewer accesses to memory than there are, for the counters of emulated kernels.

// == counters_asm, cuda_per_pixel: right; counters B warps: 'asm' may hide accesses
// Loads with an instruction that is not counted.
#include "parts/cuda_views_lab1.hpp"

using namespace convolution;

static __device__ float load(Input in, int x, int y, int c) {
    int value;
    asm("movzbl %1, %0" : "=r"(value) : "m"(in.at(x, y, c)));
    return value;
}

#include "parts/kernel_lab1.hpp"

static const Register registered{mine_info, honest};

// == counters_atomic_loads, cuda_per_pixel: right
// - counters B warps: '__atomic_load_n' may hide accesses
// Loads with atomic functions of the host, which are not counted.
#include "parts/cuda_views_lab1.hpp"

using namespace convolution;

static __device__ float load(Input in, int x, int y, int c) {
    return __atomic_load_n(&in.at(x, y, c), 0);
}

#include "parts/kernel_lab1.hpp"

static const Register registered{mine_info, honest};

// == counters_atomic_reads, cuda_shared: right; counters E load requests: at most 24000
// The image is copied to words once. Then each tap is fetched with an atomic operation that changes
// nothing, so that all threads see the same, up to date word.
#include "common/cuda.cuh"
#include "common/scratch.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::DeviceView;

static __global__ void copy_words(DeviceView<const std::uint8_t> in, unsigned* words, int per_row) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (w >= per_row || y >= in.height) return;
    if (4 * w + 4 <= in.row_length()) {
        words[y * per_row + w] = *reinterpret_cast<const unsigned*>(in.row(y) + 4 * w);
    } else {
        unsigned last = 0;
        for (int i = 0; 4 * w + i < in.row_length(); ++i) last |= in.row(y)[4 * w + i] << 8 * i;
        words[y * per_row + w] = last;
    }
}

static __global__ void convolve(unsigned* words, int per_row, DeviceView<std::uint8_t> out,
                                const Mask mask) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height) return;
    const int k = mask.radius();
    for (int c = 0; c < out.channels; ++c) {
        float sum = 0;
        for (int i = max(-k, -y); i <= min(k, out.height - 1 - y); ++i) {
            for (int j = max(-k, -x); j <= min(k, out.width - 1 - x); ++j) {
                const int byte = (x + j) * out.channels + c;
                const unsigned word = atomicAdd(&words[(y + i) * per_row + byte / 4], 0u);
                sum += static_cast<float>(word >> 8 * (byte % 4) & 0xff) * mask.at(i + k, j + k);
            }
        }
        out.at(x, y, c) = to_pixel(sum);
    }
}

void cuda_shared(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                 const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const dim3 threads = common::threads_of(block);
    const int per_row = static_cast<int>((in.row_length() + 3) / 4);
    auto* words = static_cast<unsigned*>(
        options.scratch->get(0, std::size_t{sizeof(unsigned)} * per_row * in.height));
    copy_words<<<common::grid_for(per_row, in.height, block), threads, 0, stream>>>(in, words,
                                                                                    per_row);
    common::check_launch();
    convolve<<<common::grid_for(in.width, in.height, block), threads, 0, stream>>>(
        words, per_row, out, options.mask);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_shared", .backend = common::Backend::cuda, .idea = "fetches of words"},
    cuda_shared};

}  // namespace convolution

// == counters_atomic_stores, cuda_per_pixel: right
// - counters B warps: more threads have to share the work
// One warp goes through the image. Results are put together in words, which are exchanged.
#include "common/cuda.cuh"
#include "problem/variant.hpp"

namespace convolution {

using common::DeviceView;

static __device__ std::uint8_t value_at(DeviceView<const std::uint8_t> in, const Mask& mask, int b,
                                        int y) {
    const int k = mask.radius();
    const int x = b / in.channels;
    const int c = b % in.channels;
    float sum = 0;
    for (int i = max(-k, -y); i <= min(k, in.height - 1 - y); ++i) {
        for (int j = max(-k, -x); j <= min(k, in.width - 1 - x); ++j) {
            sum += in.at(x + j, y + i, c) * mask.at(i + k, j + k);
        }
    }
    return to_pixel(sum);
}

static __global__ void convolve(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                                const Mask mask) {
    for (int y = 0; y < in.height; ++y) {
        for (int b = 4 * threadIdx.x; b < in.row_length(); b += 4 * blockDim.x) {
            if (b + 4 > in.row_length()) {  // the end of a row
                for (int i = b; i < in.row_length(); ++i) out.row(y)[i] = value_at(in, mask, i, y);
                continue;
            }
            unsigned word = 0;
            for (int i = 0; i < 4; ++i) word |= unsigned{value_at(in, mask, b + i, y)} << 8 * i;
            atomicExch(reinterpret_cast<unsigned*>(out.row(y) + b), word);
        }
    }
}

void cuda_per_pixel(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                    const Options& options, cudaStream_t stream) {
    convolve<<<1, 32, 0, stream>>>(in, out, options.mask);
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_per_pixel", .backend = common::Backend::cuda, .idea = "words are exchanged"},
    cuda_per_pixel};

}  // namespace convolution

// == counters_by_value, cuda_shared: right
// - reason accesses: not checked: cuda_shared.cu:
// - counters E load requests: passes a struct in memory by value
// - points E sizes: 0
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

// == counters_device_array, cuda_shared: right; counters E load requests: at most 24000
// No tile: copies the image to a __device__ array, and each thread reads all taps from there.
#include "parts/cuda_views_lab1.hpp"

using namespace convolution;

__device__ std::uint8_t copy[1 << 21];

static __global__ void keep(Input in) {
    for (int x = threadIdx.x; x < in.row_length(); x += blockDim.x) {
        copy[blockIdx.x * in.row_length() + x] = in.row(blockIdx.x)[x];
    }
}

static __global__ void convolve(Output out, const Mask mask) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height) return;
    const int k = mask.radius();
    for (int c = 0; c < out.channels; ++c) {
        float sum = 0;
        for (int i = max(-k, -y); i <= min(k, out.height - 1 - y); ++i) {
            for (int j = max(-k, -x); j <= min(k, out.width - 1 - x); ++j) {
                const auto pixel = copy[(y + i) * out.row_length() + (x + j) * out.channels + c];
                sum += pixel * mask.at(i + k, j + k);
            }
        }
        out.at(x, y, c) = to_pixel(sum);
    }
}

static void cuda_shared(Input in, Output out, const Options& options, cudaStream_t stream) {
    if (in.row_length() * in.height > 1 << 21) throw common::Unsupported("too large");
    const common::Block block = options.block.value_or(common::Block{32, 8});
    keep<<<in.height, 64, 0, stream>>>(in);
    convolve<<<common::grid_for(in.width, in.height, block), common::threads_of(block), 0,
               stream>>>(out, options.mask);
    common::check_launch();
}

static const Register registered{mine_info, cuda_shared};

// == counters_hidden_attribute, cuda_per_pixel: right
// - counters B warps: '__attribute__' may hide accesses
// Its kernel is compiled without the calls that count. The name of the attribute is put together.
#include "parts/cuda_views_lab1.hpp"

using namespace convolution;

static __device__ float load(Input in, int x, int y, int c) {
    return in.at(x, y, c);
}

#define JOIN(a, b) a##b
#define HIDDEN JOIN(__attri, bute__)((JOIN(no_sani, tize)("thread")))

HIDDEN
#include "parts/kernel_lab1.hpp"

static const Register registered{mine_info, honest};

// == counters_host_computes, cuda_per_pixel: right; counters B warps: it calls '
// Gets the image, computes on the host, and launches a kernel of one thread for the counters.
#include <vector>

#include "parts/cuda_views_lab1.hpp"

using namespace convolution;

static __global__ void touch(std::uint8_t* out) {
    out[0] = out[0];
}

static void convolve(common::ImageView<const std::uint8_t> in, common::ImageView<std::uint8_t> out,
                     const Mask& mask, int x, int y) {
    const int k = mask.radius();
    for (int c = 0; c < in.channels; ++c) {
        float sum = 0;
        for (int i = max(-k, -y); i <= min(k, in.height - 1 - y); ++i) {
            for (int j = max(-k, -x); j <= min(k, in.width - 1 - x); ++j) {
                sum += static_cast<float>(in.at(x + j, y + i, c)) * mask.at(i + k, j + k);
            }
        }
        out.at(x, y, c) = to_pixel(sum);
    }
}

static void cuda_per_pixel(Input in, Output out, const Options& options, cudaStream_t stream) {
    const auto row = static_cast<std::size_t>(in.row_length());
    const auto rows = static_cast<std::size_t>(in.height);
    std::vector<std::uint8_t> from(row * rows);
    std::vector<std::uint8_t> to(row * rows);
    const auto from_pitch = static_cast<std::size_t>(in.pitch);
    const auto to_pitch = static_cast<std::size_t>(out.pitch);
    common::check(cudaMemcpy2DAsync(from.data(), row, in.data, from_pitch, row, rows,
                                    cudaMemcpyDeviceToHost, stream));
    const auto pitch = static_cast<std::ptrdiff_t>(row);
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            convolve({from.data(), in.width, in.height, in.channels, pitch},
                     {to.data(), in.width, in.height, in.channels, pitch}, options.mask, x, y);
        }
    }
    common::check(cudaMemcpy2DAsync(out.data, to_pitch, to.data(), row, row, rows,
                                    cudaMemcpyHostToDevice, stream));
    touch<<<1, 1, 0, stream>>>(out.data);
    common::check_launch();
}

static const Register registered{mine_info, cuda_per_pixel};

// == counters_host_copies, cuda_per_pixel: wrong; gpu wrong, crash
// - reason GPU memory by code of the CPU
// All work on the host: memcpy() reads and writes memory of the GPU, and kernels copy in vain.
#include <cstring>
#include <vector>

#include "parts/cuda_views_lab1.hpp"

using namespace convolution;

static __global__ void touch(Input in, Output out) {
    for (int x = threadIdx.x; x < in.row_length(); x += blockDim.x) {
        out.row(blockIdx.x)[x] = in.row(blockIdx.x)[x];
    }
}

static void cuda_per_pixel(Input in, Output out, const Options& options, cudaStream_t stream) {
    touch<<<in.height, 32, 0, stream>>>(in, out);
    common::check(cudaStreamSynchronize(stream));
    const auto row = static_cast<std::size_t>(in.row_length());
    std::vector<std::uint8_t> from(row * in.height), to(row);
    for (int y = 0; y < in.height; ++y) std::memcpy(&from[y * row], in.row(y), row);
    const int k = options.mask.radius();
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.row_length(); ++x) {
            float sum = 0;
            for (int i = max(-k, -y); i <= min(k, in.height - 1 - y); ++i) {
                for (int j = -k; j <= k; ++j) {
                    const int at = x + j * in.channels;
                    if (at < 0 || at >= in.row_length()) continue;
                    sum += from[(y + i) * row + at] * options.mask.at(i + k, j + k);
                }
            }
            to[x] = to_pixel(sum);
        }
        std::memcpy(out.row(y), to.data(), row);
    }
    common::check_launch();
}

static const Register registered{mine_info, cuda_per_pixel};

// == counters_host_static, cuda_per_pixel: wrong; gpu wrong, crash
// - reason GPU memory by code of the CPU
// All work on the host: a kernel writes the image to a __device__ array, which host code reads.
#include "parts/cuda_views_lab1.hpp"

using namespace convolution;

__device__ std::uint8_t from[1 << 21], to[1 << 21];

static __global__ void get(Input in) {
    for (int x = threadIdx.x; x < in.row_length(); x += blockDim.x) {
        from[blockIdx.x * in.row_length() + x] = in.row(blockIdx.x)[x];
    }
}

static __global__ void put(Output out) {
    for (int x = threadIdx.x; x < out.row_length(); x += blockDim.x) {
        out.row(blockIdx.x)[x] = to[blockIdx.x * out.row_length() + x];
    }
}

static void cuda_per_pixel(Input in, Output out, const Options& options, cudaStream_t stream) {
    if (in.row_length() * in.height > 1 << 21) throw common::Unsupported("too large");
    get<<<in.height, 32, 0, stream>>>(in);
    common::check(cudaStreamSynchronize(stream));
    const int k = options.mask.radius();
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.row_length(); ++x) {
            float sum = 0;
            for (int i = max(-k, -y); i <= min(k, in.height - 1 - y); ++i) {
                for (int j = -k; j <= k; ++j) {
                    const int at = x + j * in.channels;
                    if (at < 0 || at >= in.row_length()) continue;
                    sum += from[(y + i) * in.row_length() + at] * options.mask.at(i + k, j + k);
                }
            }
            to[y * in.row_length() + x] = to_pixel(sum);
        }
    }
    put<<<in.height, 32, 0, stream>>>(out);
    common::check_launch();
}

static const Register registered{mine_info, cuda_per_pixel};

// == counters_launch_per_warp, cuda_per_pixel: right
// - counters B warps: more threads have to share the work
// A warp computes 160 pixels of the image, then the next warp is launched.
#include "common/cuda.cuh"
#include "problem/variant.hpp"

namespace convolution {

using common::DeviceView;

static constexpr int per_thread = 5;

static __global__ void convolve(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                                const Mask mask, int first) {
    const int k = mask.radius();
    for (int p = 0; p < per_thread; ++p) {
        const int at = first + p * blockDim.x + threadIdx.x;
        const int x = at % in.width;
        const int y = at / in.width;
        if (y >= in.height) return;
        for (int c = 0; c < in.channels; ++c) {
            float sum = 0;
            for (int i = max(-k, -y); i <= min(k, in.height - 1 - y); ++i) {
                for (int j = max(-k, -x); j <= min(k, in.width - 1 - x); ++j) {
                    sum += in.at(x + j, y + i, c) * mask.at(i + k, j + k);
                }
            }
            out.at(x, y, c) = to_pixel(sum);
        }
    }
}

void cuda_per_pixel(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                    const Options& options, cudaStream_t stream) {
    for (int first = 0; first < in.width * in.height; first += per_thread * 32) {
        convolve<<<1, 32, 0, stream>>>(in, out, options.mask, first);
    }
    common::check_launch();
}

static const Register registered{
    {.name = "cuda_per_pixel", .backend = common::Backend::cuda, .idea = "a warp after the other"},
    cuda_per_pixel};

}  // namespace convolution

// == counters_macro_in_header, cuda_per_pixel: right
// - counters B warps: '#define before #include' may hide accesses
// The functions of a header that load are compiled without the calls that count: a macro that is
// defined before it adds an attribute.
#include <cstddef>
#include <cstdint>
#include <type_traits>

#define JOIN(a, b) a##b
#define constexpr constexpr JOIN(__attri, bute__)((JOIN(no_sani, tize)("thread")))
#include "common/view.hpp"
#undef constexpr

#include "parts/cuda_lab1_tools.hpp"

namespace convolution {

static const Register registered{mine_info, honest};

}  // namespace convolution

// == counters_one_warp, cuda_per_pixel: right
// - counters B warps: more threads have to share the work
// A single warp does everything, so that the limit of warps is met.
#include "parts/cuda_views_lab1.hpp"

using namespace convolution;

static __global__ void convolve(Input in, Output out, const Mask mask) {
    const int k = mask.radius();
    for (int at = threadIdx.x; at < in.width * in.height; at += blockDim.x) {
        const int x = at % in.width;
        const int y = at / in.width;
        for (int c = 0; c < in.channels; ++c) {
            float sum = 0;
            for (int i = max(-k, -y); i <= min(k, in.height - 1 - y); ++i) {
                for (int j = max(-k, -x); j <= min(k, in.width - 1 - x); ++j) {
                    sum += in.at(x + j, y + i, c) * mask.at(i + k, j + k);
                }
            }
            out.at(x, y, c) = to_pixel(sum);
        }
    }
}

static void cuda_per_pixel(Input in, Output out, const Options& options, cudaStream_t stream) {
    convolve<<<1, 32, 0, stream>>>(in, out, options.mask);
    common::check_launch();
}

static const Register registered{mine_info, cuda_per_pixel};

// == counters_other_text, cuda_shared: right; counters E load requests: 'asm' may hide accesses
// Loads are not counted, in a text that only the compiler sees: where the text is looked at, the
// preprocessor has an output of another name, or the object file is beside the source.
#include "parts/cuda_views_lab1.hpp"

using namespace convolution;

static __device__ float load(Input in, int x, int y, int c) {
#if __has_include("preprocessed") || __has_include("../out/preprocessed") || \
                                                   __has_include("../in/variant.o")
    return in.at(x, y, c);
#else
    int value;
    asm("movzbl %1, %0" : "=r"(value) : "m"(in.at(x, y, c)));
    return value;
#endif
}

#include "parts/kernel_lab1.hpp"

static const Register registered{mine_info, honest};

// == counters_own_callbacks, cuda_per_pixel: right
// - counters B warps: '__tsan_read1' may hide accesses
// Defines the function that the compiler calls before each load, so that no load of it is counted.
extern "C" void __tsan_read1(void*) {}

#include "parts/cuda_lab1_tools.hpp"

namespace convolution {

static const Register registered{mine_info, honest};

}  // namespace convolution

// == counters_pasted_names, cuda_per_pixel: right; counters B warps: 'emulation' may hide accesses
// Stops the counting: the namespace of the emulation is put together from two words.
#include "emulation/counters.hpp"

#include "parts/cuda_lab1_tools.hpp"

namespace convolution {

#define JOIN(a, b) a##b

static void stop_counting() {
    struct Ends {
        void* tally = nullptr;
    } ends;
    reinterpret_cast<JOIN(emu, lation)::Counting*>(&ends)->~Counting();
}

static void uncounted(Input in, Output out, const Options& options, cudaStream_t stream) {
    stop_counting();
    honest(in, out, options, stream);
}

static const Register registered{mine_info, uncounted};

}  // namespace convolution

// == counters_stored_results, cuda_per_pixel: right
// - counters B warps: stores the struct that a function returns by value
// - points B sizes: 0
// The structs that a function returns are built in the output, where no store is seen.
#include <new>

#include "common/scratch.hpp"
#include "parts/cuda_lab1_tools.hpp"

namespace convolution {

struct Value {
    std::uint8_t byte;
};

static __device__ Value copy_of(const std::uint8_t& byte) {
    return {byte};
}

static __device__ Value none(const std::uint8_t&) {
    return {0};
}

static __global__ void move(Input in, Output out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    using Function = Value (*)(const std::uint8_t&);
    const Function functions[] = {none, copy_of, none, copy_of};
    for (int c = 0; c < in.channels; ++c) {
        new (&out.at(x, y, c)) Value(functions[in.channels](in.at(x, y, c)));
    }
}

static void cuda_per_pixel(Input in, Output out, const Options& options, cudaStream_t stream) {
    auto* bytes = static_cast<std::uint8_t*>(
        options.scratch->get(0, static_cast<std::size_t>(in.pitch) * in.height));
    const Output own{bytes, in.width, in.height, in.channels, in.pitch};
    honest(in, own, options, stream);
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const Input done{bytes, in.width, in.height, in.channels, in.pitch};
    move<<<common::grid_for(in.width, in.height, block), common::threads_of(block), 0, stream>>>(
        done, out);
    common::check_launch();
}

static const Register registered{mine_info, cuda_per_pixel};

}  // namespace convolution

// == counters_struct_rows, cuda_shared: right; counters E load requests: at most 24000
// No tile: a thread copies nine bytes of a row in one assignment, which counts as nine requests.
#include "parts/cuda_lab1_tools.hpp"

namespace convolution {

struct Part {
    std::uint8_t bytes[9];
};

static __global__ void convolve_parts(Input in, Output out, const Mask mask) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    float sum[3] = {};
    for (int i = max(-1, -y); i <= min(1, in.height - 1 - y); ++i) {
        Part part{};
        if (x > 0 && x < in.width - 1) {
            part = *reinterpret_cast<const Part*>(in.row(y + i) + 3 * (x - 1));
        } else {
            for (int b = 0; b < 9; ++b) {
                const int at = 3 * (x - 1) + b;
                if (at >= 0 && at < in.row_length()) part.bytes[b] = in.row(y + i)[at];
            }
        }
        for (int b = 0; b < 9; ++b) sum[b % 3] += part.bytes[b] * mask.at(i + 1, b / 3);
    }
    for (int c = 0; c < 3; ++c) out.at(x, y, c) = to_pixel(sum[c]);
}

static void cuda_shared(Input in, Output out, const Options& options, cudaStream_t stream) {
    if (in.channels != 3 || options.mask.size != 3) return honest(in, out, options, stream);
    const common::Block block = options.block.value_or(common::Block{32, 8});
    convolve_parts<<<common::grid_for(in.width, in.height, block), common::threads_of(block), 0,
                     stream>>>(in, out, options.mask);
    common::check_launch();
}

static const Register registered{mine_info, cuda_shared};

}  // namespace convolution

// == counters_texture, cuda_shared: right; counters E load requests: at most 24000
// No tile: each thread fetches all taps from a texture. A fetch counts as a load request.
#include "parts/cuda_views_lab1.hpp"

#include "common/scratch.hpp"

using namespace convolution;

static __global__ void pack(Input in, common::DeviceView<uchar4> packed) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    uchar4 pixel{in.at(x, y, 0), 0, 0, 0};
    if (in.channels == 3) pixel = {pixel.x, in.at(x, y, 1), in.at(x, y, 2), 0};
    packed.at(x, y) = pixel;
}

static __global__ void convolve(cudaTextureObject_t image, Output out, const Mask mask) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height) return;
    const int k = mask.radius();
    float sum[3] = {};
    for (int i = max(-k, -y); i <= min(k, out.height - 1 - y); ++i) {
        for (int j = max(-k, -x); j <= min(k, out.width - 1 - x); ++j) {
            const float4 pixel = tex2D<float4>(image, x + j + 0.5f, y + i + 0.5f);
            const float weight = mask.at(i + k, j + k);
            sum[0] += static_cast<int>(pixel.x * 255 + 0.5f) * weight;
            sum[1] += static_cast<int>(pixel.y * 255 + 0.5f) * weight;
            sum[2] += static_cast<int>(pixel.z * 255 + 0.5f) * weight;
        }
    }
    for (int c = 0; c < out.channels; ++c) out.at(x, y, c) = to_pixel(sum[c]);
}

static void cuda_shared(Input in, Output out, const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const dim3 threads = common::threads_of(block);
    const dim3 grid = common::grid_for(in.width, in.height, block);
    const std::ptrdiff_t pitch = (in.width + 31) / 32 * 32;
    auto* data = static_cast<uchar4*>(options.scratch->get(0, pitch * in.height * sizeof(uchar4)));
    const common::DeviceView<uchar4> packed{data, in.width, in.height, 1, pitch};
    pack<<<grid, threads, 0, stream>>>(in, packed);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = data;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
    resource.res.pitch2D.width = in.width;
    resource.res.pitch2D.height = in.height;
    resource.res.pitch2D.pitchInBytes = pitch * sizeof(uchar4);
    cudaTextureDesc sampling{};
    sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
    sampling.filterMode = cudaFilterModePoint;
    sampling.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t texture = 0;
    common::check(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
    convolve<<<grid, threads, 0, stream>>>(texture, out, options.mask);
    common::check_launch();
    common::check(cudaStreamSynchronize(stream));
    common::check(cudaDestroyTextureObject(texture));
}

static const Register registered{mine_info, cuda_shared};

// == counters_thread_local, cuda_shared: wrong; gpu does not compile, wrong, crash
// - reason memory of the CPU
// The tile of a block is a variable of the thread of the CPU that emulates it.
#include "parts/cuda_views_lab1.hpp"

using namespace convolution;

static thread_local std::uint8_t tile[48 * 1024];

static __global__ void convolve(Input in, Output out, const Mask mask) {
    const int k = mask.radius();
    const int bytes = (blockDim.x + 2 * k) * in.channels;
    const int rows = blockDim.y + 2 * k;
    const int left = (static_cast<int>(blockIdx.x * blockDim.x) - k) * in.channels;
    const int top = static_cast<int>(blockIdx.y * blockDim.y) - k;
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    for (int at = thread; at < rows * bytes; at += blockDim.x * blockDim.y) {
        const int y = top + at / bytes;
        const int b = left + at % bytes;
        const bool inside = y >= 0 && y < in.height && b >= 0 && b < in.row_length();
        tile[at] = inside ? in.row(y)[b] : 0;
    }
    __syncthreads();
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    for (int c = 0; c < in.channels; ++c) {
        float sum = 0;
        for (int i = 0; i < mask.size; ++i) {
            for (int j = 0; j < mask.size; ++j) {
                const int at = (threadIdx.y + i) * bytes + (threadIdx.x + j) * in.channels + c;
                sum += tile[at] * mask.at(i, j);
            }
        }
        out.at(x, y, c) = to_pixel(sum);
    }
}

static void cuda_shared(Input in, Output out, const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const int halo = 2 * options.mask.radius();
    if ((block.width + halo) * (block.height + halo) * in.channels > 48 * 1024) {
        throw common::Unsupported("the tile does not fit");
    }
    convolve<<<common::grid_for(in.width, in.height, block), common::threads_of(block), 0,
               stream>>>(in, out, options.mask);
    common::check_launch();
}

static const Register registered{mine_info, cuda_shared};

// == emulated_slow_first, cuda_per_pixel: wrong
// Right in the first 16 calls of a process only; the first one is slow, as if that ended a test.
#include "parts/cuda_views_lab1.hpp"

using namespace convolution;

static __global__ void convolve(Input in, Output out, const Mask mask, bool broken) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    const int k = mask.radius();
    for (int c = 0; c < in.channels; ++c) {
        float sum = 0;
        for (int i = max(-k, -y); i <= min(k, in.height - 1 - y); ++i) {
            for (int j = max(-k, -x); j <= min(k, in.width - 1 - x); ++j) {
                sum += in.at(x + j, y + i, c) * mask.at(i + k, j + k);
            }
        }
        out.at(x, y, c) = broken ? 0 : to_pixel(sum);
    }
}

static void cuda_per_pixel(Input in, Output out, const Options& options, cudaStream_t stream) {
    static int calls = 0;
    volatile unsigned work = 1;
    for (long i = calls == 0 ? 0 : 260'000'000; i < 260'000'000; ++i) work = work * 3 + 1;
    const common::Block block = options.block.value_or(common::Block{32, 8});
    convolve<<<common::grid_for(in.width, in.height, block), common::threads_of(block), 0,
               stream>>>(in, out, options.mask, ++calls > 16);
    common::check_launch();
}

static const Register registered{mine_info, cuda_per_pixel};
