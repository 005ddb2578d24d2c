#pragma once

// Tests of a variant that has several versions of its code: for each set of vector instructions, or
// for GPUs with less than the one that is here. Each version that can run on this machine is
// tested.

#include <gtest/gtest.h>

#include "common/instruction_sets.hpp"
#include "harness/testing_variants.hpp"

namespace harness {

using namespace common;

/// The test's parameter: options that select a version.
template <class LabVariant>
class VersionTest : public testing::TestWithParam<RunOptions>, protected VariantTestBase {
  protected:
    const LabVariant& variant_;

    explicit VersionTest(const LabVariant& variant) : VariantTestBase(variant), variant_(variant) {}

    void SetUp() override {
        skip_if_unavailable();
        const InstructionSet set = GetParam().limits.instruction_set;
        if (!variant_.on_device && !machine_has(set)) {
            GTEST_SKIP() << "cannot run here: this CPU does not have " << names_of(set).in_tests;
        }
    }
    void TearDown() override { report(); }
};

}  // namespace harness

/// GoogleTest needs one instantiation per version, because the reports find the variant's name at
/// the end of a test's name.
#define TEST_VERSION(version, Fixture, variant, ...)                                 \
    INSTANTIATE_TEST_SUITE_P(                                                        \
        version, Fixture,                                                            \
        testing::Values(common::RunOptions{.threads = 2, .block = {}, __VA_ARGS__}), \
        [](const auto&) { return #variant; })

#define TEST_INSTRUCTION_SET(set, Fixture, variant) \
    TEST_VERSION(set, Fixture, variant, .limits = {.instruction_set = common::InstructionSet::set})

/// Instantiates the tests of a fixture for each instruction set.
#define TEST_INSTRUCTION_SETS(Fixture, variant)          \
    TEST_INSTRUCTION_SET(baseline, Fixture, variant);    \
    TEST_INSTRUCTION_SET(avx2, Fixture, variant);        \
    TEST_INSTRUCTION_SET(avx512, Fixture, variant);      \
    TEST_INSTRUCTION_SET(avx512_vbmi, Fixture, variant); \
    TEST_INSTRUCTION_SET(amx, Fixture, variant)

/// Instantiates the tests of a fixture for the oldest GPUs and for some without clusters.
#define TEST_DEVICE_LIMITS(Fixture, variant)                                                      \
    TEST_VERSION(compute_capability_7_5, Fixture, variant, .limits = {.device = {75, 64 << 10}}); \
    TEST_VERSION(compute_capability_8_6, Fixture, variant, .limits = {.device = {86, 99 << 10}})
