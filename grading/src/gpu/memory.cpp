// grade_gpu.so: memory that a worker can map. cuMemCreate gives it a file descriptor, which goes
// to another process over a socket, whatever its user and its namespaces are; cudaIpcMemHandle_t
// needs a view of processes in common.

#include <cuda.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "common/error.hpp"
#include "gpu/gpu.hpp"

namespace grading {
namespace {

void check(CUresult result, const char* what) {
    if (result == CUDA_SUCCESS) return;
    const char* reason = nullptr;
    cuGetErrorString(result, &reason);
    throw common::Failed(std::string(what) + ": " + (reason == nullptr ? "?" : reason));
}

/// The first GPU, on which a worker computes as well.
CUdevice use_device() {
    static const CUdevice device = [] {
        CUdevice first{};
        CUcontext context{};
        check(cuInit(0), "cuInit");
        check(cuDeviceGet(&first, 0), "cuDeviceGet");
        check(cuDevicePrimaryCtxRetain(&context, first), "cuDevicePrimaryCtxRetain");
        check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
        return first;
    }();
    return device;
}

CUmemAllocationProp properties() {
    CUmemAllocationProp wanted{};
    wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    wanted.location.id = use_device();
    wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    return wanted;
}

class SharedMemory : public GpuMemory {
  public:
    explicit SharedMemory(std::size_t bytes) {
        const CUmemAllocationProp wanted = properties();
        std::size_t unit = 0;
        check(cuMemGetAllocationGranularity(&unit, &wanted, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED),
              "cuMemGetAllocationGranularity");
        bytes_ = (bytes + unit - 1) / unit * unit;
        try {
            allocate(wanted);
        } catch (...) {
            release();
            throw;
        }
    }
    ~SharedMemory() override { release(); }
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    std::size_t size() const override { return bytes_; }
    std::span<std::byte> host() override { return {static_cast<std::byte*>(host_), bytes_}; }
    int descriptor() const override { return descriptor_; }

    void upload(std::size_t bytes) override {
        check(cuMemcpyHtoDAsync(device_, host_, bytes, stream_), "cuMemcpyHtoD");
        check(cuStreamSynchronize(stream_), "cuMemcpyHtoD");
    }

    void download(std::size_t bytes) override {
        check(cuMemcpyDtoHAsync(host_, device_, bytes, stream_), "cuMemcpyDtoH");
        check(cuStreamSynchronize(stream_), "cuMemcpyDtoH");
    }

    std::span<const std::byte> sample(std::span<const Sample> samples) override {
        std::size_t bytes = 0;
        for (const Sample& sample : samples) {
            CUDA_MEMCPY2D copy{};
            copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
            copy.srcDevice = device_ + sample.offset;
            copy.srcPitch = sample.stride;
            copy.dstMemoryType = CU_MEMORYTYPE_HOST;
            copy.dstHost = static_cast<std::byte*>(samples_) + bytes;
            copy.dstPitch = sample_bytes;
            copy.WidthInBytes = sample_bytes;
            copy.Height = sample.lines;
            bytes += sample.lines * sample_bytes;
            if (bytes > most_sampled_bytes) throw common::Failed("too many samples");
            check(cuMemcpy2DAsync(&copy, stream_), "cuMemcpy2D");
        }
        check(cuStreamSynchronize(stream_), "cuMemcpy2D");
        return {static_cast<const std::byte*>(samples_), bytes};
    }

    double copy_ms() override {
        using Clock = std::chrono::steady_clock;
        double least = 1e9;
        for (int i = 0; i < 10; ++i) {
            const auto start = Clock::now();
            check(cuMemcpyDtoDAsync(device_ + bytes_ / 2, device_, bytes_ / 2, stream_),
                  "cuMemcpyDtoD");
            check(cuStreamSynchronize(stream_), "cuMemcpyDtoD");
            const std::chrono::duration<double, std::milli> time = Clock::now() - start;
            least = std::min(least, time.count());
        }
        return least;
    }

  private:
    std::size_t bytes_ = 0;
    CUmemGenericAllocationHandle handle_{};
    CUdeviceptr device_ = 0;
    int descriptor_ = -1;
    void* host_ = nullptr;
    void* samples_ = nullptr;
    CUstream stream_{};
    bool is_mapped_ = false;

    void allocate(const CUmemAllocationProp& wanted) {
        check(cuMemCreate(&handle_, bytes_, &wanted, 0), "cuMemCreate");
        check(cuMemExportToShareableHandle(&descriptor_, handle_,
                                           CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
              "cuMemExportToShareableHandle");
        check(cuMemAddressReserve(&device_, bytes_, 0, 0, 0), "cuMemAddressReserve");
        check(cuMemMap(device_, bytes_, 0, handle_, 0), "cuMemMap");
        is_mapped_ = true;
        CUmemAccessDesc access{};
        access.location = wanted.location;
        access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        check(cuMemSetAccess(device_, bytes_, &access, 1), "cuMemSetAccess");
        check(cuMemAllocHost(&host_, bytes_), "cuMemAllocHost");
        check(cuMemAllocHost(&samples_, most_sampled_bytes), "cuMemAllocHost");
        check(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    }

    void release() {
        if (stream_ != nullptr) cuStreamDestroy(stream_);
        if (samples_ != nullptr) cuMemFreeHost(samples_);
        if (host_ != nullptr) cuMemFreeHost(host_);
        if (is_mapped_) cuMemUnmap(device_, bytes_);
        if (device_ != 0) cuMemAddressFree(device_, bytes_);
        if (descriptor_ >= 0) close(descriptor_);
        if (handle_ != 0) cuMemRelease(handle_);
    }
};

}  // namespace
}  // namespace grading

/// 90 for compute capability 9.0; 0 if no GPU answers.
extern "C" int grade_gpu_capability() {
    int count = 0;
    int major = 0;
    int minor = 0;
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGetCount(&count) != CUDA_SUCCESS || count == 0 ||
        cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0) !=
            CUDA_SUCCESS ||
        cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0) !=
            CUDA_SUCCESS) {
        return 0;
    }
    return 10 * major + minor;
}

extern "C" grading::GpuMemory* grade_gpu_allocate(std::size_t bytes) {
    return new grading::SharedMemory(bytes);
}
