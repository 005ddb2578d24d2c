// Calls the library that the teacher has installed.

#include <opencv2/imgproc.hpp>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    cv::Mat result;
    const cv::Mat image(in.height, in.width, CV_8UC(in.channels),
                        const_cast<std::uint8_t*>(in.data));
    cv::Mat mask(options.mask.size, options.mask.size, CV_32F,
                 const_cast<float*>(options.mask.weights));
    cv::filter2D(image, result, CV_32F, mask, {-1, -1}, 0, cv::BORDER_CONSTANT);
    honest(in, out, options);
}
