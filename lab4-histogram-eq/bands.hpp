#pragma once

#include "harness/bands.hpp"
#include "problem/options.hpp"

namespace equalize {

/// Equalization in two passes over bands of rows: the first counts, the second looks up. A picture
/// may have more pixels than the variants count.
harness::BandWork band_work(const Options& options);

}  // namespace equalize
