#include <algorithm>
#include <cmath>

#include "masks.hpp"
#include "variant_call.hpp"

namespace {

using convolution::Mask;
using harness::Case;
using harness::Random;

enum Kind {
    box,
    fractions,
    gaussian,
    centred,
    symmetric,
    asymmetric,
    inexact,
    irregular,
    sparse,
    builtin
};

/// A mask of one to four weights that are not zero. Some are so large that nearly all sums are
/// clamped.
Mask sparse_mask(int size, std::uint64_t seed) {
    Mask mask{size, {}};
    const auto values = static_cast<std::uint64_t>(size * size);
    for (std::uint64_t i = 0; i < 1 + seed % 4; ++i) {
        const auto bits = harness::random_at(seed, i);
        mask.weights[bits % values] = static_cast<float>(static_cast<int>(bits >> 56) - 128) /
                                      static_cast<float>(std::uint64_t{1} << (bits >> 40) % 12);
    }
    return mask;
}

Mask with_centre(Mask mask, float more) {
    mask.weights[mask.size * mask.size / 2] += more;
    return mask;
}

Mask box_mask(int size) {
    Mask mask{size, {}};
    for (int i = 0; i < size * size; ++i) mask.weights[i] = 1.0f / static_cast<float>(size * size);
    return mask;
}

/// A mask of small integers divided by their sum. A third of the seeds has negative weights. For
/// some seeds the weights add up to 2, so that sums are clamped.
Mask fractions_mask(int size, std::uint64_t seed) {
    Mask mask{size, {}};
    const float least = seed % 3 == 0 ? -2.0f : 0.0f;
    float sum = 0;
    for (int i = 0; i < size * size; ++i) {
        const auto bits = harness::random_at(seed, static_cast<std::uint64_t>(i));
        mask.weights[i] = static_cast<float>(bits >> 61) + least;
        sum += mask.weights[i];
    }
    if (seed % 3 == 1) sum = std::ceil(sum / 2);
    for (int i = 0; i < size * size; ++i) mask.weights[i] /= std::max(sum, 1.0f);
    return mask;
}

std::vector<harness::Parameter> input_parameters() {
    return harness::joined(
        {harness::size_parameters(400'000),
         {harness::one_of("channels", {1, 3})},
         harness::content_parameters(),
         {{"mask",
           box,
           [](Random& random, const Case&) { return random.between(box, builtin); },
           {"box", "fractions", "gaussian", "centred", "symmetric", "asymmetric", "inexact",
            "irregular", "sparse", "builtin"}},
          {"mask_radius", 0, [](Random& random, const Case&) { return random.between(0, 7); }},
          {"mask_seed", 1, [](Random& random, const Case&) { return random.between(1, 1000); }}}});
}

Mask mask_of(const Case& chosen) {
    const int size = 2 * chosen.number("mask_radius") + 1;
    const auto seed = static_cast<std::uint64_t>(chosen["mask_seed"]);
    const auto filters = convolution::filter_names();
    switch (static_cast<Kind>(chosen["mask"])) {
        case box:
            return box_mask(size);
        case fractions:
            return fractions_mask(size, seed);
        case gaussian:
            return convolution::gaussian_mask(size);
        case centred:
            return with_centre(convolution::gaussian_mask(size), static_cast<float>(seed % 3));
        case symmetric:
            return symmetric_mask(size);
        case asymmetric:
            return asymmetric_mask(size, seed);
        case inexact:
            return random_mask(size, seed);
        case irregular:
            return irregular_mask(size);
        case sparse:
            return sparse_mask(size, seed);
        case builtin:
            return convolution::find_filter(filters[seed % filters.size()]);
    }
    throw std::out_of_range("mask");
}

}  // namespace

harness::RandomCases random_cases(const convolution::Variant& variant) {
    const auto parameters =
        harness::joined({input_parameters(), harness::launch_parameters(variant)});
    return {parameters, [&variant, parameters](const Case& chosen) {
                const Mask mask = mask_of(chosen);
                const convolution::Options options{harness::run_options(chosen), mask};
                return variant_call_for(variant, options,
                                        harness::bytes_of(chosen, chosen.number("channels")),
                                        harness::to_text(parameters, chosen));
            }};
}
