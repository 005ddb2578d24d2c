#include "variant_call.hpp"

#include <cmath>
#include <utility>

#include "problem/oracle.hpp"

namespace {

using convolution::Mask;

/// The output with sums in double precision that `to_pixel` converts.
template <class ToPixel>
cv::Mat convolved(const cv::Mat& image, const Mask& mask, ToPixel to_pixel) {
    cv::Mat out(image.size(), image.type());
    for (int y = 0; y < image.rows; ++y) {
        const std::vector<double> sums = convolution::row_sums(image, mask, y).sums;
        for (std::size_t b = 0; b < sums.size(); ++b) out.ptr(y)[b] = to_pixel(sums[b]);
    }
    return out;
}

uchar truncated(double sum) {
    return static_cast<uchar>(sum <= 0 ? 0 : sum >= 255 ? 255 : std::floor(sum));
}

uchar rounded(double sum) {
    return truncated(std::floor(sum + 0.5));
}

uchar wrapped(double sum) {
    return static_cast<uchar>(static_cast<long>(sum) & 255);
}

/// The mask whose weight in row i and column j is at(i, j).
template <class At>
Mask mask_of(int size, At at) {
    Mask mask{size, {}};
    for (int i = 0; i < size * size; ++i) mask.weights[i] = at(i / size, i % size);
    return mask;
}

cv::Mat with_channels_swapped(cv::Mat image) {
    for (int y = 0; y < image.rows; ++y) {
        for (int x = 0; x < image.cols; ++x) {
            std::swap(*image.ptr(y, x), image.ptr(y, x)[image.channels() - 1]);
        }
    }
    return image;
}

/// The mistakes that people make in this lab.
std::vector<harness::KnownMistake> common_mistakes(const cv::Mat& image, const Mask& mask) {
    const int n = mask.size;
    const auto with_weights = [=](auto at) {
        return harness::is([=] { return convolved(image, mask_of(n, at), truncated); });
    };
    const auto with_pixels = [=](uchar (*to_pixel)(double)) {
        return harness::is([=] { return convolved(image, mask, to_pixel); });
    };
    return {{"the mask is flipped left to right",
             with_weights([=](int i, int j) { return mask.at(i, n - 1 - j); })},
            {"the mask is flipped upside down",
             with_weights([=](int i, int j) { return mask.at(n - 1 - i, j); })},
            {"the mask is turned by 180 degrees (convolution instead of correlation)",
             with_weights([=](int i, int j) { return mask.at(n - 1 - i, n - 1 - j); })},
            {"the mask is transposed", with_weights([=](int i, int j) { return mask.at(j, i); })},
            {"the sum is rounded to nearest instead of truncated", with_pixels(rounded)},
            {"the sum is not clamped to 0..255 and wraps around", with_pixels(wrapped)},
            {"the channels are swapped (RGB for BGR)", harness::is([=] {
                 return with_channels_swapped(convolved(image, mask, truncated));
             })}};
}

}  // namespace

harness::VariantCall variant_call_for(const common::VariantInfo& info, harness::Job job,
                                      const cv::Mat& image, const Mask& mask,
                                      const std::string& parameters) {
    return {.variant = info,
            .job = std::move(job),
            .in = image,
            .out = harness::Shape::of(image),
            .definition = [mask](const cv::Mat& in) { return convolution::oracle(in, mask); },
            .border = mask.size / 2,
            .parameters = parameters,
            .known_mistakes = [image, mask] { return common_mistakes(image, mask); }};
}
