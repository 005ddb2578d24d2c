#pragma once

// The fixture of all tests that exist once per variant.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "harness/testing.hpp"
#include "harness/testing_random.hpp"

namespace harness {

/// Checks test cases, and counts those that were checked and those that the variant refused.
class Tally {
  public:
    /// Returns "" if the output is right, if the variant refuses the options (Unsupported), or if
    /// it is NotDoneYet from the first call on. Otherwise returns the message of check_call(), or
    /// of another exception, with the configuration.
    std::string check_call(const VariantCall& variant_call);

    std::int64_t checked() const { return checked_; }
    std::int64_t refused() const { return refused_; }
    bool not_done() const { return not_done_; }

    /// "configurations: 12 checked, 1 refused (first: too large)"
    std::string line() const;

    /// "refused all 3 configurations: REASON", or "".
    std::string refused_all() const;

  private:
    std::int64_t checked_ = 0;
    std::int64_t refused_ = 0;
    bool not_done_ = false;
    std::string reason_{};  ///< of the first refusal
};

/// The part of the fixture that does not depend on the parameter of the test.
class VariantTestBase {
  protected:
    explicit VariantTestBase(const VariantInfo& info) : info_(info) {}

    void skip_if_unavailable() const;

    /// Prints the counts. A test that checked nothing is skipped if the variant is not done yet or
    /// refused everything, and fails otherwise.
    void report() const;

    /// Leaves out options that the variant refuses. Emulated kernels are slow: large images are
    /// left out, and so many calls that a test takes as long as LABS_EMULATED_MS says (1000).
    void expect_right(const VariantCall& variant_call);

    /// If true, the next calls of `expect_right` are made whatever LABS_EMULATED_MS says, so that a
    /// slow machine finds the same mistakes.
    void check_always(bool always) { always_ = always; }

    /// The random differential test: see testing_random.hpp.
    void expect_right_at_random(const RandomCases& cases);

  private:
    const VariantInfo& info_;
    Tally tally_{};
    double emulated_ms_ = 0;
    int emulated_calls_ = 0;
    bool always_ = false;
    std::int64_t left_out_ = 0;  ///< too slow to emulate

    bool has_emulation_time();
};

/// The fixture of a lab derives from this; the tests' parameter is the variant's name.
class VariantTest : public testing::TestWithParam<std::string>, protected VariantTestBase {
  protected:
    explicit VariantTest(const VariantInfo& info) : VariantTestBase(info) {}
    void SetUp() override { skip_if_unavailable(); }
    void TearDown() override { report(); }
};

}  // namespace harness
