#include "mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "harness/testing_scan.hpp"
#include "problem/oracle.hpp"

namespace mistakes {
namespace {

namespace oracle = equalize::oracle;
using common::Block;
using harness::ScanRules;
using oracle::Counts;
using oracle::Table;

/// The definition. A mistake changes one member.
struct Rules {
    /// The pixels that are counted.
    std::function<bool(const cv::Mat& image, int x, int y)> counts = [](const cv::Mat&, int, int) {
        return true;
    };
    std::int64_t times = 1;  ///< that each pixel is counted
    int counter_bits = 63;
    int first_level = 0, last_level = 255;  ///< that are scanned
    ScanRules scan{};
    enum { darkest, first, zero, smallest, level, next } cdf_min = darkest;
    enum { minus_cdf_min, all, all_but_one, other_total } divisor = minus_cdf_min;
    std::int64_t total = 0;  ///< for other_total
    int scale = 255;
    enum { nearest, half_up, down, up, exactly } rounding = nearest;
    int bits_of_product = 64;
    std::function<int(const Table& table, int level)> look_up = [](const Table& table, int level) {
        return table[static_cast<std::size_t>(level)];
    };
};

/// Programs with the same mistake differ in these.
struct Style {
    enum { product, quotient, exact } arithmetic = product;
    enum { width_by_height, of_counts, last_of_cdf } total = width_by_height;  ///< N
    bool zero_if_constant = false;  ///< no test for a constant image
    bool min_of_counts = true;      ///< cdf_min is a count, not a sum of the scan
    /// Value of a cdf below cdf_min. An unsigned difference exceeds an int; then `rounded` gives 1.
    enum { wraps, zero, one } below = wraps;

