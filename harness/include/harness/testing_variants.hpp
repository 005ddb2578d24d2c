#pragma once

// The fixture of all tests that exist once per variant.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "harness/testing.hpp"
#include "harness/testing_random.hpp"

namespace common {

/// Counts the configurations that a test gave to a variant, judged and refused.
class Tally {
  public:
    /// Judges one. Returns "" if it is right or the variant refuses it (Unsupported), otherwise
    /// what judge says, or what else the variant threw, with the configuration.
    std::string judge(const Exercise& exercise);

    std::int64_t judged() const { return judged_; }
    std::int64_t refused() const { return refused_; }

    /// "configurations: 12 judged, 1 refused (first: too large)"
    std::string line() const;

    /// "refused all 3 configurations: REASON", or "" if that is not so.
    std::string refused_all() const;

  private:
    std::int64_t judged_ = 0;
    std::int64_t refused_ = 0;
    std::string reason_{};  ///< of the first refusal
};

/// The part of the fixture that does not depend on the parameter of the test.
class VariantJudge {
  protected:
    explicit VariantJudge(const VariantInfo& info) : info_(info) {}

    void skip_if_unavailable() const;

    /// Prints what was judged. A test that judged nothing has not passed: it is skipped if the
    /// variant refused everything, and otherwise it failed.
    void report() const;

    /// Leaves out what the variant refuses. Emulated kernels take a thousand times as long as those
    /// on a GPU: they are not given large images, and nothing more once the time that
    /// LABS_EMULATED_MS sets for a test (2000) is over.
    void expect_right(const Exercise& exercise);

    /// The random differential test: see testing_random.hpp.
    void expect_right_at_random(const RandomCases& cases);

  private:
    const VariantInfo& info_;
    Tally tally_{};
    double emulated_ms_ = 0;
    std::int64_t left_out_ = 0;  ///< too much for the emulation

    std::string judge(const Exercise& exercise);
};

/// The fixture of a lab derives from this; the tests' parameter is the variant's name.
class VariantTest : public testing::TestWithParam<std::string>, protected VariantJudge {
  protected:
    explicit VariantTest(const VariantInfo& info) : VariantJudge(info) {}
    void SetUp() override { skip_if_unavailable(); }
    void TearDown() override { report(); }
};

}  // namespace common
