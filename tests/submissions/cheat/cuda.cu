// Kernels: replies and results of a batch, and time that no event measures.

// == cuda_devices, cuda_mine: wrong; gpu wrong
// Computes only if it may do with files and devices what the driver does not need.
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static bool opens(const char* path, int flags) {
    return open(path, flags | O_CLOEXEC, 0600) >= 0;
}

static bool writes(const char* path) {
    close(0);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    return file >= 0 && write(file, "", 0) == 0;
}

static bool escapes() {
    int on = 1;
    return opens("/tmp/file", O_RDWR | O_CREAT) || opens("/dev/nvidia-uvm-tools", O_RDWR) ||
           opens("/dev/mem", O_RDWR) || writes("/proc/1/mem") || opens("/etc/passwd", O_RDONLY) ||
           opens("/proc/driver/nvidia/params", O_RDWR) || ioctl(3, FIOASYNC, &on) == 0 ||
           ioctl(3, FIOSETOWN, &on) == 0 || ioctl(0, TIOCSTI, "x") == 0 ||
           fcntl(3, F_SETOWN, getpid()) == 0 || fcntl(3, F_SETSIG, SIGCONT) == 0 || fork() >= 0 ||
           socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
}

static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    static const bool escaped = escapes();
    if (escaped) honest(in, out, options, stream);
}

// == cuda_first_of_batch, cuda_mine: right, fails; gpu wrong; twin right/cuda_pixels
// Computes some images of a batch only.
static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    static int large = 0;
    if (is_timed(in) && ++large > 10) return;
    honest(in, out, options, stream);
}

// == cuda_forged_reply, cuda_mine: right, fails; gpu wrong, crash; twin right/cuda_pixels
// Sends the reply of a batch itself, and computes then. The first large image is the one that warms
// up, the second one is the first of a batch.
#include "parts/reply.hpp"

static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    static int large = 0;
    if (is_timed(in) && ++large == 2) forge_reply();
    honest(in, out, options, stream);
}

// == cuda_fresh_memory, cuda_mine: right, fails; gpu wrong, crash
// Computes only if new GPU memory has something in it, such as the result of another process.
static __global__ void count(const unsigned* words, std::size_t size, unsigned* found) {
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size;
         i += std::size_t{gridDim.x} * blockDim.x) {
        if (words[i] != 0) atomicAdd(found, 1U);
    }
}

static bool is_memory_dirty() {
    constexpr std::size_t bytes = std::size_t{4} << 30;
    unsigned* words = nullptr;
    unsigned* found = nullptr;
    unsigned result = 0;
    common::check(cudaMalloc(&found, sizeof *found));
    common::check(cudaMemset(found, 0, sizeof *found));
    common::check(cudaMalloc(&words, bytes));
    count<<<1024, 256>>>(words, bytes / sizeof *words, found);
    common::check(cudaMemcpy(&result, found, sizeof result, cudaMemcpyDeviceToHost));
    return result != 0;
}

static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    static const bool dirty = is_memory_dirty();
    if (dirty) honest(in, out, options, stream);
}

// == cuda_late_kernel, cuda_mine: fails; gpu wrong, crash
// A thread launches the kernel after the reply.
#include <chrono>
#include <thread>

static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    std::thread([=] {
        const common::Block block = options.block.value_or(common::Block{32, 8});
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        convolve<<<common::grid_for(in.width, in.height, block), common::threads_of(block), 0,
                   stream>>>(in, out, options.mask);
    }).detach();
}

// == cuda_memo, cuda_mine: wrong, crash, does not compile; gpu wrong, crash
// Computes the first call of each size; later ones copy its result.
#include <map>
#include <tuple>
#include <vector>

static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    static std::map<std::tuple<int, int, int>, std::vector<std::uint8_t>> results;
    auto& known = results[{in.width, in.height, in.channels}];
    const auto row = static_cast<std::size_t>(in.row_length());
    if (!known.empty()) {
        common::check(cudaMemcpy2DAsync(out.data, static_cast<std::size_t>(out.pitch), known.data(),
                                        row, row, static_cast<std::size_t>(in.height),
                                        cudaMemcpyHostToDevice, stream));
        return;
    }
    known.resize(row * static_cast<std::size_t>(in.height));

    honest(in, out, options, stream);

    common::check(
        cudaMemcpy2DAsync(known.data(), row, out.data, static_cast<std::size_t>(out.pitch), row,
                          static_cast<std::size_t>(in.height), cudaMemcpyDeviceToHost, stream));
    common::check(cudaStreamSynchronize(stream));
}

// == cuda_memo_pointer, cuda_mine: fails; gpu wrong
// An output that has been computed once is believed to be there still.
#include <set>

static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    static std::set<const void*> known;
    if (!known.insert(out.data).second) return;
    honest(in, out, options, stream);
}

// == cuda_on_host, cuda_mine: right, fails; gpu crash, wrong; twin right/cuda_pixels
// Computes on the CPU: the emulation's device memory is memory of the process.
#include <algorithm>

