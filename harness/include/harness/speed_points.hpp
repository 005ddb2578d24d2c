#pragma once

#include <algorithm>
#include <cmath>

namespace harness {

/// Several threads are faster than one by this, or they do not share the work, and their speed has
/// no points. One that works alone does not reach 1: it has no more CPU time than the call takes.
inline constexpr double least_gain = 1.05;

/// The points of a speed: none up to `floor`, all from `full` on, linear between, rounded down to
/// tenths. So full points are those of somebody who has reached `full`.
inline double speed_points(double ratio, double floor, double full, double points) {
    if (!(ratio > floor)) return 0;  // not a number either
    const double part = std::min(1.0, (ratio - floor) / (full - floor));
    return part == 1.0 ? points : std::floor(points * part * 10 + 1e-9) / 10;
}

}  // namespace harness
