#include "random_cases.hpp"

#include <stdexcept>

#include "exercise.hpp"
#include "lab.hpp"

namespace {

using common::Case;
using common::Random;

enum Method { gauss, bicubic, lagrange, bilinear, lanczos };

}  // namespace

std::vector<common::Parameter> input_parameters(std::int64_t most_pixels) {
    return common::joined(
        {common::size_parameters(most_pixels, 6'000),
         // Three times out of four in colour: some variants take nothing else.
         {{"channels", 1,
           [](Random& random, const Case&) {
               return random.one_of({1, 3, 3, 3});
           }}},
         common::content_parameters(),
         {{"method",
           gauss,
           [](Random& random, const Case&) {
               return random.in(70) ? std::int64_t{gauss} : random.between(bicubic, lanczos);
           },
           {"gauss", "bicubic", "lagrange", "bilinear", "lanczos"}},
          {"radius", 1, [](Random& random, const Case&) { return random.between(1, 7); }},
          {"sigma_percent", 50, [](Random& random, const Case&) {
               return random.in(30) ? random.one_of({12, 36, 60, 300}) : random.between(12, 400);
           }}}});
}

cv::Mat image_of(const Case& chosen) {
    return common::bytes_of(chosen, chosen.number("channels"));
}

gold::Filter filter_of(const Case& chosen) {
    switch (static_cast<Method>(chosen["method"])) {
        case bicubic:
            return gold::bicubic;
        case lagrange:
            return gold::lagrange;
        case bilinear:
            return gold::bilinear;
        case lanczos:
            return gold::lanczos;
        case gauss:
            return {.radius = chosen.number("radius"),
                    .sigma = static_cast<double>(chosen["sigma_percent"]) / 100};
    }
    throw std::out_of_range("method");
}

common::RandomCases random_cases(const upscale::Variant& variant) {
    const auto parameters =
        common::joined({input_parameters(100'000), common::launch_parameters(variant)});
    return {parameters, [&variant, parameters](const Case& chosen) {
                const gold::Filter filter = filter_of(chosen);
                const common::RunOptions run = common::run_options(chosen);
                return exercise_for(variant, upscale::job_for(variant, options_for(filter, run)),
                                    image_of(chosen), filter, common::to_text(parameters, chosen),
                                    run.block);
            }};
}
