#include "gold.hpp"

#include <algorithm>
#include <cmath>

namespace gold {
namespace {

constexpr double slack = 1e-3;

double cubic(double d) {
    const double x = std::fabs(d);
    const double a = -0.75;
    if (x <= 1) return (a + 2) * std::pow(x, 3) - (a + 3) * std::pow(x, 2) + 1;
    if (x < 2) return a * std::pow(x, 3) - 5 * a * std::pow(x, 2) + 8 * a * x - 4 * a;
    return 0;
}

/// The product of (t - node) / (d - node) over the other nodes, with the sample at t = 0 and the
/// nodes at -1.75, -0.75, 0.25, 1.25 or the same to the other side.
double four_nodes(double d) {
    const double side = std::remainder(d, 1.0);  // 0.25 or -0.25: where the nearest node lies
    double weight = std::fabs(d) < 2 ? 1 : 0;
    for (double node = side - 2; node <= side + 2; ++node) {
        if (node != d && std::fabs(node) < 2) weight *= -node / (d - node);
    }
    return weight;
}

double triangle(double d) {
    return std::max(0.0, 1 - std::fabs(d));
}

double windowed_sinc(double d) {
    const double x = std::acos(-1.0) * d;  // pi d; d is never 0 here
    return std::fabs(d) < 4 ? std::sin(x) / x * (std::sin(x / 4) / (x / 4)) : 0;
}

double weight(const Filter& filter, double dx, double dy) {
    switch (filter.kernel) {
        case Kernel::bicubic:
            return cubic(dx) * cubic(dy);
        case Kernel::lagrange:
            return four_nodes(dx) * four_nodes(dy);
        case Kernel::bilinear:
            return triangle(dx) * triangle(dy);
        case Kernel::lanczos:
            return windowed_sinc(dx) * windowed_sinc(dy);
        case Kernel::gauss:
            break;
    }
    return std::exp(-(dx * dx + dy * dy) / (2 * filter.sigma * filter.sigma));
}

/// The weights of all taps for one pair of phases, row by row.
std::vector<double> weights(const Filter& filter, const Rules& rules, int phase_x, int phase_y) {
    const auto offset = [&](int phase) {
        return phase == 0 ? rules.even_offset : rules.odd_offset;
    };
    std::vector<double> result;
    for (int j = -filter.radius; j <= filter.radius; ++j) {
        for (int i = -filter.radius; i <= filter.radius; ++i) {
            result.push_back(weight(filter, i + offset(phase_x), j + offset(phase_y)));
        }
    }
    return result;
}

uchar byte(double value) {
    if (value <= 0) return 0;
    return value >= 255 ? uchar{255} : static_cast<uchar>(value);
}

uchar floored(double value) {
    return byte(std::floor(value));
}

/// Whether every value of `out` is `rule(mean)`, for a mean that may be off by the slack.
bool follows(const cv::Mat& out, const cv::Mat& means, const std::function<uchar(double)>& rule) {
    for (int y = 0; y < out.rows; ++y) {
        for (int x = 0; x < out.cols * out.channels(); ++x) {
            const double mean = means.ptr<double>(y)[x];
            const uchar value = out.ptr(y)[x];
            if (value < rule(mean - slack) || value > rule(mean + slack)) return false;
        }
    }
    return true;
}

/// Channel c of the result is channel `from[c]`, or 255 where that is 3: the alpha of a pixel of
/// four bytes.
cv::Mat with_channels(const cv::Mat& means, const std::vector<int>& from) {
    cv::Mat result(means.size(), means.type());
    for (int y = 0; y < means.rows; ++y) {
        for (int x = 0; x < means.cols; ++x) {
            for (int c = 0; c < 3; ++c) {
                const int source = from[static_cast<std::size_t>(c)];
                result.ptr<double>(y)[3 * x + c] =
                    source == 3 ? 255 : means.ptr<double>(y)[3 * x + source];
            }
        }
    }
    return result;
}

/// Whether some values are wrong, but only ones whose taps reach beyond their block's own pixels.
bool wrong_at_block_edges_only(const cv::Mat& out, const cv::Mat& means, common::Block block,
                               int radius) {
    bool any = false;
    for (int y = 0; y < out.rows; ++y) {
        for (int x = 0; x < out.cols * out.channels(); ++x) {
            const double error =
                std::fabs(std::clamp(means.ptr<double>(y)[x], 0.0, 255.0) - out.ptr(y)[x]);
            if (error <= 0.5 + slack) continue;
            const int in_x = x / out.channels() % block.width;
            const int in_y = y % block.height;
            const int reach = 2 * radius + 1;
            const bool inside = in_x >= reach && in_x < block.width - reach && in_y >= reach &&
                                in_y < block.height - reach;
            if (inside) return false;
            any = true;
        }
    }
    return any;
}

/// A source row as taps meet it, with `radius` pixels more at both ends; and how much of its weight
/// each tap adds to the divisor, if that is not all of it.
struct Row {
    std::vector<double> values;
    std::vector<double> counts;
};

Row row_of_taps(const cv::Mat& image, int y, int radius, const Rules& rules) {
    const int channels = image.channels();
    const int from_y = std::clamp(y, 0, image.rows - 1);
    const bool clamped = rules.border == Rules::clamped;
    const auto length = static_cast<std::size_t>((image.cols + 2 * radius) * channels);
    Row row{std::vector<double>(length), std::vector<double>(clamped ? 0 : length)};
    std::size_t i = 0;
    for (int x = -radius; x < image.cols + radius; ++x) {
        const int from_x = std::clamp(x, 0, image.cols - 1);
        const bool counts = clamped || (from_x == x && from_y == y);
        const bool divides = counts || rules.border == Rules::skipped_not_normalised;
        for (int c = 0; c < channels; ++c, ++i) {
            row.values[i] = counts ? image.ptr(from_y)[from_x * channels + c] : 0.0;
            if (!clamped) row.counts[i] = divides ? 1.0 : 0.0;
        }
    }
    return row;
}

/// The sums over all taps, and of their weights, for one row of outputs and every other column.
struct Sums {
    std::vector<double> values;
    std::vector<double> weights;
};

void add_tap(double tap, const Row& row, std::size_t from, Sums& sums) {
    for (std::size_t b = 0; b < sums.values.size(); ++b) {
        sums.values[b] += tap * row.values[from + b];
    }
    for (std::size_t b = 0; b < sums.weights.size(); ++b) {
        sums.weights[b] += row.counts.empty() ? tap : tap * row.counts[from + b];
    }
}

Sums sums_of_phase(const Row* rows, const std::vector<double>& taps, int radius,
                   std::size_t channels, std::size_t count) {
    const bool all_count = rows->counts.empty();  // then one sum of the weights does for all
    Sums sums{std::vector<double>(count), std::vector<double>(all_count ? 1 : count)};
    const double* tap = taps.data();
    for (int j = 0; j <= 2 * radius; ++j) {
        for (int i = 0; i <= 2 * radius; ++i, ++tap) {
            add_tap(*tap, rows[j], static_cast<std::size_t>(i) * channels, sums);
        }
    }
    return sums;
}

}  // namespace

cv::Mat means(const cv::Mat& image, const Filter& filter, const Rules& rules) {
    const int r = filter.radius;
    const auto channels = static_cast<std::size_t>(image.channels());
    const std::size_t values = static_cast<std::size_t>(image.cols) * channels;
    std::vector<Row> rows;
    for (int y = -r; y < image.rows + r; ++y) rows.push_back(row_of_taps(image, y, r, rules));
    cv::Mat result(2 * image.rows, 2 * image.cols, CV_64FC(image.channels()));
#pragma omp parallel for if (image.total() > 2'000)
    for (int Y = 0; Y < result.rows; ++Y) {
        for (const int px : {0, 1}) {
            const Sums sums = sums_of_phase(&rows[static_cast<std::size_t>(Y >> 1)],
                                            weights(filter, rules, px, Y & 1), r, channels, values);
            auto* to = result.ptr<double>(Y);
            for (std::size_t b = 0; b < values; ++b) {
                const std::size_t X = 2 * (b / channels) + static_cast<std::size_t>(px);
                const double total = sums.weights[sums.weights.size() == 1 ? 0 : b];
                to[X * channels + b % channels] = sums.values[b] / total;
            }
        }
    }
    return result;
}

Bounds bounds(const cv::Mat& image, const Filter& filter) {
    const cv::Mat exact = means(image, filter);
    Bounds result{cv::Mat(exact.size(), image.type()), cv::Mat(exact.size(), image.type())};
    for (int y = 0; y < exact.rows; ++y) {
        for (int x = 0; x < exact.cols * exact.channels(); ++x) {
            const double mean = exact.ptr<double>(y)[x];
            result.low.ptr(y)[x] = byte(std::ceil(mean - 0.5 - slack));
            result.high.ptr(y)[x] = byte(std::floor(mean + 0.5 + slack));
        }
    }
    return result;
}

common::Check check(const cv::Mat& image, const Filter& filter) {
    return
        [allowed = bounds(image, filter)](const cv::Mat& out, const common::Agreement& agreement) {
            return common::compare(allowed.low, allowed.high, out, agreement);
        };
}

std::vector<common::Suspicion> suspicions(const cv::Mat& image, const Filter& filter,
                                          std::optional<common::Block> block) {
    const auto rounded = [](double mean) { return floored(mean + 0.5); };
    const auto with_rules = [=](const Rules& rules) {
        return
            [=](const cv::Mat& out) { return follows(out, means(image, filter, rules), rounded); };
    };
    const auto with_colours = [=](const std::vector<int>& from) {
        return [=](const cv::Mat& out) {
            return image.channels() == 3 &&
                   follows(out, with_channels(means(image, filter), from), rounded);
        };
    };
    std::vector<common::Suspicion> all{
        {"the phases of even and odd pixels are swapped",
         with_rules({.even_offset = -0.25, .odd_offset = 0.25})},
        {"the phase is half an output pixel off: samples at X/2 instead of (X+0.5)/2 - 0.5",
         with_rules({.even_offset = 0, .odd_offset = -0.5})},
        {"taps outside the image are skipped, and the sum is not divided by what is left of the "
         "weights",
         with_rules({.border = Rules::skipped_not_normalised})},
        {"taps outside the image are skipped instead of taken from the border",
         with_rules({.border = Rules::skipped})},
        {"the mean is truncated instead of rounded to nearest",
         [=](const cv::Mat& out) { return follows(out, means(image, filter), floored); }},
        {"the fourth byte of a pixel leaks into a colour", with_colours({1, 2, 3})},
        {"the fourth byte of a pixel leaks into a colour", with_colours({3, 0, 1})},
        {"the channels are swapped (RGB for BGR)", with_colours({2, 1, 0})}};
    if (block) {
        all.push_back({"wrong near the edges of blocks only: is the halo of a tile too small?",
                       [=](const cv::Mat& out) {
                           return wrong_at_block_edges_only(out, means(image, filter), *block,
                                                            filter.radius);
                       }});
    }
    return all;
}

}  // namespace gold
