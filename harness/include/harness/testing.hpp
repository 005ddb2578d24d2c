#pragma once

// The checks of a variant in the tests of any lab. Each lab's tests supply the expected values.

#include <filesystem>
#include <functional>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "harness/job.hpp"
#include "harness/undefined.hpp"
#include "harness/verify.hpp"

namespace harness {

/// A common mistake, and whether it explains a wrong output. If it does, the message names it.
struct KnownMistake {
    std::string name;
    std::function<bool(const cv::Mat& out)> explains;
};

/// For mistakes whose whole output is known: whether `out` is equal to it.
std::function<bool(const cv::Mat& out)> is(std::function<cv::Mat()> output);

/// A test case: a variant, its input, and the definition of the right output.
struct VariantCall {
    VariantInfo variant;
    Job job;
    cv::Mat in;
    Shape out;
    std::function<Check(const cv::Mat& in)> definition =  ///< of an input like `in`
        Undefined{"VariantCall::definition"};
    int border = 0;          ///< width of the border where the algorithm treats the edge
    std::string parameters;  ///< for the message
    std::function<std::vector<KnownMistake>()> known_mistakes{};  ///< called if the output is wrong
    bool saves_difference = true;  ///< writes an image of the difference if the output is wrong
};

/// Calls the variant two or three times with the same buffers and scratch memory. Before each call
/// the output is filled with another pattern. Guard bytes surround the input and the output, in
/// host memory and on the GPU. Between two calls on the same small image there is a call on another
/// one, which finds variants that keep a result or a buffer.
///
/// Returns "" if every output is right and neither the guard bytes nor the input have changed.
/// Otherwise returns a line that begins with WRONG and has the variant, the size, the parameters,
/// the first wrong value, the number of wrong values, the likely mistake, and the file of a
/// difference image. Exceptions of the variant are passed on.
std::string check_call(const VariantCall& variant_call);

/// Sizes that find mistakes at edges: single pixels, rows and columns, primes, multiples of block
/// sizes plus and minus one, and one image of more than 4 megapixels.
const std::vector<cv::Size>& test_sizes();

/// Blocks that find mistakes in the mapping of threads: single threads, rows, columns, primes,
/// whole warps and more, up to 1024 threads. The extreme ones are first: the time of emulated tests
/// may end before the last.
const std::vector<Block>& test_blocks();

std::string to_string(InstructionSet set);

/// An empty folder for the running test only, so that tests can run in parallel.
std::filesystem::path test_folder();

}  // namespace harness
