// Fault: in a benchmark it computes only in the first calls for an image and a mask.

#include <tuple>

#include "parts/planted.hpp"

static void omp_right_until_timed(Input in, Output out, const Options& options) {
    constexpr int right_calls = 3;  // the one that is verified, one to warm up, the first timed one
    static std::tuple<const std::uint8_t*, int, int> last;
    static int calls = 0;
    const std::tuple now(in.data, in.width, options.mask.size);
    calls = now == last ? calls + 1 : 1;
    last = now;
    if (!in_benchmark() || calls <= right_calls) seq(in, out, options);
}

static const Register registered{
    planted("omp_right_until_timed", "does nothing in later repeats of a benchmark"),
    omp_right_until_timed};
