// Fault: at one size it waits for something that never happens, without using the CPU meanwhile. At
// every size it would too, but then many tests would have to be waited for.

#include <chrono>
#include <thread>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

void seq(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, const Options& options);

void omp_hangs(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
               const Options& options) {
    volatile bool done = in.width != 56;
    while (!done) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    seq(in, out, options);
}

static const Register registered{
    {.name = "omp_hangs", .backend = common::Backend::omp, .idea = "planted: waits for ever"},
    omp_hangs};

}  // namespace convolution
