// The method `learned` with one thread for each output of a layer. A kernel for each layer reads
// the activations of the layer before from global memory and writes its own: 16 bytes for each
// pixel. Planes have a border, which the next layer needs, and become smaller by one pixel on each
// side from layer to layer.
//
// Bound by the multiply-adds of bytes, which take an instruction each and one to load each byte.

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/cuda.cuh"
#include "common/scratch.hpp"
#include "common/view.hpp"
#include "problem/network.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::DeviceView;

/// Activations or residuals in global memory, [y][x][channel], of the image and a border.
template <class Value>
struct Plane {
    Value* values;
    int width;
    int height;
    int channels;

    __device__ Value* at(int x, int y) const {
        return values + (std::ptrdiff_t{y} * width + x) * channels;
    }
};

static __global__ void luma_plane(DeviceView<const std::uint8_t> in, Plane<std::uint8_t> out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height) return;
    const int from_x = min(max(x - network_layers, 0), in.width - 1);
    const int from_y = min(max(y - network_layers, 0), in.height - 1);
    *out.at(x, y) = luma(&in.at(from_x, from_y), in.channels);
}

template <class Value>
static __global__ void convolve(Plane<const std::uint8_t> in, Plane<Value> out,
                                const Network* network, int index) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int x = column / out.channels;
    const int o = column % out.channels;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height) return;
    const Layer& layer = network->layers[index];
    int sum = layer.bias[o];
    for (int tap = 0; tap < network_taps; ++tap) {
        const std::uint8_t* values = in.at(x + tap % 3, y + tap / 3);
        for (int i = 0; i < in.channels; ++i) sum += layer.weights[o][tap][i] * values[i];
    }
    const int value = layer.rounded(sum);
    const bool is_last = index == network_layers - 1;
    out.at(x, y)[o] = is_last ? value : min(max(value, 0), 255);
}

static __global__ void add_residuals(DeviceView<const std::uint8_t> in,
                                     DeviceView<std::uint8_t> out, Plane<std::int16_t> residuals) {
    const int X = blockIdx.x * blockDim.x + threadIdx.x;
    const int Y = blockIdx.y * blockDim.y + threadIdx.y;
    if (X >= out.width || Y >= out.height) return;
    const int residual = residuals.at(X / 2, Y / 2)[2 * (Y % 2) + X % 2];
    for (int c = 0; c < out.channels; ++c) {
        int sum = 0;
        for (int j = 0; j < 4; ++j) {
            const int y = min(max(Y / 2 + (j - 2) * direction(Y), 0), in.height - 1);
            for (int i = 0; i < 4; ++i) {
                const int x = min(max(X / 2 + (i - 2) * direction(X), 0), in.width - 1);
                sum += bicubic_256(j) * bicubic_256(i) * in.at(x, y, c);
            }
        }
        out.at(X, Y, c) = restored(sum, residual);
    }
}

void cuda_learned(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                  const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const dim3 threads = common::threads_of(block);
    const auto bytes = std::as_bytes(std::span(options.network, 1));
    const auto* network = static_cast<const Network*>(options.scratch->constants(2, bytes, stream));

    Plane<std::uint8_t> values{nullptr, in.width + 2 * network_layers,
                               in.height + 2 * network_layers, 1};
    const std::size_t most = std::size_t{network_channels} * values.width * values.height;
    std::uint8_t* const planes[2] = {static_cast<std::uint8_t*>(options.scratch->get(0, most)),
                                     static_cast<std::uint8_t*>(options.scratch->get(1, most))};
    values.values = planes[0];
    luma_plane<<<common::grid_for(values.width, values.height, block), threads, 0, stream>>>(
        in, values);
    common::check_launch();
    for (int i = 0; i < network_layers; ++i) {
        const Plane<const std::uint8_t> from{values.values, values.width, values.height,
                                             values.channels};
        values = {planes[(i + 1) % 2], from.width - 2, from.height - 2, Network::outputs(i)};
        const dim3 grid = common::grid_for(values.width * values.channels, values.height, block);
        if (i < network_layers - 1) {
            convolve<<<grid, threads, 0, stream>>>(from, values, network, i);
        } else {
            const Plane<std::int16_t> residuals{reinterpret_cast<std::int16_t*>(values.values),
                                                values.width, values.height, values.channels};
            convolve<<<grid, threads, 0, stream>>>(from, residuals, network, i);
            add_residuals<<<common::grid_for(out.width, out.height, block), threads, 0, stream>>>(
                in, out, residuals);
        }
        common::check_launch();
    }
}

static const Register registered{{.name = "cuda_learned",
                                  .backend = common::Backend::cuda,
                                  .idea = "--method learned, one thread per output of a layer"},
                                 cuda_learned,
                                 Traits{.slow = true, .in_ladder = false, .learned = true}};

}  // namespace upscale
