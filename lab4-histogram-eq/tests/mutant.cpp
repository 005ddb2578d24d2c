#include "mutant.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mistakes {
namespace {

using equalize::oracle::Counts;
using harness::Ways;

/// Programs with the same mistake differ in these.
struct Style {
    enum { product, quotient, exact } arithmetic = product;
    enum { width_by_height, of_counts, last_of_cdf } total = width_by_height;  ///< N
    bool zero_if_constant = false;  ///< no test for a constant image
    bool min_of_counts = true;      ///< cdf_min is a count, not a sum of the scan
    /// Value of a cdf below cdf_min. An unsigned difference exceeds an int; then `rounded` gives 1.
    enum { wraps, zero, one } below = wraps;

    /// All styles with one arithmetic. A style has the same place in the list, and so the same bit
    /// in `Ways`, whatever the arithmetic is.
    static std::vector<Style> all(decltype(arithmetic) of) {
        std::vector<Style> styles;
        for (const auto total : {width_by_height, of_counts, last_of_cdf}) {
            for (const auto below : {wraps, zero, one}) {
                for (const bool constant : {false, true}) {
                    for (const bool counts : {false, true}) {
                        styles.push_back({of, total, constant, counts, below});
                    }
                }
            }
        }
        return styles;
    }
};

Counts counted(const cv::Mat& image, const Rules& rules) {
    Counts counts{};
    const auto kept = static_cast<std::int64_t>((std::uint64_t{1} << rules.counter_bits) - 1);
    const cv::Mat pixels = rules.pixels ? rules.pixels(image) : image;
    const int n = rules.counters;
    for (int part = 0, y = 0; part < n; ++part) {
        Counts own{};
        const int end = y + image.rows / n + (part < image.rows % n ? 1 : 0);
        for (; y < end; ++y) {
            for (int x = 0; x < pixels.cols; ++x) {
                own[pixels.ptr(y)[x]] +=
                    rules.counts ? rules.times * rules.counts(image, x, y) : rules.times;
            }
        }
        for (std::size_t i = 0; i < own.size(); ++i) counts[i] += own[i] & kept;
    }
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
        case Rules::exactly_half_up:
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
    if (rules.truncated_first == Rules::quotient) {
        value = static_cast<double>(numerator / denominator * rules.scale);
    } else if (rules.truncated_first == Rules::factor) {
        value = static_cast<double>(rules.scale / denominator * numerator);
    } else if (rules.bits_of_product == 32) {
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

Counts cdf_of(const Counts& counts, const Rules& rules) {
    Counts cdf{};
    const auto scanned = harness::scanned({counts.begin(), counts.end()}, rules.scan);
    std::copy(scanned.begin(), scanned.end(), cdf.begin());
    return cdf;
}

Table table_of(const Counts& counts, const Counts& cdf, std::int64_t image_pixels,
               const Rules& rules, const Style& style) {
    const std::int64_t pixels =
        style.total == Style::width_by_height ? image_pixels
        : style.total == Style::last_of_cdf
            ? cdf.back()
            : std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    const std::int64_t cdf_min = cdf_min_of(counts, cdf, rules, style);
    std::int64_t divisor = rules.divisor == Rules::minus_cdf_min ? pixels - cdf_min
                           : rules.divisor == Rules::all_but_one ? pixels - 1
                           : rules.divisor == Rules::other_total ? rules.total - cdf_min
                                                                 : pixels;
    if (divisor < 0) divisor += std::int64_t{1} << 32;  // of unsigned counts
    Table table{};
    const bool constant = cdf_min == pixels;
    for (int level = 0; level < 256; ++level) {
        int& value = table[static_cast<std::size_t>(level)];
        const std::int64_t sum = cdf[static_cast<std::size_t>(level)];
        if (style.below != Style::wraps && sum < cdf_min) {
            value = style.below == Style::one ? 1 : 0;
            continue;
        }
        if (constant && !style.zero_if_constant) value = level;
        if (constant || divisor == 0) continue;
        value = table_value(sum - cdf_min, divisor, rules, style);
    }
    return table;
}

/// The ways that give (level - darkest) * 255 / (brightest - darkest).
Ways ways_of_stretching(const Table& values, const Counts& counts, const Rules& rules) {
    const auto occurs = [](auto count) { return count > 0; };
    const auto darkest = std::find_if(counts.begin(), counts.end(), occurs) - counts.begin();
    const auto brightest =
        255 - (std::find_if(counts.rbegin(), counts.rend(), occurs) - counts.rbegin());
    const auto are = [&](const Style& style, bool constant_is_kept) {
        for (int level = 0; level < 256; ++level) {
            const int value = values[static_cast<std::size_t>(level)];
            const int stretched =
                brightest > darkest
                    ? table_value(level - darkest, brightest - darkest, rules, style)
                : constant_is_kept ? level
                                   : 0;
            if (value >= 0 && value != stretched) return false;
        }
        return true;
    };
    Ways found = 0;
    for (const auto arithmetic : {Style::product, Style::quotient, Style::exact}) {
        const Style style{.arithmetic = arithmetic};
        if (are(style, true)) found |= 1;
        if (are(style, false)) found |= 2;
    }
    return found;
}

}  // namespace

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

namespace {

enum class Order { product_last, division_last };  ///< of a multiplication and a division

Ways ways_in(Order order, const Table& values, const cv::Mat& image, const Rules& rules) {
    const Counts counts = counted(image, rules);
    const Counts cdf = cdf_of(counts, rules);
    const auto gives = [&](const Style& style) {
        // A mistake that does not change the treatment of constant images cannot explain a wrong
        // constant image.
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
    };
    Ways found = 0;
    const auto add = [&](const std::vector<Style>& styles) {
        for (std::size_t i = 0; i < styles.size(); ++i) {
            if (gives(styles[i])) found |= Ways{1} << i;
        }
    };
    if (order == Order::product_last) {
        add(Style::all(Style::product));
    } else {
        add(Style::all(Style::quotient));
        add(Style::all(Style::exact));
    }
    return found;
}

}  // namespace

Table exact_table(const Counts& counts, const Rules& rules) {
    const Style style{.arithmetic = Style::exact, .total = Style::of_counts, .below = Style::zero};
    return table_of(counts, cdf_of(counts, rules), 0, rules, style);
}

Ways ways(const Table& values, const cv::Mat& image, const Rules& rules) {
    if (rules.stretches) return ways_of_stretching(values, counted(image, rules), rules);
    const auto of = [&](Order order, const Rules& tried) {
        return ways_in(order, values, image, tried);
    };
    if (rules.rounding == Rules::exactly || rules.rounding == Rules::exactly_half_up) {
        return of(Order::division_last, rules);
    }
    const Ways products = rules.bits_of_product == 64 ? of(Order::product_last, rules) : 0;
    if (rules.rounding == Rules::half_up) return products;
    const Ways divisions = of(Order::division_last, rules);
    if (divisions == 0) return products;
    // Wrong values that the arithmetic alone explains are no sign of another mistake.
    const bool is_no_sign = of(Order::product_last, {}) == 0 && of(Order::division_last, {}) != 0;
    return is_no_sign ? products : products | divisions;
}

}  // namespace mistakes
