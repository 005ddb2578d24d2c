// The network of --method learned in OpenCV's `dnn`, in float. It does not round activations, so it
// is compared with tolerance 4, and takes the default network only: others may enlarge the
// difference. The network is made in each call, which takes little of its time; all activations of
// an image are in memory at once.

#include <cstdint>
#include <opencv2/dnn.hpp>
#include <opencv2/imgproc.hpp>
#include <string>

#include "common/error.hpp"
#include "common/view.hpp"
#include "problem/network.hpp"
#include "problem/variant.hpp"

namespace upscale {

using common::ImageView;

/// Weights and biases in real numbers.
static cv::dnn::LayerParams parameters(const Layer& layer, int inputs, int outputs) {
    const auto unit = static_cast<float>(1 << layer.shift);
    cv::Mat weights(std::vector<int>{outputs, inputs, 3, 3}, CV_32F);
    cv::Mat bias(1, outputs, CV_32F);
    float* weight = weights.ptr<float>();
    for (int o = 0; o < outputs; ++o) {
        bias.at<float>(o) = static_cast<float>(layer.bias[o]) / unit;
        for (int i = 0; i < inputs; ++i) {
            for (const auto& tap : layer.weights[o]) {
                *weight++ = static_cast<float>(tap[i]) / unit;
            }
        }
    }
    cv::dnn::LayerParams result;
    result.set("kernel_size", 3);
    result.set("num_output", outputs);
    result.blobs = {weights, bias};
    return result;
}

static cv::dnn::Net net_of(const Network& network) {
    cv::dnn::Net net;
    for (int i = 0; i < network_layers; ++i) {
        const std::string number = std::to_string(i);
        cv::dnn::LayerParams layer =
            parameters(network.layers[i], Network::inputs(i), Network::outputs(i));
        net.addLayerToPrev("convolution" + number, "Convolution", layer);
        if (i == network_layers - 1) break;
        cv::dnn::LayerParams clamp;
        clamp.set("min_value", 0);
        clamp.set("max_value", 255);
        net.addLayerToPrev("clamp" + number, "ReLU6", clamp);
    }
    net.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
    return net;
}

static cv::Mat luma_with_halo(const cv::Mat& in) {
    cv::Mat result;
    if (in.channels() == 1) {
        in.convertTo(result, CV_32F);
    } else {
        cv::transform(in, result, cv::Matx14f(29, 150, 77, 0) / 256.0F);
        result.convertTo(result, CV_32F);
    }
    constexpr int halo = network_layers;
    cv::copyMakeBorder(result, result, halo, halo, halo, halo, cv::BORDER_REPLICATE);
    return result;
}

void peer_opencv_dnn(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                     const Options& options) {
    if (options.network != &default_network()) {
        throw common::Unsupported("peer_opencv_dnn: takes the default network only");
    }
    cv::setNumThreads(options.threads);
    const int type = CV_8UC(in.channels);
    const cv::Mat source(in.height, in.width, type, const_cast<std::uint8_t*>(in.data),
                         static_cast<std::size_t>(in.pitch));
    cv::Mat target(out.height, out.width, type, out.data, static_cast<std::size_t>(out.pitch));

    cv::dnn::Net net = net_of(*options.network);
    const cv::Mat luma_values = luma_with_halo(source);
    net.setInput(luma_values.reshape(1, {1, 1, luma_values.rows, luma_values.cols}));
    const cv::Mat residuals = net.forward();  // 1 x phases x height x width, in eighths

    cv::Mat precise;
    source.convertTo(precise, CV_32F);
    cv::resize(precise, precise, target.size(), 0, 0, cv::INTER_CUBIC);
    for (int y = 0; y < out.height; ++y) {
        const float* bicubic = precise.ptr<float>(y);
        const int above = 2 * (y % 2);
        const float* even = residuals.ptr<float>(0, above) + std::ptrdiff_t{y / 2} * in.width;
        const float* odd = residuals.ptr<float>(0, above + 1) + std::ptrdiff_t{y / 2} * in.width;
        for (int x = 0; x < out.width; ++x) {
            const float residual = (x % 2 == 0 ? even : odd)[x / 2] / 8;
            for (int c = 0; c < out.channels; ++c) {
                out.at(x, y, c) = to_pixel(*bicubic++ + residual);
            }
        }
    }
}

static const Register registered{
    {.name = "peer_opencv_dnn",
     .backend = common::Backend::peer,
     .idea = "the network of --method learned in OpenCV's dnn, in float",
     .agreement = {.tolerance = 4}},
    peer_opencv_dnn,
    Traits{.in_ladder = false, .learned = true}};

}  // namespace upscale
