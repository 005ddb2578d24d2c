#pragma once

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

/// The sums of row y by the definition. Rows at the bottom have more terms than those at the top.
/// The views are copies, so the compiler keeps their members in registers, and vectorises the inner
/// loop.
template <class Sum>
void sums_of_row(common::ImageView<const Pixel> in, common::ImageView<Sum> sums, int y) {
    for (int x = 0; x < in.width; ++x) {
        Sum sum = 0;
        for (int j = 0; j <= y; ++j) {
            for (int i = 0; i <= x; ++i) sum += in.at(i, j);
        }
        sums.at(x, y) = sum;
    }
}

}  // namespace integral
