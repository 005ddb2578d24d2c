// The oracle of the method `learned`. Layers are sums of cv::filter2D in float: every sum is an
// integer of less than 2^24, so float is exact. The bicubic part is that of the other methods.

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "network.hpp"
#include "oracle.hpp"

namespace upscale {
namespace {

using Planes = std::vector<cv::Mat>;  // CV_32F, one for each channel

cv::Mat luma_of(const cv::Mat& in) {
    cv::Mat precise;
    in.convertTo(precise, CV_32F);
    if (in.channels() == 1) return precise;
    cv::Mat sum;  // of blue, green and red
    cv::transform(precise, sum, cv::Matx14f(29, 150, 77, 128));
    sum /= 256;
    for (float& value : cv::Mat_<float>(sum)) value = std::floor(value);
    return sum;
}

/// Without the border of one pixel, where filter2D has made up values.
Planes convolved(const Planes& in, const Layer& layer, int outputs) {
    Planes result(static_cast<std::size_t>(outputs));
    for (int o = 0; o < outputs; ++o) {
        cv::Mat sum(in[0].size(), CV_32F, cv::Scalar(layer.bias[o]));
        for (int i = 0; i < static_cast<int>(in.size()); ++i) {
            cv::Matx33f kernel;
            for (int tap = 0; tap < network_taps; ++tap) kernel.val[tap] = layer.weights[o][tap][i];
            cv::Mat part;
            cv::filter2D(in[static_cast<std::size_t>(i)], part, CV_32F, kernel);
            sum += part;
        }
        const float unit = std::exp2(static_cast<float>(layer.shift));
        for (float& value : cv::Mat_<float>(sum)) value = std::floor(value / unit + 0.5f);
        result[static_cast<std::size_t>(o)] = sum({1, 1, sum.cols - 2, sum.rows - 2});
    }
    return result;
}

/// The residuals of the rows first … last - 1, in eighths.
Planes residuals(const cv::Mat& luma, int first, int last, const Network& network) {
    constexpr int halo = network_layers;
    cv::Mat padded;
    cv::copyMakeBorder(luma, padded, halo, halo, halo, halo, cv::BORDER_REPLICATE);
    Planes planes{padded.rowRange(first, last + 2 * halo)};
    for (int i = 0; i < network_layers; ++i) {
        planes = convolved(planes, network.layers[i], Network::outputs(i));
        if (i == network_layers - 1) break;
        for (cv::Mat& plane : planes) plane = cv::max(cv::min(plane, 255), 0);
    }
    return planes;
}

}  // namespace

cv::Mat learned(const cv::Mat& in, const Network& network) {
    constexpr int band = 128;  // rows whose activations are in memory at a time
    const cv::Mat base = weighted_means(in, {.method = Method::bicubic});
    const cv::Mat luma = luma_of(in);
    cv::Mat out(base.rows, base.cols, in.type());
    for (int first = 0; first < in.rows; first += band) {
        const int last = std::min(first + band, in.rows);
        const Planes residual = residuals(luma, first, last, network);
        for (int Y = 2 * first; Y < 2 * last; ++Y) {
            for (int i = 0; i < out.cols * out.channels(); ++i) {
                const int X = i / out.channels();
                const cv::Mat& plane = residual[static_cast<std::size_t>(2 * (Y % 2) + X % 2)];
                const double sum =
                    base.ptr<double>(Y)[i] + plane.at<float>(Y / 2 - first, X / 2) / 8.0;
                out.ptr(Y)[i] = static_cast<uchar>(std::clamp(std::floor(sum + 0.5), 0.0, 255.0));
            }
        }
    }
    return out;
}

}  // namespace upscale
