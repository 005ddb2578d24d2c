#pragma once

#include <cstdint>
#include <opencv2/core.hpp>
#include <vector>

namespace harness {

/// A picture of hills, a meadow and a house under a clouded sky, drawn from value noise in fixed
/// point. Coordinates are in units of height/2^16, so every size shows the same scene.
class Landscape {
  public:
    Landscape(int width, int height, std::uint64_t seed);
    cv::Vec3b pixel(int x, int y) const;

  private:
    struct Ridge {
        int base;       ///< height of the sky line, from the top
        int amplitude;  ///< of its peaks
        int cell;       ///< log2 of the distance of the largest peaks
        cv::Vec3b colour;
    };
    static constexpr int ridge_count = 4;
    static const Ridge ridges[ridge_count];

    int width_;
    int height_;
    std::uint64_t seed_;
    std::vector<int> skyline_[ridge_count];  ///< per column

    int scaled(int pixels) const;
    int fractal(int x, int y, int cell, int octaves) const;
    cv::Vec3b sky(int x, int y) const;
    cv::Vec3b hill(int ridge, int x, int y, int depth) const;
    bool house(int x, int y, cv::Vec3b& colour) const;
};

}  // namespace harness
