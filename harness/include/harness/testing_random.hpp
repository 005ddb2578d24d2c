#pragma once

// Random differential tests: cases from a seed, each compared with the definition. A case that
// fails is reduced, and printed as a command that repeats it.
//
// The environment says how much and which:
//     LABS_RANDOM_CASES  number of cases for each variant; without it, as many as have a certain
//                        number of operations, the same on every machine
//     LABS_RANDOM_MS     a time instead, in ms
//     LABS_RANDOM_LARGE  number of cases with large images after these (0)
//     LABS_RANDOM_SEED   another seed gives other cases (1)
//     LABS_RANDOM_CASE   this case only, as a failed test has printed it

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "harness/testing.hpp"

namespace harness {

/// The numbers of a seed, one after the other.
class Random {
  public:
    explicit Random(std::uint64_t seed) : seed_(seed) {}
    std::int64_t between(std::int64_t low, std::int64_t high);  ///< both included
    bool in(int percent) { return between(1, 100) <= percent; }
    std::int64_t one_of(std::initializer_list<std::int64_t> values);

  private:
    std::uint64_t seed_;
    std::uint64_t index_ = 0;
};

/// A value for each parameter, in the order of the parameters.
class Case {
  public:
    std::int64_t operator[](const std::string& name) const;  ///< throws std::out_of_range
    bool has(const std::string& name) const;
    int number(const std::string& name) const { return static_cast<int>((*this)[name]); }
    void set(const std::string& name, std::int64_t value);
    bool operator==(const Case&) const = default;

  private:
    std::vector<std::pair<std::string, std::int64_t>> values_;
};

/// A whole number that differs from case to case.
struct Parameter {
    std::string name;
    std::int64_t simplest;  ///< a failing case is reduced towards it

    /// Chooses a value, given those of the parameters before this one.
    std::function<std::int64_t(Random&, const Case&)> pick;

    std::vector<std::string> words{};    ///< names of the values 0, 1, 2, ...; empty for numbers
    std::vector<std::int64_t> values{};  ///< if no other one is valid

    bool allows(std::int64_t value) const;
};

/// A parameter that has one of these values, the simplest first. A value that stands twice is
/// chosen twice as often.
Parameter one_of(const std::string& name, const std::vector<std::int64_t>& values);

/// A lab's description of its random cases.
struct RandomCases {
    std::vector<Parameter> parameters;
    std::function<VariantCall(const Case&)> variant_call;
};

/// `width` and `height`, biased towards sizes that variants treat specially: few pixels, one more
/// or less than a multiple of 16 or 32, very wide, very tall. One image of 200 has up to
/// `most_pixels`, the others up to `usual_pixels`.
std::vector<Parameter> size_parameters(std::int64_t most_pixels,
                                       std::int64_t usual_pixels = 20'000);

/// `threads` and `instruction_set`, or for kernels `block_width` and `block_height`, 0 for the
/// variant's own choice.
std::vector<Parameter> launch_parameters(const VariantInfo& variant);
RunOptions run_options(const Case& chosen);

/// `content` and `content_seed`, from which `bytes_of` makes an image.
std::vector<Parameter> content_parameters();
cv::Mat bytes_of(const Case& chosen, int channels);

/// All parameters of several lists, in order.
std::vector<Parameter> joined(std::initializer_list<std::vector<Parameter>> parts);

/// The case number `index` of a seed.
Case make_case(const std::vector<Parameter>& parameters, std::uint64_t seed, std::int64_t index);

/// "width=3;height=1;content=noise", and back. `parse_case` throws BadUsage.
std::string to_text(const std::vector<Parameter>& parameters, const Case& chosen);
Case parse_case(const std::vector<Parameter>& parameters, const std::string& text);

struct RandomSettings {
    std::int64_t ms = 0;
    std::int64_t cases = 0;
    std::int64_t large = 0;
    double most_work_of_large = 2e8;  ///< operations of a thread
    std::uint64_t seed = 1;
    std::string only{};                   ///< the text of a case
    std::vector<std::int64_t> numbers{};  ///< of the cases to check; empty: from 0 on

    /// Throws BadUsage if a variable is no number.
    static RandomSettings from_environment();
};

/// A case with an image of 500x300 to 2000x1200, or as large as the work allows; a fixed list has
/// such images with few values of the other parameters.
Case make_large_case(const RandomCases& cases, const RandomSettings& settings, std::int64_t index);

/// The running test as a command, into which a case is to be put: "LABS_RANDOM_CASE='{}' PROGRAM
/// --gtest_filter='NAME'".
std::string reproduce_running_test();

/// Checks cases until there were enough or one is wrong, and writes their number to `log`. Returns
/// "" or the message of `check_call` for the failed case, after reducing it, with the command that
/// repeats it. If the process crashes or a case takes more than 20 s, the command is printed to
/// stderr.
std::string run_random(const RandomCases& cases, const RandomSettings& settings,
                       const std::string& reproduce,
                       const std::function<std::string(const VariantCall&)>& check_call,
                       std::ostream& log);

}  // namespace harness
