// The GPU's side of the harness: facts, buffers, transfers and timing, through the CUDA runtime.

#include <cuda_runtime.h>
#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <utility>

#include "common/cuda.cuh"
#include "common/device.hpp"
#include "common/error.hpp"
#include "common/scratch.hpp"
#include "common/statistics.hpp"
#include "event.hpp"

namespace common {
namespace {

double ms_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

void require_device_memory(std::size_t bytes) {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total));
    if (bytes > free) {
        throw Failed(
            fmt::format("not enough GPU memory: {} bytes needed, {} available", bytes, free));
    }
}

class Buffer {
  public:
    explicit Buffer(std::size_t bytes) : bytes_(bytes) {
        require_device_memory(bytes);
        check(cudaMalloc(&data_, bytes));
    }
    ~Buffer() { cudaFree(data_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    void* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }

  private:
    void* data_ = nullptr;
    std::size_t bytes_;
};

class Stream {
  public:
    Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(stream_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return stream_; }
    void wait() const { check(cudaStreamSynchronize(stream_)); }

  private:
    cudaStream_t stream_ = nullptr;
};

/// Evicts what a run left in the L2 cache, by writing a buffer larger than the cache.
class CacheFlush {
  public:
    CacheFlush() : buffer_(std::max<std::size_t>(2 * device_facts().l2_bytes, 32u << 20)) {}
    void operator()(cudaStream_t stream) const {
        check(cudaMemsetAsync(buffer_.data(), 0, buffer_.bytes(), stream));
    }

  private:
    Buffer buffer_;
};

/// Rows padded to the alignment that suits the GPU, as cudaMallocPitch decides.
class PitchedImage {
  public:
    explicit PitchedImage(const Shape& shape) {
        image_.shape = shape;
        check(cudaMallocPitch(&image_.data, &image_.pitch, row_bytes(),
                              static_cast<std::size_t>(shape.height)));
        // Kernels may read a row's last word whole; what they do not use should still be defined.
        const std::size_t padding = image_.pitch - row_bytes();
        auto* first = static_cast<unsigned char*>(image_.data) + row_bytes();
        if (padding > 0) check(cudaMemset2D(first, image_.pitch, 0, padding, rows()));
    }
    ~PitchedImage() { cudaFree(image_.data); }
    PitchedImage(const PitchedImage&) = delete;
    PitchedImage& operator=(const PitchedImage&) = delete;

    const DeviceImage& image() const { return image_; }

    void upload(const cv::Mat& from, cudaStream_t stream) {
        check(cudaMemcpy2DAsync(image_.data, image_.pitch, from.data, from.step[0], row_bytes(),
                                rows(), cudaMemcpyHostToDevice, stream));
    }
    void download(cv::Mat& to, cudaStream_t stream) const {
        check(cudaMemcpy2DAsync(to.data, to.step[0], image_.data, image_.pitch, row_bytes(), rows(),
                                cudaMemcpyDeviceToHost, stream));
    }
    void fill(unsigned char value, cudaStream_t stream) {
        check(cudaMemsetAsync(image_.data, value, image_.pitch * rows(), stream));
    }

  private:
    DeviceImage image_;

    std::size_t rows() const { return static_cast<std::size_t>(image_.shape.height); }
    std::size_t row_bytes() const { return image_.shape.bytes() / rows(); }
};

struct Context {
    DeviceFacts facts;
    double ms = 0;
};

int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

void ask_device(DeviceFacts& facts) {
    int device = 0;
    check(cudaGetDevice(&device));
    check(cudaFree(nullptr));  // creates the context
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device));
    facts.name = properties.name;
    facts.compute_capability = 10 * properties.major + properties.minor;
    facts.multiprocessors = properties.multiProcessorCount;
    facts.max_threads_per_multiprocessor = properties.maxThreadsPerMultiProcessor;
    facts.l2_bytes = static_cast<std::size_t>(properties.l2CacheSize);
    facts.shared_bytes_per_multiprocessor = properties.sharedMemPerMultiprocessor;
    facts.clock_mhz = attribute(cudaDevAttrClockRate, device) / 1000;
    check(cudaMemGetInfo(&facts.free_bytes, &facts.memory_bytes));
}

