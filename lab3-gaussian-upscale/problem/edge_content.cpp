#include "edge_content.hpp"

#include <opencv2/imgproc.hpp>

namespace upscale {

EdgeContent edge_content(const cv::Mat& image) {
    cv::Mat gray = image;
    if (image.channels() == 3) cv::cvtColor(image, gray, cv::COLOR_BGR2GRAY);
    constexpr int smallest = 1;  // aperture: plain differences
    constexpr double half = 0.5;
    cv::Mat along_x;
    cv::Mat along_y;
    cv::Sobel(gray, along_x, CV_32F, 1, 0, smallest, half);
    cv::Sobel(gray, along_y, CV_32F, 0, 1, smallest, half);
    cv::Mat length;
    cv::magnitude(along_x, along_y, length);
    cv::Mat curvature;
    cv::Laplacian(gray, curvature, CV_32F, smallest);
    const auto pixels = static_cast<double>(image.total());
    return {.gradient = cv::mean(length)[0],
            .curvature = cv::norm(curvature, cv::NORM_L1) / pixels};
}

Method method_for(const EdgeContent& content) {
    const bool few_edges = content.gradient < 3.5;
    const bool grain = content.roughness() > 2.2;
    return few_edges && grain ? Method::gauss : Method::bicubic;
}

}  // namespace upscale
