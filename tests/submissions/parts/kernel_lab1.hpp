// One thread for a pixel. The function load(in, x, y, c), a value of the input, is the submission's
// own.

static __global__ void convolve(Input in, Output out, const Mask mask) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    const int k = mask.radius();
    for (int c = 0; c < in.channels; ++c) {
        float sum = 0;
        for (int i = max(-k, -y); i <= min(k, in.height - 1 - y); ++i) {
            for (int j = max(-k, -x); j <= min(k, in.width - 1 - x); ++j) {
                sum += load(in, x + j, y + i, c) * mask.at(i + k, j + k);
            }
        }
        out.at(x, y, c) = to_pixel(sum);
    }
}

[[maybe_unused]] static void honest(Input in, Output out, const Options& options,
                                    cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    convolve<<<common::grid_for(in.width, in.height, block), common::threads_of(block), 0,
               stream>>>(in, out, options.mask);
    common::check_launch();
}
