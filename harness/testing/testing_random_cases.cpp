// The parameters that the random cases of all labs have.

#include <algorithm>

#include "harness/random.hpp"
#include "harness/testing_random.hpp"

namespace harness {
namespace {

/// A length from 1 to `most`, often near a multiple of 16 or 32 or a power of two.
std::int64_t length(Random& random, std::int64_t most) {
    std::int64_t value = 0;
    switch (random.between(0, 7)) {
        case 0:
            value = random.between(1, 4);
            break;
        case 1:
            value = 16 * random.between(1, 12) + random.between(-1, 1);
            break;
        case 2:
            value = 32 * random.between(1, 6) + random.between(-1, 1);
            break;
        case 3:
            value = (std::int64_t{1} << random.between(3, 11)) + random.between(-1, 1);
            break;
        default:
            value = random.between(1, 200);
    }
    return std::clamp(value, std::int64_t{1}, most);
}

/// A length up to `most`, often near a multiple of 32.
std::int64_t large_length(Random& random, std::int64_t most) {
    const std::int64_t value = random.between(1, std::max(most, std::int64_t{1}));
    return std::clamp(random.in(50) ? value / 32 * 32 + random.between(-1, 1) : value,
                      std::int64_t{1}, most);
}

std::int64_t width(Random& random, std::int64_t most_pixels) {
    const std::int64_t kind = random.between(1, 100);
    if (kind <= 4) return large_length(random, std::min<std::int64_t>(most_pixels, 20'000));
    if (kind <= 16) return large_length(random, std::min<std::int64_t>(most_pixels, 2'500));
    return length(random, std::min<std::int64_t>(most_pixels, 200));
}

std::int64_t height(Random& random, const Case& chosen, std::int64_t most_pixels,
                    std::int64_t usual_pixels) {
    const bool large = random.between(1, 200) == 1;
    const std::int64_t pixels = large ? most_pixels : std::min(most_pixels, usual_pixels);
    const std::int64_t most = std::max<std::int64_t>(pixels / chosen["width"], 1);
    if (large || random.in(6)) return large_length(random, std::min<std::int64_t>(most, 70'000));
    return length(random, most);
}

enum Content { flat, noise, two_levels, one_pixel, gradient, few_levels };

uchar byte_at(Content content, std::uint64_t seed, std::uint64_t x, std::uint64_t y,
              std::uint64_t index, std::uint64_t chosen_index) {
    const auto of_seed = [seed](std::uint64_t i) { return random_at(seed, i) >> 40; };
    switch (content) {
        case flat:
            return static_cast<uchar>(of_seed(0));
        case two_levels:
            return of_seed(index) % 2 == 0 ? uchar{0} : uchar{255};
        case one_pixel:
            return static_cast<uchar>(index == chosen_index ? of_seed(1) : of_seed(0));
        case gradient:
            return static_cast<uchar>(of_seed(0) % 5 * x + of_seed(1) % 5 * y);
        case few_levels:
            return static_cast<uchar>(of_seed(of_seed(index) % (2 + seed % 7)));
        case noise:
            break;
    }
    return static_cast<uchar>(of_seed(index));
}

}  // namespace

std::vector<Parameter> size_parameters(std::int64_t most_pixels, std::int64_t usual_pixels) {
    return {{"width", 1, [=](Random& random, const Case&) { return width(random, most_pixels); }},
            {"height", 1, [=](Random& random, const Case& chosen) {
                 return height(random, chosen, most_pixels, usual_pixels);
             }}};
}

std::vector<Parameter> launch_parameters(const VariantInfo& variant) {
    if (variant.backend == Backend::cuda) {
        return {{"block_width", 0,
                 [](Random& random, const Case&) {
                     if (random.in(65)) return std::int64_t{0};
                     return random.in(70) ? std::int64_t{1} << random.between(0, 8)
                                          : random.between(1, 64);
                 }},
                {"block_height", 0, [](Random& random, const Case& chosen) {
                     if (chosen["block_width"] == 0) return std::int64_t{0};
                     const std::int64_t most = 1024 / chosen["block_width"];
                     return std::min(most, random.one_of({1, 2, 3, 4, 5, 8, 13, 16, 32, 1024}));
                 }}};
    }
    if (variant.backend == Backend::mpi) {
        return {{"ranks", 1,
                 [](Random& random, const Case&) {
                     return random.one_of({1, 2, 2, 3, 3, 4, 4, 7});
                 }},
                {"threads", 1, [](Random& random, const Case&) {
                     return random.one_of({1, 1, 2});
                 }}};
    }
    if (variant.on_device) return {};
    const Parameter threads{"threads", 1, [](Random& random, const Case&) {
                                return random.one_of({1, 2, 2, 2, 3, 4, 5, 7});
                            }};
    if (variant.backend != Backend::omp) return {threads};
    const auto best = static_cast<std::int64_t>(InstructionSet::amx);
    std::vector<std::string> sets;
    for (const InstructionSetNames& names : instruction_set_names) sets.push_back(names.in_tests);
    const std::int64_t most = Limits{}.max_cached_output;
    return {threads,
            {"instruction_set", best,
             [best](Random& random, const Case&) {
                 return random.in(50) ? best : random.between(0, best);
             },
             sets},
            {"max_cached_output", most,
             [most](Random& random, const Case&) { return random.in(30) ? 0 : most; }}};
}

RunOptions run_options(const Case& chosen) {
    RunOptions options;
    if (chosen.has("threads")) options.threads = chosen.number("threads");
    if (chosen.has("ranks")) options.ranks = chosen.number("ranks");
    if (chosen.has("instruction_set")) {
        options.limits.instruction_set = static_cast<InstructionSet>(chosen["instruction_set"]);
    }
    if (chosen.has("max_cached_output"))
        options.limits.max_cached_output = chosen["max_cached_output"];
    if (chosen.has("block_width") && chosen["block_width"] > 0 && chosen["block_height"] > 0) {
        options.block = Block{chosen.number("block_width"), chosen.number("block_height")};
    }
    return options;
}

std::vector<Parameter> content_parameters() {
    return {{"content",
             flat,
             [](Random& random, const Case&) {
                 return random.in(60) ? std::int64_t{noise} : random.between(flat, few_levels);
             },
             {"flat", "noise", "two_levels", "one_pixel", "gradient", "few_levels"}},
            {"content_seed", 1,
             [](Random& random, const Case&) { return random.between(1, 1'000'000); }}};
}

cv::Mat bytes_of(const Case& chosen, int channels) {
    const auto content = static_cast<Content>(chosen["content"]);
    const auto seed = static_cast<std::uint64_t>(chosen["content_seed"]);
    cv::Mat image(chosen.number("height"), chosen.number("width"), CV_8UC(channels));
    const auto values = static_cast<std::uint64_t>(image.cols * channels);
    const std::uint64_t chosen_index =
        random_at(seed, 2) % (values * static_cast<std::uint64_t>(image.rows));
    std::uint64_t index = 0;
    for (int y = 0; y < image.rows; ++y) {
        for (std::uint64_t i = 0; i < values; ++i, ++index) {
            image.ptr(y)[i] =
                byte_at(content, seed, i, static_cast<std::uint64_t>(y), index, chosen_index);
        }
    }
    return image;
}

}  // namespace harness
