#include "counting_mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/device.hpp"
#include "harness/testing_guard.hpp"

namespace mistakes {
namespace {

using common::Block;

/// The number of the histogram that counts a pixel of an image where tests have it in memory.
using Choice = std::function<int(const cv::Mat& image, int x, int y)>;

/// A program reads words of n pixels from addresses that are multiples of n.
int histogram_in_aligned_words(const cv::Mat& image, int x, int y, int n) {
    const auto address = reinterpret_cast<std::uintptr_t>(image.ptr(y));
    const int unaligned = static_cast<int>(-address % static_cast<std::uintptr_t>(n));
    const int head = std::min(unaligned, image.cols);
    const bool in_words = x >= head && x < head + (image.cols - head) / n * n;
    return (in_words ? x - head : x) % n;
}

/// How programs choose one of n histograms for a pixel.
std::vector<Choice> choices(std::optional<Block> block, int n) {
    std::vector<Choice> all{
        [=](const cv::Mat& in, int x, int) { return x < in.cols / n * n ? x % n : 0; },
        [=](const cv::Mat&, int x, int) { return x % n; },
        [=](const cv::Mat& in, int x, int y) {
            return static_cast<int>((std::int64_t{y} * in.cols + x) % n);
        },
        [=](const cv::Mat& in, int x, int y) { return histogram_in_aligned_words(in, x, y, n); }};
    // The number of the thread in its block, where a thread takes one pixel, or a word of 4.
    const Block threads = block.value_or(Block{n, 1});
    for (const int word : {1, 4}) {
        all.emplace_back([=](const cv::Mat&, int x, int y) {
            return (y % threads.height * threads.width + x / word % threads.width) % n;
        });
    }
    return all;
}

cv::Mat in_memory_of_tests(const cv::Mat& image) {
    cv::Mat copy = harness::guarded(harness::Shape::of(image), 0);
    image.copyTo(copy);
    return copy;
}

enum class Layout { by_histogram, by_level };  ///< histogram * 256 + level, level * n + histogram

/// The levels as which pixels are counted if n histograms are merged in the other layout.
cv::Mat in_other_layout(const cv::Mat& image, int n, Layout counted, const Choice& choice) {
    const cv::Mat memory = in_memory_of_tests(image);
    cv::Mat levels(image.size(), image.type());
    for (int y = 0; y < image.rows; ++y) {
        for (int x = 0; x < image.cols; ++x) {
            const int level = image.ptr(y)[x];
            const int histogram = choice(memory, x, y);
            levels.ptr(y)[x] =
                static_cast<uchar>(counted == Layout::by_histogram ? (histogram * 256 + level) / n
                                                                   : (level * n + histogram) % 256);
        }
    }
    return levels;
}

/// The pixels with the padding up to the end of the last vector of n bytes in each row. On a GPU,
/// the padding is longer than a vector. On a CPU, the next row can begin in the same vector.
cv::Mat with_padding(const cv::Mat& image, int n, bool on_gpu) {
    const cv::Mat memory = in_memory_of_tests(image);
    const int width = (image.cols + n - 1) / n * n;
    cv::Mat all(image.rows, width, image.type(), cv::Scalar(harness::guard_byte));
    for (int y = 0; y < image.rows; ++y) {
        std::copy_n(memory.ptr(y), on_gpu ? image.cols : width, all.ptr(y));
    }
    return all;
}

}  // namespace

std::vector<Named> counting_mistakes(std::optional<Block> block) {
    std::vector<Named> all{
        {"level 0 is left out", cdf_line, {.first_level = 1}},
        {"level 255 is left out (i < 255 for i < 256)", cdf_line, {.last_level = 254}},
        {"every pixel is counted twice: does every thread count all pixels?", hist, {.times = 2}},
        {"every pixel is counted 3 times", hist, {.times = 3}},
        {"every pixel is counted 4 times", hist, {.times = 4}}};
    for (const int bits : {16, 8}) {
        for (int threads = 1; threads <= 8; ++threads) {
            all.push_back({fmt::format("{}-bit counters overflow", bits),
                           hist,
                           {.counter_bits = bits, .counters = threads}});
        }
    }
    for (int n = 8; n <= 128; n *= 2) {
        all.push_back(
            {fmt::format("only the first {} levels are merged or scanned: one for each "
                         "thread, or each column of a block{}",
                         n, n == 64 ? ", or as many bytes as there are levels (sizeof)" : ""),
             cdf_line,
             {.last_level = n - 1}});
    }
    const auto add = [&all](const std::string& name, auto counts) {
        Rules rules;
        rules.counts = counts;
        all.push_back({name, hist, rules});
    };
    add("the last row is not counted",
        [](const cv::Mat& in, int, int y) { return y < in.rows - 1; });
    add("the last column is not counted",
        [](const cv::Mat& in, int x, int) { return x < in.cols - 1; });
    add("the first row is not counted", [](const cv::Mat&, int, int y) { return y > 0; });
    add("the first column is not counted", [](const cv::Mat&, int x, int) { return x > 0; });
    add("only the counts of the first of 2 threads are merged",
        [](const cv::Mat& in, int, int y) { return y < (in.rows + 1) / 2; });
    add("only the counts of the last of 2 threads are merged",
        [](const cv::Mat& in, int, int y) { return y >= (in.rows + 1) / 2; });
    add("only the first row is counted", [](const cv::Mat&, int, int y) { return y == 0; });
    add("only every second row is counted", [](const cv::Mat&, int, int y) { return y % 2 == 0; });
    for (int n = 2; n <= 32; n *= 2) {
        add(fmt::format("the last width % {} pixels of a row are not counted", n),
            [n](const cv::Mat& in, int x, int) { return x < in.cols / n * n; });
        add(fmt::format("only the last width % {} pixels of a row are counted", n),
            [n](const cv::Mat& in, int x, int) { return x >= in.cols / n * n; });
        add(fmt::format(
                "only one in {0} pixels of a row is counted: is only the first of {0} histograms "
                "merged?",
                n),
            [n](const cv::Mat& in, int x, int) { return x >= in.cols / n * n || x % n == 0; });
        add(fmt::format(
                "only one in {0} pixels of a row is counted: is only the first of {0} histograms "
                "merged?",
                n),
            [n](const cv::Mat&, int x, int) { return x % n == 0; });
        add(fmt::format("the last of {} histograms is not merged", n),
            [n](const cv::Mat& in, int x, int) { return x >= in.cols / n * n || x % n != n - 1; });
        add(fmt::format("the last of {} histograms is not merged", n),
            [n](const cv::Mat&, int x, int) { return x % n != n - 1; });
        add(fmt::format("the first of {} histograms is not merged", n),
            [n](const cv::Mat& in, int x, int) { return x < in.cols / n * n && x % n != 0; });
    }
    for (int n = 1; n <= 1024; n *= 2) {
        const std::string without_grid =
            ", each block from its first one on: the stride lacks gridDim, or blockDim.y";
        add("pixels are counted several times" + without_grid + " (loop over rows)",
            [n](const cv::Mat&, int, int y) { return y / n + 1; });
        add("pixels are counted several times" + without_grid + " (loop over columns)",
            [n](const cv::Mat&, int x, int) { return x / n + 1; });
        add("pixels are counted several times" + without_grid + " (loop over pixels)",
            [n](const cv::Mat& in, int x, int y) { return (y * in.cols + x) / n + 1; });
    }
    if (!block) return all;
    add("the last, partial blocks are not counted", [b = *block](const cv::Mat& in, int x, int y) {
        return x < in.cols / b.width * b.width && y < in.rows / b.height * b.height;
    });
    add("only the first block's pixels are counted",
        [b = *block](const cv::Mat&, int x, int y) { return x < b.width && y < b.height; });
    add("only the first thread of each block counts", [b = *block](const cv::Mat&, int x, int y) {
        return x % b.width == 0 && y % b.height == 0;
    });
    add("only the first row of each block counts: threadIdx.y is left out of the thread's number",
        [b = *block](const cv::Mat&, int, int y) { return y % b.height == 0; });
    return all;
}

std::vector<Named> layout_mistakes(std::optional<Block> block) {
    std::vector<Named> all;
    const auto add = [&all](const std::string& name, const std::string& passage, auto pixels) {
        Rules rules;
        rules.pixels = pixels;
        all.push_back({name, passage, rules});
    };
    for (int n = 4; n <= 32; n *= 2) {
        for (const bool on_gpu : {true, false}) {
            add(fmt::format("the padding after a row is counted as pixels: the bytes of its last "
                            "vector of {} are not tested",
                            n),
                "common/include/common/view.hpp",
                [=](const cv::Mat& image) { return with_padding(image, n, on_gpu); });
        }
    }
    for (int n = 2; n <= 32; n *= 2) {
        const std::string name =
            "two layouts of {} histograms: where pixels are counted, histogram i has "
            "its count of a level at {}, where the histograms are merged, at {}";
        const std::string of_histograms = "i * 256 + level";
        const std::string of_levels = fmt::format("level * {} + i", n);
        for (const Choice& choice : choices(block, n)) {
            add(fmt::format(fmt::runtime(name), n, of_histograms, of_levels), hist,
                [=](const cv::Mat& image) {
                    return in_other_layout(image, n, Layout::by_histogram, choice);
                });
            add(fmt::format(fmt::runtime(name), n, of_levels, of_histograms), hist,
                [=](const cv::Mat& image) {
                    return in_other_layout(image, n, Layout::by_level, choice);
                });
        }
    }
    return all;
}

}  // namespace mistakes
