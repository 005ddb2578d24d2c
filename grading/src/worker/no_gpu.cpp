// Kernels are emulated: there is no memory of a GPU to share.

#include "common/error.hpp"
#include "worker/worker.hpp"

namespace grading {

JudgesMemory::JudgesMemory(int, std::size_t bytes) : bytes_(bytes) {
    throw common::Failed("kernels are emulated");
}

JudgesMemory::~JudgesMemory() = default;

}  // namespace grading
