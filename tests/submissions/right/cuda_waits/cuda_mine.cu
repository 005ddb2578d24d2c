// Right: waits for its stream before it returns, which costs time and nothing else.

#include "parts/cuda_lab1.hpp"

static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    honest(in, out, options, stream);
    common::check(cudaStreamSynchronize(stream));
}