Context open_context() {
    Context context;
    const auto start = std::chrono::steady_clock::now();
    int devices = 0;
    cudaDriverGetVersion(&context.facts.driver_version);
    cudaRuntimeGetVersion(&context.facts.runtime_version);
    const cudaError_t status = cudaGetDeviceCount(&devices);
    if (status != cudaSuccess || devices == 0) {
        context.facts.why_unusable = context.facts.driver_version == 0
                                         ? "no NVIDIA driver on this machine"
                                         : cudaGetErrorString(status);
        return context;
    }
    try {
        ask_device(context.facts);
    } catch (const Error& error) {
        context.facts.why_unusable = error.what();
    }
    context.ms = ms_since(start);
    return context;
}

const Context& context() {
    static const Context opened = open_context();
    return opened;
}

std::string demangled(const char* name) {
    int status = 0;
    char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
    std::string result = status == 0 ? text : name;
    std::free(text);  // NOLINT: allocated with malloc by __cxa_demangle
    const auto arguments = result.find('(');
    result = result.substr(0, arguments == 0 ? std::string::npos : arguments);
    const auto scope = result.rfind("::");
    return scope == std::string::npos ? result : result.substr(scope + 2);
}

std::string kernel_name([[maybe_unused]] const void* function) {
#if CUDART_VERSION >= 12030
    const char* name = nullptr;
    if (cudaFuncGetName(&name, function) == cudaSuccess) return demangled(name);
#endif
    return "kernel";  // older runtimes cannot tell
}

KernelFacts facts_of(const cudaKernelNodeParams& launch) {
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, launch.func));
    KernelFacts facts;
    facts.name = kernel_name(launch.func);
    facts.registers = attributes.numRegs;
    facts.shared_bytes = attributes.sharedSizeBytes + launch.sharedMemBytes;
    facts.local_bytes = attributes.localSizeBytes;
    facts.block_x = static_cast<int>(launch.blockDim.x);
    facts.block_y = static_cast<int>(launch.blockDim.y);
    facts.block_z = static_cast<int>(launch.blockDim.z);
    const int threads = facts.block_x * facts.block_y * facts.block_z;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &facts.blocks_per_multiprocessor, launch.func, threads, launch.sharedMemBytes));
    facts.occupancy = static_cast<double>(facts.blocks_per_multiprocessor * threads) /
                      device_facts().max_threads_per_multiprocessor;
    return facts;
}

/// The kernel nodes of a captured graph.
std::vector<KernelFacts> facts_of(cudaGraph_t graph) {
    std::size_t count = 0;
    check(cudaGraphGetNodes(graph, nullptr, &count));
    std::vector<cudaGraphNode_t> nodes(count);
    check(cudaGraphGetNodes(graph, nodes.data(), &count));
    std::vector<KernelFacts> kernels;
    for (cudaGraphNode_t node : nodes) {
        cudaGraphNodeType type{};
        check(cudaGraphNodeGetType(node, &type));
        cudaKernelNodeParams launch{};
        if (type != cudaGraphNodeTypeKernel) continue;
        check(cudaGraphKernelNodeGetParams(node, &launch));
        kernels.push_back(facts_of(launch));
    }
    return kernels;
}

}  // namespace

const DeviceFacts& device_facts() {
    return context().facts;
}

double context_ms() {
    return context().ms;
}

Scratch::~Scratch() {
    for (const Slot& slot : slots_) cudaFree(slot.data);
    for (const Slot& slot : pinned_) cudaFreeHost(slot.data);
    for (cudaStream_t stream : streams_) {
        if (stream != nullptr) cudaStreamDestroy(stream);
    }
    for (cudaEvent_t event : events_) {
        if (event != nullptr) cudaEventDestroy(event);
    }
}

