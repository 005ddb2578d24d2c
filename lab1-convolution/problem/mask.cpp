#include "mask.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "common/error.hpp"

namespace convolution {
namespace {

struct Filter {
    std::string_view name;
    int size;
    float divisor;
    std::array<int, 25> numerators;
};

// All but the boxes are multiples of 1/256, so their sums are exact in float.
constexpr std::array<Filter, 9> filters{{
    {"identity", 3, 1, {0, 0, 0, 0, 1, 0, 0, 0, 0}},
    {"edge4", 3, 1, {0, -1, 0, -1, 4, -1, 0, -1, 0}},
    {"edge8", 3, 1, {-1, -1, -1, -1, 8, -1, -1, -1, -1}},
    {"sharpen", 3, 1, {0, -1, 0, -1, 5, -1, 0, -1, 0}},
    {"box3", 3, 9, {1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {"box5", 5, 25, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {"gauss3", 3, 16, {1, 2, 1, 2, 4, 2, 1, 2, 1}},
    {"gauss5", 5, 256, {1,  4, 6, 4,  1,  4,  16, 24, 16, 4, 6, 24, 36,
                        24, 6, 4, 16, 24, 16, 4,  1,  4,  6, 4, 1}},
    {"unsharp5",  // twice the image minus gauss5
     5,
     256,
     {-1,  -4, -6, -4,  -1,  -4,  -16, -24, -16, -4, -6, -24, 476,
      -24, -6, -4, -16, -24, -16, -4,  -1,  -4,  -6, -4, -1}},
}};

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
    throw common::BadUsage(fmt::format("filter file '{}': {}", path, what));
}

/// Describes the first invisible or non-ASCII character of a malformed number, as " (it has
/// U+00A0)"; "" if there is none.
std::string unseen_in(std::string_view word) {
    const auto unseen = [](char c) { return c <= ' ' || c > '~'; };
    const auto first = std::find_if(word.begin(), word.end(), unseen);
    if (first == word.end()) return "";
    const auto lead = static_cast<unsigned char>(*first);
    const int more = std::max(std::countl_one(lead), 1) - 1;  // bytes that follow in UTF-8
    std::uint32_t code = more == 0 ? lead : lead & (0x3Fu >> more);
    bool good = lead < 0x80 || (more >= 1 && more <= 3 && word.end() - first > more);
    for (int i = 1; good && i <= more; ++i) {
        const auto next = static_cast<unsigned char>(first[i]);
        good = next >> 6 == 2;
        code = code << 6 | (next & 0x3Fu);
    }
    if (!good) return fmt::format(" (its byte 0x{:02X} is not UTF-8)", lead);
    return fmt::format(" (it has U+{:04X})", code);
}

/// from_chars does not take a plus sign.
std::string_view without_plus(std::string_view word) {
    const bool plus = word.size() > 1 && word[0] == '+' && word[1] != '-';
    return plus ? word.substr(1) : word;
}

/// Otherwise `inf - inf` may appear in the sum over a mask, and no result is defined.
void require_finite_sums(const std::string& path, const Mask& mask) {
    const int count = mask.size * mask.size;
    const double magnitude =
        std::accumulate(mask.weights, mask.weights + count, 0.0,
                        [](double sum, float weight) { return sum + std::abs(double{weight}); });
    constexpr double most = double{std::numeric_limits<float>::max()} / 255;
    if (magnitude <= most) return;
    refuse(path, fmt::format("the absolute values add up to {:.6g}; accepted: at most {:.6g}, so "
                             "that sums over pixels fit a float",
                             magnitude, most));
}

std::vector<float> parse_line(const std::string& path, int number, std::string line) {
    line.resize(std::min(line.find('#'), line.size()));
    std::istringstream words(line);
    std::vector<float> row;
    for (std::string word; words >> word;) {
        float value = 0;
        const std::string_view digits = without_plus(word);
        const char* const last = digits.data() + digits.size();
        const auto [end, error] = std::from_chars(digits.data(), last, value);
        if (error != std::errc{} || end != last || !std::isfinite(value)) {
            refuse(path, fmt::format("line {}: '{}' is not a finite number{}", number, word,
                                     unseen_in(word)));
        }
        row.push_back(value);
    }
    return row;
}

}  // namespace

std::span<const std::string_view> filter_names() {
    static const auto names = [] {
        std::array<std::string_view, filters.size()> result;
        for (std::size_t i = 0; i < filters.size(); ++i) result[i] = filters[i].name;
        return result;
    }();
    return names;
}

Mask find_filter(std::string_view name) {
    std::string known;
    for (const Filter& filter : filters) {
        known += fmt::format("{}{}", known.empty() ? "" : ", ", filter.name);
        if (filter.name != name) continue;
        Mask mask{filter.size, {}};
        for (int i = 0; i < mask.size * mask.size; ++i) {
            mask.weights[i] =
                static_cast<float>(filter.numerators[static_cast<std::size_t>(i)]) / filter.divisor;
        }
        return mask;
    }
    throw common::BadUsage(
        fmt::format("--filter: unknown filter '{}'; there are: {}", name, known));
}

Mask read_mask(const std::string& path) {
    std::ifstream in(path);
    if (!in || std::filesystem::is_directory(path)) refuse(path, "cannot be read");
    Mask mask{0, {}};
    int number = 0;
    int rows = 0;
    for (std::string line; std::getline(in, line);) {
        constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // of editors on Windows
        if (number == 0 && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
        const std::vector<float> row = parse_line(path, ++number, line);
        if (row.empty()) continue;
        if (rows == 0) mask.size = static_cast<int>(row.size());
        if (mask.size % 2 == 0 || mask.size > Mask::max_size) {
            refuse(path, fmt::format("{} numbers in a line; accepted: an odd number up to {}",
                                     mask.size, Mask::max_size));
        }
        if (static_cast<int>(row.size()) != mask.size) {
            refuse(path, fmt::format("line {}: {} numbers, the first line has {}", number,
                                     row.size(), mask.size));
        }
        if (rows == mask.size) refuse(path, fmt::format("more than {} lines", mask.size));
        std::copy(row.begin(), row.end(), mask.weights + rows++ * mask.size);
    }
    if (rows == 0) refuse(path, "has no numbers");
    if (rows != mask.size) {
        refuse(path, fmt::format("{} lines of {} numbers; a mask is square", rows, mask.size));
    }
    require_finite_sums(path, mask);
    return mask;
}

Mask gaussian_mask(int size) {
    Mask mask{size, {}};
    const double sigma = size / 5.0;
    double sum = 0;
    const auto weight = [&](int i, int j) {
        const int dx = j - mask.radius();
        const int dy = i - mask.radius();
        return std::exp(-(dx * dx + dy * dy) / (2 * sigma * sigma));
    };
    for (int i = 0; i < size; ++i) {
        for (int j = 0; j < size; ++j) sum += weight(i, j);
    }
    for (int i = 0; i < size; ++i) {
        for (int j = 0; j < size; ++j) {
            mask.weights[i * size + j] = static_cast<float>(weight(i, j) / sum);
        }
    }
    return mask;
}

Mask irregular_mask(int size) {
    Mask mask{size, {}};
    for (int i = 0; i < size * size; ++i) {
        mask.weights[i] = static_cast<float>(0.08 * std::cos(1.0 + i * i));
    }
    return mask;
}

}  // namespace convolution
