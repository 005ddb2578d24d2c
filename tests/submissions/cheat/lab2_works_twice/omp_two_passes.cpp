// A running sum along each row. Each part of the work is checked by a second scan, which the other
// thread does at the same time.

#include <memory>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;

template <class Sum>
static void scan(ImageView<const Pixel> in, ImageView<Sum> sums) {
    for (int y = 0; y < in.height; ++y) {
        const Pixel* pixels = in.row(y);
        const Sum* above = y > 0 ? sums.row(y - 1) : nullptr;
        Sum* row = sums.row(y);
        Sum along_row = 0;
        for (int x = 0; x < in.width; ++x) {
            along_row += pixels[x];
            row[x] = along_row + (above != nullptr ? above[x] : 0);
        }
    }
}

template <class Sum>
static void omp_two_passes(ImageView<const Pixel> in, ImageView<Sum> sums, const Options& options) {
    const auto values = static_cast<std::size_t>(in.width) * static_cast<std::size_t>(in.height);
    static std::unique_ptr<Sum[]> memory;
    static std::size_t size = 0;
    if (size < values) {
        memory = std::make_unique_for_overwrite<Sum[]>(values);
        size = values;
    }
    const ImageView<Sum> again{memory.get(), in.width, in.height, 1, in.width};
#pragma omp parallel for schedule(static) num_threads(options.threads)
    for (int part = 0; part < 2; ++part) scan(in, part == 0 ? sums : again);
}

static const Register registered{{.name = "omp_two_passes",
                                  .backend = common::Backend::omp,
                                  .idea = "a scan, and one that checks it"},
                                 Cost::linear,
                                 omp_two_passes<Sum32>,
                                 omp_two_passes<Sum64>};

}  // namespace integral
