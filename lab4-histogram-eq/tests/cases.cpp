#include "cases.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "harness/random.hpp"
#include "harness/scenes.hpp"
#include "mistakes.hpp"
#include "problem/input.hpp"

using equalize::oracle::Counts;
using harness::Case;
using harness::Random;

namespace {

std::vector<harness::Parameter> input_parameters() {
    return harness::joined(
        {harness::size_parameters(2'000'000),
         {harness::one_of("channels", {1, 1, 1, 1, 3})},
         harness::content_parameters(),
         // Levels are first, first + step, and so on; they may leave out 0.
         {{"first_level", 0,
           [](Random& random, const Case&) { return random.in(60) ? 0 : random.between(0, 255); }},
          {"step", 1,
           [](Random& random, const Case&) { return random.in(60) ? 1 : random.between(1, 255); }},
          {"skewed", 0, [](Random& random, const Case&) { return random.in(15) ? 1 : 0; }}}});
}

cv::Mat image_of(const Case& chosen) {
    cv::Mat image = harness::bytes_of(chosen, chosen.number("channels"));
    const int first = chosen.number("first_level");
    const int step = chosen.number("step");
    const int count = (255 - first) / step + 1;
    for (int y = 0; y < image.rows; ++y) {
        for (int i = 0; i < image.cols * image.channels(); ++i) {
            uchar& value = image.ptr(y)[i];
            const int level = chosen["skewed"] == 1 ? (value & -value) : value;
            value = static_cast<uchar>(first + level % count * step);
        }
    }
    return image;
}

/// The quotient 7 * 255 / 14 is half-way between two integers. The float product is less. Level 255
/// occurs: otherwise a wrong scan can end with 0, and N - cdf_min wraps around.
cv::Mat tie_of_quotient() {
    Counts counts{};
    counts[101] = 1;
    counts[201] = 7;
    counts[255] = 7;
    return with_counts(counts, 3);
}

/// Small images of few levels and of many, with constant ones and half-way cases.
std::vector<harness::VariantCall> probes(const common::VariantInfo& info, const harness::Job& job,
                                         std::optional<common::Block> block) {
    std::vector<harness::VariantCall> all;
    const auto add = [&](const harness::Job& of, const cv::Mat& image) {
        all.push_back(variant_call_for(info, of, image, "", block));
        all.back().probes = {};
    };
    for (const cv::Mat& image : {noise_of(20, 12, 20, 3), noise_of(37, 23, 5, 7), noise(66, 41),
                                 ties(1), ties(3), cv::Mat(6, 9, CV_8UC1, cv::Scalar(100)),
                                 cv::Mat(13, 8, CV_8UC1, cv::Scalar(37)), tie_of_quotient()}) {
        add(job, image);
    }
    // Counts that need more than 8 bits, also if 8 threads share them.
    if (!harness::is_emulated(info)) add(job, noise(1024, 600));
    if (job.in_ranks() != nullptr) add(harness::with_more_ranks(job), all.front().in);
    return all;
}

/// The variants that are tasks: the handout lets them refuse nothing.
constexpr std::array tasks{"omp_rows", "omp_tables", "cuda_shared_atomics", "cuda_lane_histograms",
                           "cuda_broken"};

}  // namespace

harness::VariantCall variant_call_for(const common::VariantInfo& info, harness::Job job,
                                      const cv::Mat& image, const std::string& parameters,
                                      std::optional<common::Block> block) {
    const int ranks = job.in_ranks() != nullptr ? job.in_ranks()->ranks : 1;
    harness::Job gray_job = job;
    if (image.channels() != 1) gray_job.adapter = {};
    return {.variant = info,
            .job = std::move(job),
            .in = image,
            .out = {image.cols, image.rows, image.type()},
            .definition = equalize::oracle::check,
            .parameters = parameters,
            .block = block,
            .expected = equalize::oracle::equalized,
            .known_mistakes = [block,
                               ranks](const cv::Mat& in) { return mistakes::of(in, block, ranks); },
            .known_pairs = [block](const cv::Mat& in) { return mistakes::pairs_of(in, block); },
            .probes = [=] { return probes(info, gray_job, block); },
            .most_pixels = 20'000'000,
            .may_refuse = std::ranges::find(tasks, info.name) == tasks.end(),
            .loads_once = true};
}

cv::Mat noise(int width, int height) {
    return harness::make_scene("random", width, height, 1,
                               static_cast<std::uint64_t>(width * 1000 + height));
}

cv::Mat noise_of(int width, int height, int first, int step) {
    cv::Mat image = noise(width, height);
    const int count = (255 - first) / step + 1;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            uchar& pixel = image.ptr(y)[x];
            pixel = static_cast<uchar>(first + pixel % count * step);
        }
    }
    return image;
}

cv::Mat with_counts(const Counts& counts, int width) {
    const std::int64_t pixels = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    std::vector<uchar> values;
    values.reserve(static_cast<std::size_t>(pixels));
    for (std::size_t level = 0; level < counts.size(); ++level) {
        values.insert(values.end(), static_cast<std::size_t>(counts[level]),
                      static_cast<uchar>(level));
    }
    for (std::size_t i = values.size(); i > 1; --i) {
        std::swap(values[i - 1], values[harness::random_at(1, i) % i]);
    }
    const auto height = static_cast<int>(pixels / width);
    return cv::Mat(height, width, CV_8UC1, values.data()).clone();
}

cv::Mat ties(int k) {
    Counts counts{};
    counts.fill(2 * k);
    counts[0] = 15;
    counts[1] = k;
    counts[255] = 3 * k;
    return with_counts(counts, 15);
}

harness::RandomCases random_cases(const equalize::Variant& variant) {
    const auto parameters =
        harness::joined({input_parameters(), harness::launch_parameters(variant)});
    return {parameters, [&variant, parameters](const Case& chosen) {
                const equalize::Options options = harness::run_options(chosen);
                harness::Job job = harness::bind(variant, options);
                if (chosen["channels"] == 3) job.adapter = equalize::luma_only();
                return variant_call_for(variant, job, image_of(chosen),
                                        harness::to_text(parameters, chosen), options.block);
            }};
}
