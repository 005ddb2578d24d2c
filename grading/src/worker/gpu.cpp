// Memory of the judge on the GPU: cuMemCreate there, cuMemMap here.

#include <cuda.h>
#include <unistd.h>

#include <string>

#include "common/error.hpp"
#include "worker/worker.hpp"

namespace grading {
namespace {

void check(CUresult result, const char* what) {
    if (result == CUDA_SUCCESS) return;
    const char* reason = nullptr;
    cuGetErrorString(result, &reason);
    throw common::Failed(std::string(what) + ": " + (reason == nullptr ? "?" : reason));
}

}  // namespace

JudgesMemory::JudgesMemory(int descriptor, std::size_t bytes) : bytes_(bytes) {
    const CUresult imported = cuMemImportFromShareableHandle(
        &handle_, reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor)),
        CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    close(descriptor);
    check(imported, "cuMemImportFromShareableHandle");
    try {
        CUmemAccessDesc access{};
        access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        check(cuCtxGetDevice(&access.location.id), "cuCtxGetDevice");
        access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        check(cuMemAddressReserve(&address_, bytes, 0, 0, 0), "cuMemAddressReserve");
        check(cuMemMap(address_, bytes, 0, handle_, 0), "cuMemMap");
        check(cuMemSetAccess(address_, bytes, &access, 1), "cuMemSetAccess");
    } catch (...) {
        release();
        throw;
    }
}

JudgesMemory::~JudgesMemory() {
    release();
}

Counts counted(const std::function<void()>&) {
    throw common::Failed("only emulated kernels are counted");
}

/// To unmap memory that was not mapped is an error without consequences.
void JudgesMemory::release() const {
    if (address_ != 0) {
        cuMemUnmap(address_, bytes_);
        cuMemAddressFree(address_, bytes_);
    }
    cuMemRelease(handle_);
}

}  // namespace grading
