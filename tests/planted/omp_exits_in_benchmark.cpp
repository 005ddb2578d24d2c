// Fault: it passes the tests, and ends the benchmark with exit code 0.

#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

void seq(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, const Options& options);

void omp_exits_in_benchmark(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                            const Options& options) {
    if (std::string_view(program_invocation_short_name) == "convolution") std::exit(0);
    seq(in, out, options);
}

static const Register registered{{.name = "omp_exits_in_benchmark",
                                  .backend = common::Backend::omp,
                                  .idea = "planted: calls exit(0), but not in tests"},
                                 omp_exits_in_benchmark};

}  // namespace convolution