    static std::vector<Style> all() {
        std::vector<Style> styles;
        for (const auto arithmetic : {product, quotient, exact}) {
            for (const auto total : {width_by_height, of_counts, last_of_cdf}) {
                for (const auto below : {wraps, zero, one}) {
                    for (const bool constant : {false, true}) {
                        for (const bool counts : {false, true}) {
                            styles.push_back({arithmetic, total, constant, counts, below});
                        }
                    }
                }
            }
        }
        return styles;
    }
};

Counts counted(const cv::Mat& image, const Rules& rules) {
    Counts counts{};
    for (int y = 0; y < image.rows; ++y) {
        for (int x = 0; x < image.cols; ++x) {
            if (rules.counts(image, x, y)) counts[image.ptr(y)[x]] += rules.times;
        }
    }
    const auto kept = static_cast<std::int64_t>((std::uint64_t{1} << rules.counter_bits) - 1);
    for (auto& count : counts) count &= kept;
    for (int i = 0; i < 256; ++i) {
        if (i < rules.first_level || i > rules.last_level) counts[static_cast<std::size_t>(i)] = 0;
    }
    return counts;
}

std::int64_t first_positive(const Counts& counts) {
    const auto found = std::find_if(counts.begin(), counts.end(), [](auto n) { return n > 0; });
    return found == counts.end() ? 0 : *found;
}

std::int64_t cdf_min_of(const Counts& counts, const Counts& cdf, const Rules& rules,
                        const Style& style) {
    switch (rules.cdf_min) {
        case Rules::first:
            return counts[0];
        case Rules::zero:
            return 0;
        case Rules::smallest: {
            std::int64_t least = std::numeric_limits<std::int64_t>::max();
            for (const auto count : counts) {
                if (count > 0) least = std::min(least, count);
            }
            return least;
        }
        case Rules::level:
            return std::find_if(counts.begin(), counts.end(), [](auto n) { return n > 0; }) -
                   counts.begin();
        case Rules::next: {
            const std::int64_t darkest = first_positive(cdf);
            const auto found =
                std::find_if(cdf.begin(), cdf.end(), [=](auto n) { return n > darkest; });
            return found == cdf.end() ? darkest : *found;
        }
        case Rules::darkest:
            break;
    }
    return first_positive(style.min_of_counts ? counts : cdf);
}

double rounded(double value, const Rules& rules) {
    switch (rules.rounding) {
        case Rules::half_up:
            return std::floor(value + 0.5);
        case Rules::down:
            return std::trunc(value);
        case Rules::up:
            return std::ceil(value);
        default:
            return std::nearbyint(value);
    }
}

/// numerator * scale / denominator as a byte of the table.
int table_value(std::int64_t numerator, std::int64_t denominator, const Rules& rules,
                const Style& style) {
    std::int64_t product = numerator * rules.scale;
    double value = 0;
    if (rules.bits_of_product == 32) {
        product = static_cast<std::int32_t>(product);
        value = static_cast<double>(product) / static_cast<double>(denominator);
    } else if (style.arithmetic == Style::product) {
        const float scale = static_cast<float>(rules.scale) / static_cast<float>(denominator);
        value = static_cast<float>(numerator) * scale;
    } else if (style.arithmetic == Style::quotient) {
        value = static_cast<float>(product) / static_cast<float>(denominator);
    } else {
        value = static_cast<double>(product) / static_cast<double>(denominator);
    }
    return static_cast<int>(static_cast<std::int64_t>(rounded(value, rules)) & 255);
}

/// The value of each level that occurs, -1 for others; nothing if a level has several values.
std::optional<Table> table_in(const cv::Mat& image, const cv::Mat& out) {
    Table table;
    table.fill(-1);
    for (int y = 0; y < image.rows; ++y) {
        for (int x = 0; x < image.cols; ++x) {
            int& value = table[image.ptr(y)[x]];
            if (value >= 0 && value != out.ptr(y)[x]) return std::nullopt;
            value = out.ptr(y)[x];
        }
    }
    return table;
}

Table table_of(const Counts& counts, const Counts& cdf, std::int64_t image_pixels,
               const Rules& rules, const Style& style) {
    const std::int64_t pixels =
        style.total == Style::width_by_height ? image_pixels
        : style.total == Style::last_of_cdf
            ? cdf.back()
            : std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    const std::int64_t cdf_min = cdf_min_of(counts, cdf, rules, style);
    const std::int64_t divisor = rules.divisor == Rules::minus_cdf_min ? pixels - cdf_min
                                 : rules.divisor == Rules::all_but_one ? pixels - 1
                                 : rules.divisor == Rules::other_total ? rules.total - cdf_min
                                                                       : pixels;
    Table table{};
    const bool constant = cdf_min == pixels;
    for (int level = 0; level < 256; ++level) {
        int& value = table[static_cast<std::size_t>(level)];
        const std::int64_t sum = cdf[static_cast<std::size_t>(level)];
        if (constant && !style.zero_if_constant) value = level;
        if (constant || divisor == 0) continue;
        if (style.below != Style::wraps && sum < cdf_min) {
            value = style.below == Style::one ? 1 : 0;
            continue;
        }
        value = table_value(sum - cdf_min, divisor, rules, style);
    }
    return table;
}

/// True if the mistake gives these values to the levels that occur in the image.
bool gives(const Table& values, const cv::Mat& image, const Rules& rules) {
    const Counts counts = counted(image, rules);
    Counts cdf{};
    const auto scanned = harness::scanned({counts.begin(), counts.end()}, rules.scan);
    std::copy(scanned.begin(), scanned.end(), cdf.begin());
    const std::vector<Style> styles = Style::all();
    return std::any_of(styles.begin(), styles.end(), [&](const Style& style) {
        if (rules.rounding == Rules::exactly && style.arithmetic != Style::exact) return false;
        // A mistake that leaves constant images alone does not explain that they are not kept.
        const bool concerns_constant = rules.divisor != Rules::minus_cdf_min ||
                                       rules.cdf_min != Rules::darkest || rules.scan.exclusive;
        if (style.zero_if_constant && !concerns_constant) return false;
        const Table table =
            table_of(counts, cdf, static_cast<std::int64_t>(image.total()), rules, style);
        for (int level = 0; level < 256; ++level) {
            const int value = values[static_cast<std::size_t>(level)];
            if (value >= 0 && value != rules.look_up(table, level)) return false;
        }
        return true;
    });
}

const std::string problem = "lab4-histogram-eq/README.md, \"The problem\": ";
const std::string hist = problem + "hist[i] number of pixels of level i";
const std::string cdf_line = problem + "cdf[i] hist[0] + hist[1] + … + hist[i]";
const std::string min_line = problem + "cdf_min cdf of the darkest level that occurs";
const std::string lut = problem + "lut[i] (cdf[i] - cdf_min) * 255 / (N - cdf_min), rounded";
const std::string constant_line =
    problem +
    "A picture of a single level has no contrast to gain (the divisor would be 0) and is "
    "returned as it is.";
const std::string rounding_line = problem + "Exact half-way products are rounded to even.";
const std::string overflow_line =
    problem + "`count * 255` overflows a signed 32-bit integer from 8.4 million pixels on.";

struct Named {
    std::string name;
    std::string passage;
    Rules rules;
};

std::vector<Named> table_mistakes(const cv::Mat& image) {
    const auto with_look_up = [](auto look_up) {
        Rules rules;
        rules.look_up = look_up;
        return rules;
    };
    const auto at = [](const Table& table, int level) {
        return table[static_cast<std::size_t>(std::clamp(level, 0, 255))];
    };
    const std::int64_t width = image.cols;
    const std::int64_t height = image.rows;
    return {
        {"cdf_min is hist[0], and not the count of the darkest level that occurs",
         min_line,
         {.cdf_min = Rules::first}},
        {"cdf_min is the smallest count, and not the count of the darkest level that occurs",
         min_line,
         {.cdf_min = Rules::smallest}},
        {"cdf_min is the darkest level itself, not its cdf", min_line, {.cdf_min = Rules::level}},
        {"cdf_min is the cdf of the second darkest level", min_line, {.cdf_min = Rules::next}},
        {"the CDF is divided by N, and cdf_min is not subtracted", lut, {.cdf_min = Rules::zero}},
        {"the divisor is N, and not N - cdf_min", lut, {.divisor = Rules::all}},
        {"the divisor is N - 1, and not N - cdf_min", lut, {.divisor = Rules::all_but_one}},
        {"N is width * width", lut, {.divisor = Rules::other_total, .total = width * width}},
        {"N is height * height", lut, {.divisor = Rules::other_total, .total = height * height}},
        {"the factor is 256, not 255", lut, {.scale = 256}},
        {"values are truncated instead of rounded", lut, {.rounding = Rules::down}},
        {"values are rounded up instead of to nearest", lut, {.rounding = Rules::up}},
        {"half-way cases are rounded up instead of to the even neighbour",
         rounding_line,
         {.rounding = Rules::half_up}},
        {"the exact quotient is rounded, instead of a product of floats as in cv::equalizeHist",
         rounding_line,
         {.rounding = Rules::exactly}},
        {"a 32-bit overflow of count * 255", overflow_line, {.bits_of_product = 32}},
        {"the look-up is missing: the output is the input", lut,
         with_look_up([](const Table&, int level) { return level; })},
        {"the values are inverted: 255 minus the right one", lut,
         with_look_up([](const Table& table, int level) {
             return 255 - table[static_cast<std::size_t>(level)];
         })},
        {"the look-up takes the value of the next brighter level", lut,
         with_look_up([at](const Table& table, int level) { return at(table, level + 1); })},
        {"the look-up takes the value of the next darker level", lut,
         with_look_up([at](const Table& table, int level) { return at(table, level - 1); })},
        {"the table is looked up twice", lut, with_look_up([at](const Table& table, int level) {
             return at(table, at(table, level));
         })}};
}

std::vector<Named> counting_mistakes(std::optional<Block> block) {
    std::vector<Named> all{
        {"8-bit counters overflow", hist, {.counter_bits = 8}},
        {"16-bit counters overflow", hist, {.counter_bits = 16}},
        {"level 0 is left out", cdf_line, {.first_level = 1}},
        {"level 255 is left out (i < 255 for i < 256)", cdf_line, {.last_level = 254}},
        {"every pixel is counted twice: does every thread count all pixels?", hist, {.times = 2}},
        {"every pixel is counted 3 times", hist, {.times = 3}},
        {"every pixel is counted 4 times", hist, {.times = 4}}};
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
        add(fmt::format("only the first of {} histograms is merged", n),
            [n](const cv::Mat& in, int x, int) { return x >= in.cols / n * n || x % n == 0; });
        add(fmt::format("only the first of {} histograms is merged", n),
            [n](const cv::Mat&, int x, int) { return x % n == 0; });
        add(fmt::format("the last of {} histograms is not merged", n),
            [n](const cv::Mat& in, int x, int) { return x >= in.cols / n * n || x % n != n - 1; });
        add(fmt::format("the last of {} histograms is not merged", n),
            [n](const cv::Mat&, int x, int) { return x % n != n - 1; });
        add(fmt::format("the first of {} histograms is not merged", n),
            [n](const cv::Mat& in, int x, int) { return x < in.cols / n * n && x % n != 0; });
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

}  // namespace

std::vector<harness::KnownMistake> of(const cv::Mat& image, std::optional<Block> block) {
    if (image.channels() != 1) return {};
    std::vector<harness::KnownMistake> all;
    const auto add = [&](const std::string& name, const std::string& passage, const Rules& rules,
                         const cv::Mat& from) {
        const auto explains = [from, rules](const cv::Mat& out) {
            const std::optional<Table> values = table_in(from, out);
            return values && gives(*values, from, rules);
        };
        all.push_back({name, explains, passage});
    };
    for (const Named& mistake : table_mistakes(image)) {
        add(mistake.name, mistake.passage, mistake.rules, image);
    }
    for (const Named& mistake : counting_mistakes(block)) {
        add(mistake.name, mistake.passage, mistake.rules, image);
    }
    for (const harness::WrongScan& scan : harness::wrong_scans()) {
        Rules rules;
        rules.scan = scan.rules;
        add("the CDF: " + scan.name, cdf_line, rules, image);
    }
    add("rows are read as if they had no padding: row y begins y * pitch values after row 0, not y "
        "* width",
        "common/include/common/view.hpp", {}, harness::read_without_pitch(image));
    // The definition but for constant images.
    const cv::Mat right = oracle::equalized(image);
    const bool constant =
        cv::norm(image, cv::Mat(image.size(), image.type(), image.at<uchar>(0)), cv::NORM_INF) == 0;
    for (const int value : {0, 255}) {
        all.push_back(
            {fmt::format("a constant image becomes {}, and is not returned as it is", value),
             harness::is([=] {
                 return constant ? cv::Mat(image.size(), CV_8UC1, cv::Scalar(value)) : right;
             }),
             constant_line});
    }
    return all;
}

}  // namespace mistakes
