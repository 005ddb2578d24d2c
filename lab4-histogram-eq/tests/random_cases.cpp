#include "random_cases.hpp"

#include "exercise.hpp"
#include "problem/input.hpp"

using common::Case;
using common::Random;

std::vector<common::Parameter> input_parameters(std::int64_t most_pixels) {
    return common::joined(
        {common::size_parameters(most_pixels),
         {{"channels", 1, [](Random& random, const Case&) { return random.in(20) ? 3 : 1; }}},
         common::content_parameters(),
         // Levels are first, first + step, and so on; they may leave out 0.
         {{"first_level", 0,
           [](Random& random, const Case&) { return random.in(60) ? 0 : random.between(0, 255); }},
          {"step", 1,
           [](Random& random, const Case&) { return random.in(60) ? 1 : random.between(1, 255); }},
          {"skewed", 0, [](Random& random, const Case&) { return random.in(15) ? 1 : 0; }}}});
}

cv::Mat image_of(const Case& chosen) {
    cv::Mat image = common::bytes_of(chosen, chosen.number("channels"));
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

common::RandomCases random_cases(const equalize::Variant& variant) {
    const auto parameters =
        common::joined({input_parameters(2'000'000), common::launch_parameters(variant)});
    return {parameters, [&variant, parameters](const Case& chosen) {
                const equalize::Options options = common::run_options(chosen);
                common::Job job = common::bind(variant, options);
                if (chosen["channels"] == 3) job.adapter = equalize::luma_only();
                return exercise_for(variant, job, image_of(chosen),
                                    common::to_text(parameters, chosen), options.block);
            }};
}
