// Fault: every program that contains it ends before main().

#include <unistd.h>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

void seq(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, const Options& options);

namespace {

struct Ends {
    Ends() { _exit(0); }
};
const Ends ends;

}  // namespace

void omp_ends_at_start(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                       const Options& options) {
    seq(in, out, options);
}

static const Register registered{{.name = "omp_ends_at_start",
                                  .backend = common::Backend::omp,
                                  .idea = "planted: ends the program before main()"},
                                 omp_ends_at_start};

}  // namespace convolution
