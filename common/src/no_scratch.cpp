// A build without CUDA: no variant that is in it asks for GPU memory.

#include "common/error.hpp"
#include "common/scratch.hpp"

namespace common {
namespace {

[[noreturn]] void no_cuda() {
    throw Unavailable("built without CUDA");
}

}  // namespace

Scratch::~Scratch() = default;
void* Scratch::get(std::size_t, std::size_t) {
    no_cuda();
}
const void* Scratch::constants(std::size_t, std::span<const std::byte>, cudaStream_t) {
    no_cuda();
}
void* Scratch::pinned(std::size_t, std::size_t) {
    no_cuda();
}
cudaStream_t Scratch::stream(std::size_t, bool) {
    no_cuda();
}
cudaEvent_t Scratch::event(std::size_t) {
    no_cuda();
}

}  // namespace common
