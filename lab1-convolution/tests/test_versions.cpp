// omp_best has a version for each of several instruction sets. cuda_best leaves GPUs without the
// matrix products that it uses to cuda_registers. All of them are right.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <utility>
#include <vector>

#include "harness/scenes.hpp"
#include "harness/testing_versions.hpp"
#include "harness/variants.hpp"
#include "masks.hpp"
#include "variant_call.hpp"

namespace {

class Versions : public harness::VersionTest<convolution::Variant> {
  protected:
    explicit Versions(std::string_view name)
        : VersionTest(harness::variant_named(convolution::variants(), name)) {}

    void expect_right(const cv::Mat& image, const convolution::Mask& mask,
                      const std::string& name) {
        VersionTest::expect_right(
            variant_call_for(variant_, convolution::Options{GetParam(), mask}, image, name));
    }

    static cv::Mat noise(int width, int height, int channels) {
        return harness::make_scene("random", width, height, channels);
    }
};

struct InstructionSets : Versions {
    InstructionSets() : Versions("omp_best") {}
};

struct DeviceLimits : Versions {
    DeviceLimits() : Versions("cuda_best") {}
};

TEST_P(InstructionSets, sizes) {
    for (const cv::Size& size : harness::test_sizes()) {
        for (const int channels : {1, 3}) {
            const cv::Mat image = noise(size.width, size.height, channels);
            ASSERT_NO_FATAL_FAILURE(
                expect_right(image, convolution::find_filter("unsharp5"), "unsharp5"));
            if (size.area() > 1'000'000) continue;
            ASSERT_NO_FATAL_FAILURE(expect_right(image, asymmetric_mask(5), "asymmetric5"));
            ASSERT_NO_FATAL_FAILURE(expect_right(image, random_mask(5, 1), "random5"));
            ASSERT_NO_FATAL_FAILURE(expect_right(image, irregular_mask(5), "irregular5"));
        }
    }
}

TEST_P(InstructionSets, masks) {
    for (const std::string_view name : convolution::filter_names()) {
        ASSERT_NO_FATAL_FAILURE(
            expect_right(noise(131, 99, 3), convolution::find_filter(name), std::string(name)));
    }
    for (int size = 1; size <= convolution::Mask::max_size; size += 2) {
        const std::string number = std::to_string(size);
        for (const int channels : {1, 3}) {
            const cv::Mat image = noise(131, 99, channels);
            ASSERT_NO_FATAL_FAILURE(expect_right(image, random_mask(size, 2), "random" + number));
            ASSERT_NO_FATAL_FAILURE(
                expect_right(image, irregular_mask(size), "irregular" + number));
            ASSERT_NO_FATAL_FAILURE(
                expect_right(image, asymmetric_mask(size), "asymmetric" + number));
        }
    }
}

/// The instruction that multiplies pairs of bytes and adds the two products saturates at 32767.
/// With pixels of 255, two neighbouring weights whose sum is at least 129 reach this limit.
TEST_P(InstructionSets, large_weights) {
    const cv::Mat white(31, 97, CV_8UC3, cv::Scalar::all(255));
    for (const auto& [first, second] :
         {std::pair(64, 63), {64, 64}, {100, 100}, {127, 0}, {128, 0}, {0, 255}}) {
        for (const int place : {1, 3}) {  // above the middle, left of it
            convolution::Mask mask{3, {}};
            mask.weights[place] = static_cast<float>(first) / 256;
            mask.weights[4] = static_cast<float>(second) / 256;
            mask.weights[6] = 1.0f / 256;  // so that the mask is no column times a row
            const std::string name = fmt::format("{} and {} at {}", first, second, place);
            ASSERT_NO_FATAL_FAILURE(expect_right(white, mask, name));
            ASSERT_NO_FATAL_FAILURE(expect_right(noise(97, 31, 3), mask, name));
        }
    }
}

/// Masks of integer weights, whose 16-bit sums are packed to bytes. Masks whose sums exceed signed
/// 16 bits are left out.
TEST_P(InstructionSets, integers) {
    const cv::Mat white(31, 97, CV_8UC3, cv::Scalar::all(255));
    for (const int positive : {1, 2, 127, 128, 129, 256}) {
        for (const int negative : {0, 1, 127, 128, 129, 256}) {
            if (positive + negative > 257) continue;  // not in 16 bits
            convolution::Mask mask{3, {}};
            mask.weights[0] = static_cast<float>(positive / 2);
            mask.weights[5] = static_cast<float>(positive - positive / 2);
            mask.weights[1] = static_cast<float>(-negative / 2);
            mask.weights[7] = static_cast<float>(-(negative - negative / 2));
            const std::string name = fmt::format("{} and -{}", positive, negative);
            ASSERT_NO_FATAL_FAILURE(expect_right(white, mask, name));
            ASSERT_NO_FATAL_FAILURE(expect_right(noise(97, 31, 3), mask, name));
        }
    }
}

/// Columns for which additions suffice, with rows of all kinds.
TEST_P(InstructionSets, columns_of_additions) {
    const std::vector<std::vector<int>> columns{{1, 1, 1}, {1, 2, 1}, {1, 4, 6, 4, 1}};
    const std::vector<std::vector<int>> rows{{1, 1, 1},      {1, 2, 1},       {1, 5, 2},
                                             {1, 0, 1},      {1, 4, 6, 4, 1}, {1, 3, 0, 5, 1},
                                             {1, 2, 3, 4, 5}};
    for (const std::vector<int>& column : columns) {
        for (const std::vector<int>& row : rows) {
            if (row.size() != column.size()) continue;
            for (const float divisor : {256.0f, 9.0f, 1.0f}) {
                convolution::Mask mask{static_cast<int>(row.size()), {}};
                float* weight = mask.weights;
                for (const int factor : column) {
                    for (const int other : row) {
                        *weight++ = static_cast<float>(factor * other) / divisor;
                    }
                }
                const std::string name = fmt::format("{} times {} over {}", fmt::join(column, " "),
                                                     fmt::join(row, " "), divisor);
                for (const cv::Size& size : {cv::Size(131, 99), {517, 6}, {5, 5}}) {
                    ASSERT_NO_FATAL_FAILURE(
                        expect_right(noise(size.width, size.height, 3), mask, name));
                }
            }
        }
    }
}

TEST_P(DeviceLimits, sizes) {
    for (const cv::Size& size : harness::test_sizes()) {
        for (const int channels : {1, 3}) {
            ASSERT_NO_FATAL_FAILURE(expect_right(noise(size.width, size.height, channels),
                                                 asymmetric_mask(3), "asymmetric3"));
        }
    }
}

TEST_INSTRUCTION_SETS(InstructionSets, omp_best);
TEST_DEVICE_LIMITS(DeviceLimits, cuda_best);

}  // namespace
