#pragma once

// Tests of a variant that has kernels for GPUs with less than the one that is here.

#include <gtest/gtest.h>

#include "common/options.hpp"
#include "harness/testing.hpp"

namespace common {

class DeviceLimitTest : public testing::TestWithParam<DeviceLimit> {
  protected:
    explicit DeviceLimitTest(const VariantInfo& variant) : info_(variant) {}

    void SetUp() override {
        if (const auto reason = why_unavailable(info_)) GTEST_SKIP() << "skipped: " << *reason;
    }

  private:
    const VariantInfo& info_;
};

}  // namespace common

/// The tests of such a fixture, as on the oldest GPUs and on some without clusters. The tests'
/// names end in that of the variant, as those of all its tests.
#define FOR_EACH_DEVICE_LIMIT(Fixture, variant)                                  \
    INSTANTIATE_TEST_SUITE_P(compute_capability_7_5, Fixture,                    \
                             testing::Values(common::DeviceLimit{75, 64 << 10}), \
                             [](const auto&) { return #variant; });              \
    INSTANTIATE_TEST_SUITE_P(compute_capability_8_6, Fixture,                    \
                             testing::Values(common::DeviceLimit{86, 99 << 10}), \
                             [](const auto&) { return #variant; })