namespace {

/// The element of that number; the vector grows as needed.
template <class T>
T& element(std::vector<T>& vector, std::size_t number) {
    if (number >= vector.size()) vector.resize(number + 1);
    return vector[number];
}

}  // namespace

void* Scratch::get(std::size_t slot, std::size_t bytes) {
    Slot& mine = element(slots_, slot);
    if (mine.bytes >= bytes) return mine.data;
    const auto start = std::chrono::steady_clock::now();
    check(cudaFree(std::exchange(mine.data, nullptr)));
    mine.bytes = 0;
    require_device_memory(bytes);
    check(cudaMalloc(&mine.data, bytes));
    mine.bytes = bytes;
    allocation_ms_ += ms_since(start);
    return mine.data;
}

void* Scratch::pinned(std::size_t slot, std::size_t bytes) {
    Slot& mine = element(pinned_, slot);
    if (mine.bytes >= bytes) return mine.data;
    const auto start = std::chrono::steady_clock::now();
    check(cudaFreeHost(std::exchange(mine.data, nullptr)));
    mine.bytes = 0;
    check(cudaMallocHost(&mine.data, bytes));
    mine.bytes = bytes;
    allocation_ms_ += ms_since(start);
    return mine.data;
}

cudaStream_t Scratch::stream(std::size_t slot) {
    cudaStream_t& mine = element(streams_, slot);
    if (mine == nullptr) check(cudaStreamCreateWithFlags(&mine, cudaStreamNonBlocking));
    return mine;
}

cudaEvent_t Scratch::event(std::size_t slot) {
    cudaEvent_t& mine = element(events_, slot);
    if (mine == nullptr) check(cudaEventCreateWithFlags(&mine, cudaEventDisableTiming));
    return mine;
}

const void* Scratch::constants(std::size_t slot, std::span<const std::byte> values,
                               cudaStream_t stream) {
    void* copy = get(slot, values.size());
    std::vector<std::byte>& known = slots_[slot].constants;
    if (!std::equal(known.begin(), known.end(), values.begin(), values.end())) {
        check(cudaMemcpyAsync(copy, values.data(), values.size(), cudaMemcpyHostToDevice, stream));
        known.assign(values.begin(), values.end());
    }
    return copy;
}

namespace {

/// All that a job's call allocates.
struct JobBuffers {
    PitchedImage in;
    PitchedImage out;
    Scratch scratch{};                   ///< of the job
    Scratch staging{};                   ///< of the transfers
    std::optional<cv::Mat> pinned_in{};  ///< in `staging`
    std::optional<cv::Mat> pinned_out{};

    JobBuffers(const Shape& in_shape, const Shape& out_shape, const Transfers& transfers)
        : in(in_shape), out(out_shape) {
        if (!transfers.pinned) return;
        pinned_in = pinned(0, in_shape);
        pinned_out = pinned(1, out_shape);
    }

  private:
    cv::Mat pinned(std::size_t slot, const Shape& shape) {
        return {shape.height, shape.width, shape.type, staging.pinned(slot, shape.bytes())};
    }
};

}  // namespace

struct DeviceRunner::State {
    Job job;
    cv::Mat in;
    Shape out;
    Stream stream;
    Event start;
    Event stop;
    std::optional<CacheFlush> flush;  // made when first needed: it is no part of a cold call
    std::optional<JobBuffers> made;

    State(Job bound, cv::Mat input, const Shape& out_shape)
        : job(std::move(bound)), in(std::move(input)), out(out_shape) {
        buffers();
    }

    JobBuffers& buffers() {
        if (!made) made.emplace(Shape::of(in), out, job.transfers);
        return *made;
    }

    void upload() {
        JobBuffers& mine = buffers();
        if (mine.pinned_in) in.copyTo(*mine.pinned_in);
        mine.in.upload(mine.pinned_in.value_or(in), stream);
    }

