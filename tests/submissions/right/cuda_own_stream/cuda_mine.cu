// Right: a stream of its own, which the given one waits for.

#include "common/scratch.hpp"
#include "parts/cuda_lab1.hpp"

static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    const cudaStream_t own = options.scratch->stream(0);
    const cudaEvent_t event = options.scratch->event(0);
    common::check(cudaEventRecord(event, stream));
    common::check(cudaStreamWaitEvent(own, event, 0));
    honest(in, out, options, own);
    common::check(cudaEventRecord(event, own));
    common::check(cudaStreamWaitEvent(stream, event, 0));
}
