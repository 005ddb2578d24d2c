// The GPU's memory in a worker, emulated or real, where it is not shared with the judge: images are
// copied.

#include <cuda_runtime.h>

#include "common/cuda.cuh"
#include "worker/worker.hpp"

namespace grading {

using common::check;

OnDevice::OnDevice(const Plane& plane, std::byte* host)
    : plane_(plane), host_(host + plane.offset) {
    check(cudaMallocPitch(&data_, &pitch_, row_bytes(), static_cast<std::size_t>(plane.height)));
}

OnDevice::~OnDevice() {
    cudaFree(data_);
}

std::size_t OnDevice::row_bytes() const {
    return static_cast<std::size_t>(plane_.width) * static_cast<std::size_t>(plane_.channels) *
           static_cast<std::size_t>(plane_.value_bytes);
}

std::size_t OnDevice::host_pitch() const {
    return static_cast<std::size_t>(plane_.pitch) * static_cast<std::size_t>(plane_.value_bytes);
}

void OnDevice::upload() const {
    check(cudaMemcpy2D(data_, pitch_, host_, host_pitch(), row_bytes(),
                       static_cast<std::size_t>(plane_.height), cudaMemcpyHostToDevice));
}

void OnDevice::download() const {
    check(cudaMemcpy2D(host_, host_pitch(), data_, pitch_, row_bytes(),
                       static_cast<std::size_t>(plane_.height), cudaMemcpyDeviceToHost));
}

void wait_for_device() {
    void* nothing = nullptr;
    check(cudaMalloc(&nothing, 1));  // reserves the addresses of the emulated GPU
    check(cudaMemset(nothing, 0, 1));
    check(cudaFree(nothing));
    check(cudaDeviceSynchronize());
}

}  // namespace grading
