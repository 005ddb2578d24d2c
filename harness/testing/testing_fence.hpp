#pragma once

// For programs of tests whose variant is compiled with AddressSanitizer.

#include <array>
#include <opencv2/core.hpp>

namespace harness {

/// While it exists, AddressSanitizer reports an access to the guard bytes around these images, with
/// its line. Does nothing in other programs.
class Fence {
  public:
    Fence(const cv::Mat& in, const cv::Mat& out);
    Fence(const Fence&) = delete;
    Fence& operator=(const Fence&) = delete;
    ~Fence();

  private:
    std::array<cv::Mat, 2> images_;
};

}  // namespace harness
