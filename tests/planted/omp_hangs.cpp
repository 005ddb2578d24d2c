// Fault: at one size it sleeps forever. At one size only, because each test that hangs takes time.

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
