// Wrong: the grid is one block too narrow for widths that are no multiple of the block.

#include "parts/cuda_lab1.hpp"

static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const dim3 grid(static_cast<unsigned>(in.width / block.width),
                    static_cast<unsigned>((in.height + block.height - 1) / block.height));
    convolve<<<grid, common::threads_of(block), 0, stream>>>(in, out, options.mask);
    common::check_launch();
}
