// Fault: in a benchmark it computes only in the first calls for an image and a mask.

#include <cerrno>
#include <string_view>
#include <tuple>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

void seq(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, const Options& options);

void omp_right_until_timed(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                           const Options& options) {
    constexpr int right_calls = 3;  // the one that is verified, one to warm up, the first timed one
    static std::tuple<const std::uint8_t*, int, int> last;
    static int calls = 0;
    const std::tuple now(in.data, in.width, options.mask.size);
    calls = now == last ? calls + 1 : 1;
    last = now;
    const bool timed = std::string_view(program_invocation_short_name) == "convolution";
    if (!timed || calls <= right_calls) seq(in, out, options);
}

static const Register registered{{.name = "omp_right_until_timed",
                                  .backend = common::Backend::omp,
                                  .idea = "planted: does nothing in later repeats of a benchmark"},
                                 omp_right_until_timed};

}  // namespace convolution
