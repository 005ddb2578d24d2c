// Intel's IPP: its histogram and its look-up. IPP has no equalization, so the table between them is
// ours. A call uses one thread, so each thread gets a band of rows.

#include <ipp/ippcore.h>
#include <ipp/ippi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/error.hpp"
#include "common/view.hpp"
#include "problem/table.hpp"
#include "problem/variant.hpp"

namespace equalize {

using common::ImageView;

/// A status below 0 is an error.
static IppStatus count(ImageView<const std::uint8_t> in, int top, int bottom,
                       Histogram& histogram) {
    const IppiSize size{in.width, bottom - top};
    int boundaries = levels + 1;  // of the bins: 0 to 256
    Ipp32f first = 0;
    Ipp32f last = levels;
    int spec_size = 0;
    int buffer_size = 0;
    const IppStatus sizes =
        ippiHistogramGetBufferSize(ipp8u, size, &boundaries, 1, 1, &spec_size, &buffer_size);
    if (sizes < ippStsNoErr) return sizes;
    std::vector<Ipp8u> spec_bytes(static_cast<std::size_t>(spec_size));
    std::vector<Ipp8u> buffer(static_cast<std::size_t>(buffer_size));
    auto* spec = reinterpret_cast<IppiHistogramSpec*>(spec_bytes.data());
    const IppStatus made = ippiHistogramUniformInit(ipp8u, &first, &last, &boundaries, 1, spec);
    if (made < ippStsNoErr) return made;
    return ippiHistogram_8u_C1R(in.row(top), static_cast<int>(in.pitch), size, histogram.data(),
                                spec, buffer.data());
}

static IppStatus look_up(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, int top,
                         int bottom, const Table& table) {
    return ippiLUTPalette_8u_C1R(in.row(top), static_cast<int>(in.pitch), out.row(top),
                                 static_cast<int>(out.pitch), {in.width, bottom - top},
                                 table.data(), 8);
}

void peer_ipp(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
              const Options& options) {
    const int bands = std::min(in.height, options.threads);
    const auto edge = [&](int i) { return static_cast<int>(std::int64_t{in.height} * i / bands); };
    Histogram histogram{};
    std::vector<IppStatus> status(2 * static_cast<std::size_t>(bands));
#pragma omp parallel for schedule(static) num_threads(bands)
    for (int b = 0; b < bands; ++b) {
        const auto at = static_cast<std::size_t>(b);
        Histogram mine{};
        status[2 * at] = count(in, edge(b), edge(b + 1), mine);
#pragma omp critical
        std::transform(mine.begin(), mine.end(), histogram.begin(), histogram.begin(), std::plus{});
    }
    const Table table = table_from_histogram(histogram);
#pragma omp parallel for schedule(static) num_threads(bands)
    for (int b = 0; b < bands; ++b) {
        status[2 * static_cast<std::size_t>(b) + 1] = look_up(in, out, edge(b), edge(b + 1), table);
    }
    const IppStatus worst = *std::min_element(status.begin(), status.end());
    if (worst < ippStsNoErr) throw common::Failed(ippGetStatusString(worst));
}

static const Register registered{{.name = "peer_ipp",
                                  .backend = common::Backend::peer,
                                  .idea = "ippiHistogram and ippiLUTPalette; the table is ours"},
                                 peer_ipp};

}  // namespace equalize
