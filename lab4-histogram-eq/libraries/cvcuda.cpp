// CV-CUDA's equalization: a histogram, its scan with the table, and the look-up, in three kernels.
// Version 0.19 gives the values of cv::equalizeHist; version 0.15 truncates.

#include <cvcuda/OpHistogramEq.hpp>
#include <memory>

#include "common/cvcuda.hpp"
#include "common/scratch.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace equalize {

using common::DeviceView;

void peer_cvcuda(DeviceView<const std::uint8_t> in, DeviceView<std::uint8_t> out,
                 const Options& options, cudaStream_t stream) {
    std::shared_ptr<void>& equalize = options.scratch->kept(0);
    if (!equalize) equalize = std::make_shared<cvcuda::HistogramEq>(1);  // of one image per call
    (*static_cast<cvcuda::HistogramEq*>(equalize.get()))(stream, common::cvcuda_tensor(in),
                                                         common::cvcuda_tensor(out));
}

static const Register registered{
    {.name = "peer_cvcuda",
     .backend = common::Backend::peer,
     .idea = "cvcuda::HistogramEq; older versions truncate, so compared with tolerance 1",
     .agreement = {.tolerance = 1}},
    peer_cvcuda};

}  // namespace equalize