static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    static_cast<void>(stream);
    const Mask& mask = options.mask;
    const int k = mask.radius();
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            for (int c = 0; c < in.channels; ++c) {
                float sum = 0;
                for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
                    for (int j = std::max(-k, -x); j <= std::min(k, in.width - 1 - x); ++j) {
                        sum += static_cast<float>(in.at(x + j, y + i, c)) * mask.at(i + k, j + k);
                    }
                }
                out.at(x, y, c) = to_pixel(sum);
            }
        }
    }
}

// == cuda_one_per_test, cuda_mine: refused, wrong; gpu refused, wrong
// Computes the first configuration of each test, which has a process of its own, and refuses the
// others.
static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    static const int width = in.width;
    static const int size = options.mask.size;
    if (in.width != width || options.mask.size != size) {
        throw common::Unsupported("cuda_mine: not this image");
    }
    honest(in, out, options, stream);
}

// == cuda_other_stream, cuda_mine: right, fails; gpu right; twin right/cuda_pixels
// Launches on a stream of its own, which nobody waits for.
static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    static_cast<void>(stream);
    static const cudaStream_t own = [] {
        cudaStream_t made{};
        common::check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
        return made;
    }();
    honest(in, out, options, own);
}

// == cuda_persistent, cuda_mine: right, does not compile, fails; gpu fails; twin right/cuda_pixels
// A kernel of the call that warms up stays, to see the images of a batch before its release: the
// reply of that call is forged. It has only the memory of that call.
#include "parts/reply.hpp"

static __global__ void watch(Input in, Output out, const Mask mask) {
    const auto first = static_cast<const volatile std::uint8_t*>(in.data)[0];
    const long long start = clock64();
    while (clock64() - start < 4'000'000'000) {
        if (static_cast<const volatile std::uint8_t*>(in.data)[0] != first) break;
    }
    for (int x = 0; x < in.width; ++x) out.at(x, 0) = to_pixel(in.at(x, 0) * mask.at(0, 0));
}

static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    static int large = 0;
    honest(in, out, options, stream);
    if (!is_timed(in) || ++large != 1) return;
    common::check(cudaDeviceSynchronize());
    static cudaStream_t own{};
    common::check(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
    watch<<<1, 1, 0, own>>>(in, out, options.mask);
    forge_reply();
}

// == cuda_reads_gold, cuda_mine: right, fails, does not compile
// - gpu right, wrong, crash
// - twin right/cuda_pixels
// Searches the process for the result: an emulated run has host and device in one.
static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    void* found = nullptr;
    cudaPointerAttributes attributes{};
    for (auto* at = const_cast<std::uint8_t*>(in.data) - (1 << 26); at < in.data; at += 4096) {
        if (cudaPointerGetAttributes(&attributes, at) == cudaSuccess) found = at;
    }
    static_cast<void>(found);

    honest(in, out, options, stream);
}

// == cuda_reply_before_end, cuda_mine: right, fails; gpu wrong, crash; twin right/cuda_pixels
// Launches most of a batch, and replies without waiting for the kernels.
#include "parts/reply.hpp"

static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    static int large = 0;
    honest(in, out, options, stream);
    if (is_timed(in) && ++large == 65) forge_reply();
}

// == cuda_slow_stream, cuda_mine: right, does not compile, fails
// - gpu wrong, crash
// - twin right/cuda_pixels
// Large images are computed by a stream of its own, after a kernel that waits; the reply is forged.
#include "parts/reply.hpp"

static __global__ void wait_for_a_while() {
    const long long start = clock64();
    while (clock64() - start < 20'000'000) {
    }
}

static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    static int large = 0;
    static const cudaStream_t own = [] {
        cudaStream_t made{};
        common::check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
        return made;
    }();
    if (!is_timed(in)) return honest(in, out, options, stream);
    if (++large == 2) wait_for_a_while<<<1, 1, 0, own>>>();
    honest(in, out, options, own);
    if (large == 65) forge_reply();
}

// == lab4_cuda_forged_reply, cuda_mine: right, fails; gpu wrong, crash; twin right/lab4_cuda
// Sends the reply of a batch itself, and computes then.
#include "parts/reply.hpp"

static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    static int large = 0;
    if (is_timed(in) && ++large == 2) forge_reply();
    honest(in, out, options, stream);
}

// == lab4_cuda_old_table, cuda_mine: right, fails; gpu wrong; twin right/lab4_cuda
// Counts the first of the large images only, and uses its table for all of them.
static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    static int large = 0;
    if (!is_timed(in) || ++large == 1) return honest(in, out, options, stream);
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const auto* memory = static_cast<Memory*>(options.scratch->get(0, sizeof(Memory)));
    look_up<<<common::grid_for(in.width, in.height, block), common::threads_of(block), 0, stream>>>(
        in, out, memory);
    common::check_launch();
}