    void launch() {
        JobBuffers& mine = buffers();
        job.device(mine.in.image(), mine.out.image(), mine.scratch, stream);
    }

    void download(cv::Mat& to) {
        JobBuffers& mine = buffers();
        mine.out.download(mine.pinned_out ? *mine.pinned_out : to, stream);
        stream.wait();
        if (mine.pinned_out) mine.pinned_out->copyTo(to);
    }

    void free_if_fresh() {
        if (job.transfers.fresh_buffers) made.reset();
    }
};

DeviceRunner::DeviceRunner(Job job, cv::Mat in, const Shape& out) {
    require_device_memory(Shape::of(in).bytes() + out.bytes());
    state_ = std::make_unique<State>(std::move(job), std::move(in), out);
}

DeviceRunner::~DeviceRunner() = default;

void DeviceRunner::poison(unsigned char value) {
    state_->buffers().out.fill(value, state_->stream);
}

double DeviceRunner::call(cv::Mat& out) {
    const auto start = std::chrono::steady_clock::now();
    state_->upload();
    state_->launch();
    state_->download(out);
    state_->free_if_fresh();
    return ms_since(start);
}

Stages DeviceRunner::stages(cv::Mat& out) {
    auto start = std::chrono::steady_clock::now();
    const auto lap = [&] {
        state_->stream.wait();
        const double ms = ms_since(start);
        start = std::chrono::steady_clock::now();
        return ms;
    };
    Stages stages;
    const Scratch& scratch = state_->buffers().scratch;
    stages.allocation = lap();
    state_->upload();
    stages.upload = lap();
    const double allocated_before = scratch.allocation_ms();
    state_->launch();
    stages.kernels = lap();
    const double allocated_on_the_way = scratch.allocation_ms() - allocated_before;
    stages.kernels -= allocated_on_the_way;
    stages.allocation += allocated_on_the_way;
    state_->download(out);
    stages.download = lap();
    state_->free_if_fresh();
    stages.allocation += lap();
    return stages;
}

double DeviceRunner::kernel() {
    if (!state_->flush) state_->flush.emplace();
    (*state_->flush)(state_->stream);
    state_->start.record(state_->stream);
    state_->launch();
    state_->stop.record(state_->stream);
    state_->stream.wait();
    return state_->stop.ms_since(state_->start);
}

double device_copy_gb_per_s(std::size_t bytes, int repeats) {
    const std::size_t half = std::max<std::size_t>(bytes / 2, 1);
    const Buffer from(half);
    const Buffer to(half);
    const CacheFlush flush;
    const Stream stream;
    const Event start;
    const Event stop;
    std::vector<double> ms;
    for (int i = 0; i < repeats + 3; ++i) {  // three to warm up
        flush(stream);
        start.record(stream);
        check(cudaMemcpyAsync(to.data(), from.data(), half, cudaMemcpyDeviceToDevice, stream));
        stop.record(stream);
        stream.wait();
        if (i >= 3) ms.push_back(stop.ms_since(start));
    }
    return 2.0 * static_cast<double>(half) / statistics(ms).trimmed_mean / 1e6;
}

std::vector<KernelFacts> kernels_of(const Job& job, const cv::Mat& in, const Shape& out) {
    const PitchedImage device_in(Shape::of(in));
    const PitchedImage device_out(out);
    const Stream stream;
    Scratch scratch;
    job.device(device_in.image(), device_out.image(), scratch, stream);  // allocates what it needs
    stream.wait();
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    cudaGraph_t graph = nullptr;
    try {
        job.device(device_in.image(), device_out.image(), scratch, stream);
    } catch (...) {
        if (cudaStreamEndCapture(stream, &graph) == cudaSuccess) cudaGraphDestroy(graph);
        throw;
    }
    check(cudaStreamEndCapture(stream, &graph));
    const std::unique_ptr<CUgraph_st, decltype(&cudaGraphDestroy)> owner(graph, cudaGraphDestroy);
    return facts_of(graph);
}

}  // namespace common
