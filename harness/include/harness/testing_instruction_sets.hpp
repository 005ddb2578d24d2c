#pragma once

// Tests of a variant that has a version for each of several instruction sets: each that can run
// here is run, not only the best one.

#include <gtest/gtest.h>

#include "common/instruction_sets.hpp"
#include "harness/testing_variants.hpp"

namespace common {

/// Skips what cannot run: the variant, or the instruction set that is the parameter.
class InstructionSetTest : public testing::TestWithParam<InstructionSet>, protected VariantJudge {
  protected:
    explicit InstructionSetTest(const VariantInfo& variant) : VariantJudge(variant) {}

    void SetUp() override {
        skip_if_unavailable();
        if (!machine_has(GetParam())) {
            GTEST_SKIP() << "skipped: this CPU does not have " << to_string(GetParam());
        }
    }
    void TearDown() override { report(); }
};

}  // namespace common

/// The tests of such a fixture for each instruction set. GoogleTest's own macro cannot be called in
/// another way. The tests' names end in that of the variant, as those of all its tests.
#define FOR_EACH_INSTRUCTION_SET(Fixture, variant)                                                 \
    INSTANTIATE_TEST_SUITE_P(baseline, Fixture, testing::Values(common::InstructionSet::baseline), \
                             [](const auto&) { return #variant; });                                \
    INSTANTIATE_TEST_SUITE_P(avx2, Fixture, testing::Values(common::InstructionSet::avx2),         \
                             [](const auto&) { return #variant; });                                \
    INSTANTIATE_TEST_SUITE_P(avx512, Fixture, testing::Values(common::InstructionSet::avx512),     \
                             [](const auto&) { return #variant; });                                \
    INSTANTIATE_TEST_SUITE_P(avx512_vbmi, Fixture,                                                 \
                             testing::Values(common::InstructionSet::avx512_vbmi),                 \
                             [](const auto&) { return #variant; });                                \
    INSTANTIATE_TEST_SUITE_P(amx, Fixture, testing::Values(common::InstructionSet::amx),           \
                             [](const auto&) { return #variant; })
