#pragma once

// How the labs' tests judge a variant. Needs GoogleTest only to print; the expected values come
// from each lab's own tests.

#include <filesystem>
#include <functional>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "harness/job.hpp"
#include "harness/verify.hpp"

namespace common {

/// A mistake that people make, and whether it explains a wrong output. If so, its name gets into
/// the message.
struct Suspicion {
    std::string name;
    std::function<bool(const cv::Mat& out)> explains;
};

/// For mistakes of which the whole output is known: explains what is equal to it.
std::function<bool(const cv::Mat& out)> is(std::function<cv::Mat()> output);

/// Calls of a variant, with what they ought to give.
struct Exercise {
    VariantInfo variant;
    Job job;
    cv::Mat in;
    Shape out;
    std::function<Check(const cv::Mat& in)> definition;  ///< of an input like `in`
    int border = 0;          ///< width of the border where the algorithm treats the edge
    std::string parameters;  ///< for the message
    std::function<std::vector<Suspicion>()> suspicions{};  ///< asked for if the output is wrong
    bool saves_difference = true;  ///< an image of it, if the output is wrong
};

/// Calls the variant two or three times with the same buffers and scratch memory. Each time the
/// output is filled with other garbage; it and the input are surrounded by guard bytes, in host
/// memory and on the GPU. Images of few pixels are followed by another one and come once more, so
/// that what a variant keeps from a call shows. Returns "" if every output is right, the guard
/// bytes are whole and the input is unchanged; otherwise a line that begins with WRONG and names
/// the variant, size and parameters, the first wrong value, how many there are, what the mistake
/// looks like, and the file of a difference image. What the variant throws gets through.
std::string judge(const Exercise& exercise);

/// Sizes that find mistakes at edges: single pixels, rows and columns, primes, multiples of block
/// sizes and one above and below, and one picture of more than 4 megapixels.
const std::vector<cv::Size>& test_sizes();

/// Blocks that find mistakes in the mapping of threads: single threads, rows, columns, primes,
/// whole warps and more, up to 1024 threads.
const std::vector<Block>& test_blocks();

std::string to_string(InstructionSet set);

/// An empty folder of the running test's own, so that tests may run side by side.
std::filesystem::path test_folder();

}  // namespace common
