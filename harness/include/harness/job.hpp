#pragma once

#include <functional>
#include <opencv2/core.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/variant.hpp"

namespace common {

std::string_view to_string(Backend backend);

/// Why `variant` cannot run here, or nothing if it can.
std::optional<std::string> why_unavailable(const VariantInfo& variant);

/// Whether `variant` runs on the CPU in place of a GPU: it is checked then, and never timed.
bool is_emulated(const VariantInfo& variant);

/// The variant called `name`; throws BadUsage naming the accepted ones.
const VariantInfo& find_variant(std::span<const VariantInfo> variants, std::string_view name);

/// The type under which images of std::int64_t travel: cv::Mat has no name for it, only for another
/// one of 8 bytes.
inline constexpr int int64_carrier = CV_64FC1;

/// Rows, columns and OpenCV type of an image.
struct Shape {
    int width = 0;
    int height = 0;
    int type = CV_8UC3;

    bool operator==(const Shape&) const = default;

    static Shape of(const cv::Mat& image) { return {image.cols, image.rows, image.type()}; }
    std::size_t bytes() const {
        return static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
               static_cast<std::size_t>(CV_ELEM_SIZE(type));
    }
};

/// An image in GPU memory as the harness holds it: `pitch` in bytes. Typed by DeviceImage::view.
struct DeviceImage {
    void* data = nullptr;
    Shape shape;
    std::size_t pitch = 0;

    template <class T>
    DeviceView<T> view() const {
        return {static_cast<T*>(data), shape.width, shape.height, CV_MAT_CN(shape.type),
                static_cast<std::ptrdiff_t>(pitch / sizeof(T))};
    }
};

template <class T>
ImageView<T> view_of(const cv::Mat& image) {
    auto* data = reinterpret_cast<T*>(image.data);
    return {data, image.cols, image.rows, image.channels(),
            static_cast<std::ptrdiff_t>(image.step[0] / sizeof(T))};
}

/// What a library call needs whose images are not the lab's, in type or size. The harness converts
/// outside the timing, and counts the bytes of the library's own images.
struct Adapter {
    std::function<cv::Mat(const cv::Mat& in)> input;    ///< from the lab's input; may refuse it
    std::function<Shape(const Shape& out)> output;      ///< from the lab's output to the library's
    std::function<cv::Mat(const cv::Mat& out)> result;  ///< back to the lab's output
};

/// How the harness gets images to the GPU and back, for experiments on just that. The default is
/// what a program does that keeps its buffers, and its images in ordinary memory.
struct Transfers {
    bool fresh_buffers = false;  ///< allocated for each call and freed after it
    bool pinned = false;         ///< by way of page-locked memory

    bool operator==(const Transfers&) const = default;
};

/// A variant with its options bound; exactly one of the three functions is set.
struct Job {
    std::function<void(const cv::Mat& in, cv::Mat& out)> host;
    std::function<void(const DeviceImage& in, const DeviceImage& out, Scratch&, cudaStream_t)>
        device;
    std::optional<Adapter> adapter{};

    /// From host image to host image by way of the GPU: does its own transfers.
    std::function<void(const cv::Mat& in, cv::Mat& out, Scratch&)> host_to_host{};
    Transfers transfers{};  ///< of `device`

    bool on_gpu() const { return device || host_to_host; }
    cv::Mat adapted_input(const cv::Mat& in) const { return adapter ? adapter->input(in) : in; }
    Shape adapted_output(const Shape& out) const { return adapter ? adapter->output(out) : out; }
    cv::Mat result(const cv::Mat& out) const { return adapter ? adapter->result(out) : out; }
};

template <class In, class Out, class Options>
Job bind(const Variant<In, Out, Options>& variant, const Options& options) {
    Job job;
    if (variant.device != nullptr) {
        job.device = [call = variant.device, bound = options](
                         const DeviceImage& in, const DeviceImage& out, Scratch& scratch,
                         cudaStream_t stream) mutable {
            bound.scratch = &scratch;
            call(in.view<const In>(), out.view<Out>(), bound, stream);
        };
    } else if (variant.on_device) {
        job.host_to_host = [call = variant.host, bound = options](const cv::Mat& in, cv::Mat& out,
                                                                  Scratch& scratch) mutable {
            bound.scratch = &scratch;
            call(view_of<const In>(in), view_of<Out>(out), bound);
        };
    } else {
        job.host = [call = variant.host, options](const cv::Mat& in, cv::Mat& out) {
            call(view_of<const In>(in), view_of<Out>(out), options);
        };
    }
    return job;
}

}  // namespace common
