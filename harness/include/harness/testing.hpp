#pragma once

// The checks of a variant in the tests of any lab. Each lab's tests supply the expected values.

#include <any>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/job.hpp"
#include "harness/undefined.hpp"
#include "harness/verify.hpp"

namespace harness {

/// The output is filled with this byte before the first call.
inline constexpr unsigned char first_fill = 0xA5;

/// A bit for each way in which a program with a mistake can do what the handout leaves open. All
/// outputs of a program are computed in the same way.
using Ways = std::uint64_t;

/// A common mistake: the definition with one thing changed. Several may have one name, such as the
/// same mistake with other constants. One of them has to explain all outputs of a program.
struct KnownMistake {
    std::string name;
    /// The ways that explain the output, value by value. Where there is only one, a bool will do.
    std::function<Ways(const cv::Mat& out)> explains;
    std::string passage{};  ///< where the handout explains it
};

/// For mistakes whose whole output is known: whether `out` is equal to it.
std::function<bool(const cv::Mat& out)> is(std::function<cv::Mat()> output);

/// True if each value of `out` that `right` finds wrong is one of `other_output`, the output by
/// `other`, a different definition. False if the wrong values are all the same.
bool explains_wrong_values(const Check& right, const Check& other, const cv::Mat& other_output,
                           const cv::Mat& out);

/// The image that a CPU variant sees if it ignores the pitch: row y begins y * width values after
/// row 0. The rows in tests are padded.
cv::Mat read_without_pitch(const cv::Mat& image);

/// The image that a variant sees if it exchanges x and y when it reads.
cv::Mat read_exchanged(const cv::Mat& image);

/// A test case: a variant, its input, and the definition of the right output.
struct VariantCall {
    VariantInfo variant;
    Job job;
    cv::Mat in;
    Shape out;
    std::function<Check(const cv::Mat& in)> definition =  ///< of an input like `in`
        Undefined{"VariantCall::definition"};
    std::string parameters;                                ///< for the message
    std::optional<Block> block{};                          ///< of a kernel
    int ranks = 1;                                         ///< of a variant in ranks
    int halo = 0;                                          ///< rows of neighbours that a rank needs
    std::function<cv::Mat(const cv::Mat& in)> expected{};  ///< the right output, for the message
    std::function<std::vector<KnownMistake>(const cv::Mat& in)> known_mistakes{};

    /// Two mistakes at once, where no single one explains the outputs.
    std::function<std::vector<KnownMistake>(const cv::Mat& in)> known_pairs{};

    /// The options of this call, which `kept_options` of later calls receives.
    std::any options{};

    /// Whether an output is that of a variant which has kept something of an earlier call's
    /// options, as weights that are copied in the first call only.
    std::function<bool(const std::any& earlier, const cv::Mat& in, const cv::Mat& out)>
        kept_options{};

    /// Small inputs that tell mistakes apart, for a second look at a wrong variant.
    std::function<std::vector<VariantCall>()> probes{};

    /// The largest input on which mistakes are tried, since this takes time.
    std::size_t most_pixels = 100'000;

    /// Operations for a value of the output, roughly: the tests of emulated kernels leave out calls
    /// that need too many.
    double work = 1;

    /// False where the variant is a task, whose handout does not let it refuse these options. Then
    /// a refusal is wrong, in `run_all.sh` and in grading alike.
    bool may_refuse = true;

    /// False if the options hold for images of this size only, as a number of blocks does.
    bool any_size = true;

    /// True if a kernel has to load each pixel once, as to count it.
    bool loads_once = false;

    /// The least work that reaches some code of a kernel: emulated, however large the image is.
    bool is_least = false;

    /// If the output is wrong: takes the second look, and writes an image of the difference.
    bool in_detail = true;
};

/// Calls the variant two or three times with the same buffers and scratch memory. Before each call
/// the output is filled with another pattern. Guard bytes surround the input and the output, in
/// host memory and on the GPU. Between two calls on the same small image there is a call on another
/// one, which finds variants that keep a result or a buffer.
///
/// Returns "" if every output is right and neither the guard bytes nor the input have changed.
/// Otherwise returns a line that begins with WRONG and has the variant, the size, the parameters,
/// the first wrong value, the number of wrong values, the mistake ("looks like: …"), and the file
/// of a difference image. Indented lines follow: the passage of the handout, the values around the
/// first wrong one, and the call that has failed, if line and values are those of a smaller input
/// on which the variant is wrong, too. A mistake of `known_mistakes` is named only if it
/// explains the outputs for two inputs, value by value, and no output contradicts it. Exceptions of
/// the variant are passed on. The running test records the file under the name below, too: the text
/// of an exception may look like the line.
std::string check_call(const VariantCall& variant_call);
inline constexpr char difference_image[] = "difference_image";

/// A small readable size, then sizes that find mistakes at edges: single pixels, rows and columns,
/// primes, multiples of block sizes plus and minus one, and one image of more than 4 megapixels.
const std::vector<cv::Size>& test_sizes();

/// Blocks that find mistakes in the mapping of threads: single threads, rows, columns, primes,
/// whole warps and more, up to 1024 threads.
const std::vector<Block>& test_blocks();

/// A job of ranks with one more: among three, there is one between two others.
Job with_more_ranks(Job job);

/// An empty folder for the running test only, so that tests can run in parallel.
std::filesystem::path test_folder();

}  // namespace harness
