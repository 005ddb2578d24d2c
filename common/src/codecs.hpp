#pragma once

#include <opencv2/core.hpp>
#include <string>
#include <vector>

// Functions of OpenCV's imgcodecs. It depends on more than a hundred libraries (GDAL's), which take
// long to load. Most processes read no image file: each test is a process. So it is in a library of
// its own, which is loaded when the first image file is read or written.

namespace common {

struct Codecs {
    cv::Mat (*decode)(const std::vector<uchar>& bytes, int mode);
    bool (*encode)(const std::string& extension, const cv::Mat& image, std::vector<uchar>& bytes);
    bool (*has_writer)(const std::string& path);
};

}  // namespace common

/// The only function of the library that is looked up.
extern "C" const common::Codecs* labs_codecs();
