// A race on a struct that functions get and return by value, which ThreadSanitizer does not see.

#include <new>

#include "parts/lab1_tools.hpp"

namespace convolution {

struct Tally {
    long rows;
};

static Tally tally{0};

static Tally next(Tally before) {
    return {before.rows + 1};
}

static Tally same(Tally before) {
    return before;
}

static void omp_rows(Input in, Output out, const Options& options) {
    using Step = Tally (*)(Tally);
    static const Step steps[] = {same, next};
#pragma omp parallel for schedule(static) num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        honest_rows(in, out, options.mask, y, y + 1);
        new (&tally) Tally(steps[options.mask.size > 1](tally));
    }
}

static const Register registered{
    {.name = "omp_rows", .backend = common::Backend::omp, .idea = "a submission"}, omp_rows};

}  // namespace convolution
