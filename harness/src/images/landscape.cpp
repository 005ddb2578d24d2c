#include "images/landscape.hpp"

#include <algorithm>
#include <cstdlib>

#include "harness/random.hpp"

namespace harness {
namespace {

constexpr int unit = 1 << 16;  // the height of the picture

/// Random 0..65535 at a point of the integer lattice.
int lattice(std::uint64_t seed, int x, int y) {
    const auto key = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(x)) << 32) |
                     static_cast<std::uint32_t>(y);
    return static_cast<int>(random_at(seed, key) >> 48);
}

/// Smooth step 3t^2 - 2t^3 of t in 0..65536.
std::int64_t smooth(std::int64_t t) {
    return (t * t / unit) * (3 * unit - 2 * t) / unit;
}

std::int64_t blend(std::int64_t a, std::int64_t b, std::int64_t t) {
    return a + (b - a) * t / unit;
}

/// Lattice values at distance 2^cell, interpolated: 0..65535.
int value_noise(std::uint64_t seed, int x, int y, int cell) {
    const int column = x >> cell;
    const int row = y >> cell;
    const auto fraction = [cell](int at) {
        const std::int64_t inside = at & ((1 << cell) - 1);
        return smooth(inside * unit >> cell);
    };
    const std::int64_t tx = fraction(x);
    const std::int64_t top = blend(lattice(seed, column, row), lattice(seed, column + 1, row), tx);
    const std::int64_t bottom =
        blend(lattice(seed, column, row + 1), lattice(seed, column + 1, row + 1), tx);
    return static_cast<int>(blend(top, bottom, fraction(y)));
}

cv::Vec3b mix(cv::Vec3b a, cv::Vec3b b, std::int64_t t) {
    t = std::clamp<std::int64_t>(t, 0, unit);
    cv::Vec3b result;
    for (int c = 0; c < 3; ++c) result[c] = static_cast<uchar>(blend(a[c], b[c], t));
    return result;
}

cv::Vec3b shaded(cv::Vec3b colour, int percent) {
    cv::Vec3b result;
    for (int c = 0; c < 3; ++c) {
        result[c] = static_cast<uchar>(std::clamp(colour[c] * percent / 100, 0, 255));
    }
    return result;
}

}  // namespace

const Landscape::Ridge Landscape::ridges[ridge_count] = {
    {24000, 17000, 15, {196, 172, 150}},  // far mountains, blue in the haze
    {31000, 12000, 14, {140, 128, 104}},
    {38500, 7000, 14, {74, 104, 70}},   // wooded hills
    {46500, 2600, 15, {58, 142, 112}},  // the meadow in front
};

Landscape::Landscape(int width, int height, std::uint64_t seed)
    : width_(width), height_(height), seed_(seed) {
    for (int r = 0; r < ridge_count; ++r) {
        const Ridge& ridge = ridges[r];
        skyline_[r].resize(static_cast<std::size_t>(width));
        for (int x = 0; x < width; ++x) {
            const int noise = fractal(scaled(x), r * 7919 * unit / 64, ridge.cell, r == 2 ? 6 : 4);
            skyline_[r][static_cast<std::size_t>(x)] =
                ridge.base -
                static_cast<int>(std::int64_t{ridge.amplitude} * (noise - 32768) / 32768);
        }
    }
}

int Landscape::scaled(int pixels) const {
    return static_cast<int>(static_cast<std::int64_t>(pixels) * unit / height_);
}

/// Octaves of value noise, each of half the size and weight of the one before: 0..65535.
int Landscape::fractal(int x, int y, int cell, int octaves) const {
    std::int64_t sum = 0;
    std::int64_t weights = 0;
    for (int octave = 0; octave < octaves && cell - octave > 0; ++octave) {
        const std::int64_t weight = unit >> octave;
        sum +=
            weight * value_noise(seed_ + static_cast<std::uint64_t>(octave), x, y, cell - octave);
        weights += weight;
    }
    return static_cast<int>(sum / weights);
}

cv::Vec3b Landscape::sky(int x, int y) const {
    const cv::Vec3b high{206, 140, 72};
    const cv::Vec3b low{236, 220, 196};
    cv::Vec3b colour = mix(high, low, std::int64_t{y} * unit / 34000);

    const std::int64_t dx = x - scaled(width_) * 3 / 4;
    const std::int64_t dy = y - 11000;
    const std::int64_t distance = (dx * dx + dy * dy) >> 12;
    colour = mix(colour, {200, 244, 255}, unit - std::min<std::int64_t>(distance * 4, unit));
    if (distance < 1300) return {226, 250, 255};  // the sun

    const std::int64_t cloud = fractal(x / 2, y, 13, 5) - 33000;
    return mix(colour, {250, 248, 246}, cloud * 5);
}

cv::Vec3b Landscape::hill(int ridge, int x, int y, int depth) const {
    const int light = fractal(x, y * 2, 12, 4);
    const int grain = fractal(x, y * (ridge == 3 ? 3 : 1), ridge == 3 ? 9 : 10, 4);
    const int contrast = 12 + 12 * ridge;  // far hills are pale and even
    const int percent = 100 + contrast * (light - 32768) / 32768 +
                        contrast * (grain - 32768) / 24000 - (ridge == 3 ? depth / 700 : 0);
    return shaded(ridges[ridge].colour, percent);
}

/// A house with a gable roof, a door and two windows: straight edges at every size.
bool Landscape::house(int x, int y, cv::Vec3b& colour) const {
    const int left = x - (scaled(width_) / 4 - 5000);
    const int down = y - 42500;
    const int half = std::abs(left - 5000);
    if (down < 0 && down > -5000 && half < 6200 + down * 6200 / 5000) {
        colour = shaded({52, 62, 150}, (-down / 300) % 2 == 0 ? 100 : 84);  // tiles
        return true;
    }
    if (left < 0 || left >= 10000 || down < 0 || down >= 7000) return false;
    colour = left < 9200 ? cv::Vec3b{196, 214, 226} : cv::Vec3b{150, 166, 178};
    if (down > 3000 && left > 4200 && left < 5800) colour = {48, 66, 92};
    const bool window = down > 1800 && down < 4200 &&
                        ((left > 1200 && left < 3000) || (left > 7000 && left < 8800));
    if (window) {
        const bool frame = std::abs(down - 3000) < 140 || std::abs(left % 5800 - 2100) < 140;
        colour = frame ? cv::Vec3b{236, 240, 242} : cv::Vec3b{96, 74, 58};
    }
    return true;
}

cv::Vec3b Landscape::pixel(int column, int row) const {
    const int x = scaled(column);
    const int y = scaled(row);
    cv::Vec3b colour;
    if (house(x, y, colour)) return colour;
    for (int r = ridge_count - 1; r >= 0; --r) {
        const int depth = y - skyline_[r][static_cast<std::size_t>(column)];
        if (depth >= 0) return hill(r, x, y, depth);
    }
    return sky(x, y);
}

}  // namespace harness
