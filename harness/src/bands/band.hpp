#pragma once

#include <algorithm>
#include <opencv2/core.hpp>
#include <vector>

namespace harness {

/// Part of a picture: own rows, and rows of the halo where the picture has them.
struct Band {
    int first = 0;  ///< own row
    int rows = 0;   ///< own rows
    int above = 0;  ///< rows of the halo
    int below = 0;
    cv::Mat memory{};

    cv::Mat with_halo() const { return memory.rowRange(0, above + rows + below); }
    int begin() const { return first - above; }
    int end() const { return first + rows + below; }
};

/// The bands of a picture from row `from` on.
inline std::vector<Band> bands_of(int height, int band_rows, int halo, int from) {
    std::vector<Band> bands;
    for (int first = from; first < height; first += band_rows) {
        const int rows = std::min(band_rows, height - first);
        bands.push_back(
            {first, rows, std::min(halo, first), std::min(halo, height - first - rows)});
    }
    return bands;
}

}  // namespace harness
