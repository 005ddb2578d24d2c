// CUB scans sequences and has no integral image. This variant scans by key twice: along the rows
// with the row number as key, into scratch memory, then along the columns with the column number as
// key. An iterator computes the addresses of the columns, so their accesses are not coalesced.

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>
#include <cub/device/device_scan.cuh>
#include <functional>

#include "common/cuda.cuh"
#include "common/scratch.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::DeviceView;

/// The line (row or column) of the i-th element of a walk along the lines.
struct LineOf {
    std::int64_t length;
    __host__ __device__ std::int64_t operator()(std::int64_t i) const { return i / length; }
};

/// The offset of the i-th element: `along` is the stride in a line, `across` that between lines.
struct OffsetOf {
    std::int64_t length, along, across;
    __host__ __device__ std::int64_t operator()(std::int64_t i) const {
        return i % length * along + i / length * across;
    }
};

template <class Sum>
struct ToSum {
    __host__ __device__ Sum operator()(Pixel pixel) const { return pixel; }
};

template <class Values, class Sums>
static void scan_lines(Values values, Sums sums, std::int64_t length, std::int64_t count,
                       common::Scratch& scratch, cudaStream_t stream) {
    const auto lines =
        thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0), LineOf{length});
    std::size_t bytes = 0;
    const auto scan = [&](void* temporary) {
        common::check(cub::DeviceScan::InclusiveSumByKey(temporary, bytes, lines, values, sums,
                                                         count, std::equal_to<>{}, stream));
    };
    scan(nullptr);  // returns the size of the temporary memory in `bytes`
    scan(scratch.get(1, bytes));
}

template <class Iterator>
static auto walk(Iterator values, OffsetOf offsets) {
    return thrust::make_permutation_iterator(
        values,
        thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0), offsets));
}

template <class Sum>
static void peer_cub(DeviceView<const Pixel> in, DeviceView<Sum> sums, const Options& options,
                     cudaStream_t stream) {
    const std::int64_t width = in.width;
    const std::int64_t height = in.height;
    const std::int64_t count = width * height;
    auto* rows = static_cast<Sum*>(options.scratch->get(0, count * sizeof(Sum)));
    const auto pixels = thrust::make_transform_iterator(in.data, ToSum<Sum>{});
    scan_lines(walk(pixels, {width, 1, in.pitch}), rows, width, count, *options.scratch, stream);
    scan_lines(walk(rows, {height, width, 1}), walk(sums.data, {height, sums.pitch, 1}), height,
               count, *options.scratch, stream);
}

static const Register registered{
    {.name = "peer_cub",
     .backend = common::Backend::peer,
     .idea = "cub::DeviceScan by key, once along the rows and once along the columns"},
    Cost::linear,
    peer_cub<Sum32>,
    peer_cub<Sum64>};

}  // namespace integral
