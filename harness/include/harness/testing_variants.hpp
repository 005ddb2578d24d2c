#pragma once

// The fixture of all tests that exist once per variant.

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/testing.hpp"
#include "harness/testing_random.hpp"

namespace harness {

/// Checks test cases, and counts those that were checked and those that the variant refused.
class Tally {
  public:
    /// Returns "" if the output is right, if the variant refuses options (Unsupported) that it may
    /// refuse, or if it is NotDoneYet from the first call on. Otherwise returns the message of
    /// check_call(), or of another exception, with the configuration.
    std::string check_call(const VariantCall& variant_call);

    void count_checked() { ++checked_; }  ///< a check that is no call
    void note_not_done() { not_done_ = checked_ == 0; }
    void note_fault(const std::string& fault) { fault_ = fault; }
    std::int64_t checked() const { return checked_; }
    std::int64_t refused() const { return refused_; }
    bool not_done() const { return not_done_; }
    const std::string& first_reason() const { return reason_; }

    /// The last fault: "wrong", "crash" (the GPU is lost) or "failed".
    const std::string& fault() const { return fault_; }

    /// "configurations: 12 checked, 1 refused (first: too large)"
    std::string line() const;

    /// "refused all 3 configurations: REASON", or "".
    std::string refused_all() const;

  private:
    std::int64_t checked_ = 0;
    std::int64_t refused_ = 0;
    bool not_done_ = false;
    std::string reason_{};  ///< of the first refusal
    std::string fault_{};
};

// A skipped test says one of three things: "skipped: ", it does not apply to the variant;
// "cannot run here: ", it is for other machines, or too much to be emulated; "not checked: ", it
// would have to run here and cannot. The variant is not right then (driver/run/outcomes.py).

/// The part of the fixture that does not depend on the parameter of the test.
class VariantTestBase {
  protected:
    explicit VariantTestBase(const VariantInfo& info) : info_(info) {}

    void skip_if_unavailable() const;

    /// Prints the counts, and makes them properties of the test. A test that checked nothing is
    /// skipped if the variant is not done yet or refused everything, and fails otherwise.
    void report();

    /// Leaves out options that the variant refuses. Emulated kernels are slow: large images are
    /// left out, and of the other calls those are made, when the test is over, that have each value
    /// of each parameter (testing_choice.hpp). The call has to keep what it needs until then.
    void expect_right(const VariantCall& variant_call);

    /// Runs the OpenMP variant under ThreadSanitizer: the program of its name in `folder`, or in
    /// the one that LABS_RACES names. If it cannot run, the test is skipped as "not checked: WHY".
    void expect_no_races(const std::filesystem::path& folder);

    /// The random differential test: see testing_random.hpp.
    void expect_right_at_random(const RandomCases& cases);

  private:
    const VariantInfo& info_;
    Tally tally_{};
    std::vector<VariantCall> offered_{};     ///< of an emulated variant
    std::optional<VariantCall> cheapest_{};  ///< of those that need too much work
    std::int64_t left_out_ = 0;              ///< of those that are emulated

    void check(const VariantCall& variant_call);
    void check_offered();
    std::vector<std::int64_t> chosen_cases(const RandomCases& cases, std::uint64_t seed,
                                           std::int64_t wanted);
    void record(const std::string& outcome) const;
};

/// The fixture of a lab derives from this; the tests' parameter is the variant's name.
class VariantTest : public testing::TestWithParam<std::string>, protected VariantTestBase {
  protected:
    explicit VariantTest(const VariantInfo& info) : VariantTestBase(info) {}
    void SetUp() override { skip_if_unavailable(); }
    void TearDown() override { report(); }
};

/// The names of the variants that run in ranks, for a test of its own.
template <class LabVariant>
std::vector<std::string> names_in_ranks(const std::vector<LabVariant>& variants) {
    std::vector<std::string> names;
    for (const LabVariant& variant : variants) {
        if (variant.backend == Backend::mpi) names.push_back(variant.name);
    }
    return names;
}

/// Calls `check(size, ranks)` for images of a single row, of fewer rows than ranks, and of few rows
/// for each rank. The most ranks are first: they serve the smaller numbers, too.
template <class Check>
void for_rank_counts(Check check) {
    for (const int ranks : {7, 1, 2, 3, 4}) {
        for (const cv::Size size : {cv::Size(1, 1), cv::Size(37, 1), cv::Size(5, 2),
                                    cv::Size(64, 6), cv::Size(31, 33), cv::Size(3, 100)}) {
            check(size, ranks);
        }
    }
}

}  // namespace harness
