#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "common/error.hpp"
#include "problem/weights.hpp"

namespace {

using upscale::Weights;

TEST(Weights, are_normalised_and_largest_next_to_the_sample) {
    for (int radius = 1; radius <= Weights::max_radius; ++radius) {
        for (const double sigma : {0.1, 0.3, 1.0, 3.0}) {
            const Weights weights = upscale::gaussian_weights(radius, sigma);
            double sum = 0;
            for (int k = -radius; k <= radius; ++k) {
                sum += static_cast<double>(weights.at(k));
                EXPECT_LE(weights.at(k), weights.at(0));
            }
            EXPECT_NEAR(sum, 1, 1e-6);
            EXPECT_GE(weights.at(-1), weights.at(1));  // 0.75 and 1.25 pixels away
        }
    }
}

TEST(Weights, bicubic_is_keys_with_a_three_quarters) {
    const Weights weights = upscale::bicubic_weights();
    EXPECT_FLOAT_EQ(weights.at(-2), -0.03515625f);
    EXPECT_FLOAT_EQ(weights.at(-1), 0.26171875f);
    EXPECT_FLOAT_EQ(weights.at(0), 0.87890625f);
    EXPECT_FLOAT_EQ(weights.at(1), -0.10546875f);
    EXPECT_FLOAT_EQ(weights.at(2), 0);
}

TEST(Weights, bilinear_and_lanczos) {
    const Weights bilinear = upscale::bilinear_weights();
    EXPECT_FLOAT_EQ(bilinear.at(-1), 0.25f);
    EXPECT_FLOAT_EQ(bilinear.at(0), 0.75f);
    EXPECT_FLOAT_EQ(bilinear.at(1), 0);
    const Weights lanczos = upscale::lanczos_weights();
    float sum = 0;
    for (int k = -4; k <= 4; ++k) sum += lanczos.at(k);
    EXPECT_NEAR(sum, 1, 1e-6f);
    EXPECT_LT(lanczos.at(1), 0);
    EXPECT_FLOAT_EQ(lanczos.at(4), 0);
}

TEST(Weights, absurd_parameters_are_refused) {
    for (const int radius : {-1, 0, 8}) {
        EXPECT_THROW(upscale::gaussian_weights(radius, 1), common::BadUsage);
    }
    for (const double sigma :
         {0.0, -1.0, 0.01, std::nan(""), 1e6, std::numeric_limits<double>::infinity()}) {
        EXPECT_THROW(upscale::gaussian_weights(2, sigma), common::BadUsage);
    }
}

}  // namespace
