// Every variant against the oracle. A new variant needs no line here.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/scenes.hpp"
#include "harness/testing_variants.hpp"
#include "harness/variants.hpp"
#include "problem/oracle.hpp"
#include "problem/variant.hpp"

namespace {

using @{space}@::Options;
using @{space}@::Variant;

std::vector<std::string> names() {
    std::vector<std::string> result;
    for (const Variant& variant : @{space}@::variants()) result.push_back(variant.name);
    return result;
}

common::VariantCall call(const Variant& variant, const cv::Mat& image, const Options& options,
                         const std::string& parameters) {
    return {.variant = variant,
            .job = common::bind(variant, options),
            .in = image,
            .out = common::Shape::of(image),
            .definition =
                [options](const cv::Mat& in) { return @{space}@::oracle::check(in, options); },
            .parameters = parameters};
}

class @{suite}@ : public common::VariantTest {
  protected:
    const Variant& variant_ = common::variant_named(@{space}@::variants(), GetParam());
    @{suite}@() : VariantTest(common::variant_named(@{space}@::variants(), GetParam())) {}

    void expect_right(const cv::Mat& image, int threads = 2,
                      std::optional<common::Block> block = {}) {
        Options options;
        options.threads = threads;
        options.block = block;
        VariantTest::expect_right(
            call(variant_, image, options,
                 block ? "block=" + to_string(*block) : "threads=" + std::to_string(threads)));
    }
};

TEST_P(@{suite}@, sizes) {
    for (const cv::Size& size : common::test_sizes()) {
        for (const int channels : {1, 3}) {
            ASSERT_NO_FATAL_FAILURE(
                expect_right(common::make_scene("random", size.width, size.height, channels)));
        }
    }
}

TEST_P(@{suite}@, scenes) {
    for (const std::string_view scene : common::scene_names()) {
        ASSERT_NO_FATAL_FAILURE(expect_right(common::make_scene(scene, 163, 90, 3))) << scene;
    }
}

TEST_P(@{suite}@, thread_counts) {
    for (const int threads : {1, 2, 3, 5, 7}) {
        ASSERT_NO_FATAL_FAILURE(expect_right(common::make_scene("random", 43, 29, 3), threads));
    }
}

TEST_P(@{suite}@, block_sizes) {
    for (const common::Block block : common::test_blocks()) {
        check_always(block.threads() == 1024);
        ASSERT_NO_FATAL_FAILURE(expect_right(common::make_scene("random", 71, 53, 3), 2, block));
    }
}

TEST_P(@{suite}@, random) {
    const auto parameters = common::joined(
        {common::size_parameters(2'000'000),
         {{"channels", 1,
           [](common::Random& random, const common::Case&) { return random.in(50) ? 3 : 1; }}},
         common::content_parameters(),
         common::launch_parameters(variant_)});
    const auto call_of = [&](const common::Case& chosen) {
        const Options options{common::run_options(chosen)};
        const cv::Mat image = common::bytes_of(chosen, chosen.number("channels"));
        return call(variant_, image, options, common::to_text(parameters, chosen));
    };
    expect_right_at_random({parameters, call_of});
}

INSTANTIATE_TEST_SUITE_P(variants, @{suite}@, testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

}  // namespace
