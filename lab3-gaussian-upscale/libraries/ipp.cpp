// Intel's IPP samples at the same positions as the definition and can replicate the border. Its
// cubic filters have two parameters: 0 and 0.75 give the weights of `bicubic`. Some results are 1
// more or less than those of the definition. A call uses one thread, so each thread gets a band of
// rows, and reads the rows beside it.

#include <ipp/ippcore.h>
#include <ipp/ippi.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/error.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::ImageView;

static void check(IppStatus status) {  // a status below 0 is an error
    if (status < ippStsNoErr) throw common::Failed(ippGetStatusString(status));
}

/// Data that IPP prepares for a size and a method.
class Resize {
  public:
    Resize(IppiSize in, IppiSize out, Method method) : cubic_(method == Method::bicubic) {
        if (!cubic_ && method != Method::bilinear) {
            throw common::Unsupported("peer_ipp: has no such method; take --method bicubic");
        }
        int spec_size = 0;
        int buffer_size = 0;
        const IppStatus sizes = ippiResizeGetSize_8u(in, out, cubic_ ? ippCubic : ippLinear, 0,
                                                     &spec_size, &buffer_size);
        if (sizes == ippStsSizeErr) throw common::Unsupported("peer_ipp: the image is too small");
        check(sizes);
        bytes_.resize(static_cast<std::size_t>(spec_size));
        std::vector<Ipp8u> buffer(static_cast<std::size_t>(buffer_size));
        check(cubic_ ? ippiResizeCubicInit_8u(in, out, 0, 0.75f, spec(), buffer.data())
                     : ippiResizeLinearInit_8u(in, out, spec()));
    }

    /// Computes rows [top, bottom) of the output.
    IppStatus rows(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, int top,
                   int bottom) {
        const IppiSize size{out.width, bottom - top};
        const IppiPoint at{0, top};
        IppiPoint from{};
        const IppStatus offset = ippiResizeGetSrcOffset_8u(spec(), at, &from);
        if (offset < ippStsNoErr) return offset;
        int buffer_size = 0;
        const IppStatus got = ippiResizeGetBufferSize_8u(
            spec(), size, static_cast<Ipp32u>(in.channels), &buffer_size);
        if (got < ippStsNoErr) return got;
        std::vector<Ipp8u> buffer(static_cast<std::size_t>(buffer_size));
        const int border = ippBorderRepl | (top > 0 ? ippBorderInMemTop : 0) |
                           (bottom < out.height ? ippBorderInMemBottom : 0);
        const auto function =
            cubic_ ? (in.channels == 1 ? ippiResizeCubic_8u_C1R : ippiResizeCubic_8u_C3R)
                   : (in.channels == 1 ? ippiResizeLinear_8u_C1R : ippiResizeLinear_8u_C3R);
        return function(in.row(from.y), static_cast<int>(in.pitch), out.row(top),
                        static_cast<int>(out.pitch), at, size, static_cast<IppiBorderType>(border),
                        nullptr, spec(), buffer.data());
    }

  private:
    bool cubic_;
    std::vector<Ipp8u> bytes_;

    IppiResizeSpec_32f* spec() { return reinterpret_cast<IppiResizeSpec_32f*>(bytes_.data()); }
};

void peer_ipp(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
              const Options& options) {
    Resize resize({in.width, in.height}, {out.width, out.height}, options.method);
    const int bands = std::clamp(in.height / 8, 1, options.threads);
    const auto edge = [&](int i) { return static_cast<int>(std::int64_t{out.height} * i / bands); };
    std::vector<IppStatus> status(static_cast<std::size_t>(bands));
#pragma omp parallel for schedule(static) num_threads(bands)
    for (int b = 0; b < bands; ++b) {
        status[static_cast<std::size_t>(b)] = resize.rows(in, out, edge(b), edge(b + 1));
    }
    check(*std::min_element(status.begin(), status.end()));
}

static const Register registered{
    {.name = "peer_ipp",
     .backend = common::Backend::peer,
     .idea = "ippiResizeLinear and ippiResizeCubic; compared with tolerance 1",
     .agreement = {.tolerance = 1}},
    peer_ipp};

}  // namespace upscale
