#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <opencv2/core.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "common/variant.hpp"

namespace harness {

using namespace common;

std::string_view to_string(Backend backend);

/// Why `variant` cannot run here, or nothing if it can.
std::optional<std::string> why_unavailable(const VariantInfo& variant);

/// True if `variant` runs on the CPU in place of a GPU. It is then checked, and never timed.
bool is_emulated(const VariantInfo& variant);

/// True if the variant starts its threads in this process itself. `bench` can bind such threads to
/// cores.
bool has_own_threads(const VariantInfo& variant);

/// `options` as the variant takes them: a sequential one has one thread, and ranks share the
/// threads.
template <class Options>
Options for_backend(Backend backend, Options options) {
    if (backend == Backend::seq) options.threads = 1;
    if (backend == Backend::mpi) options.threads = std::max(1, options.threads / options.ranks);
    return options;
}

/// ";threads=4", with ";ranks=2" if the variant has ranks; "" for a variant on the GPU.
std::string threads_text(const VariantInfo& variant, const RunOptions& options);

/// The fault in an error's message, if the emulation found one: "out of bounds: a 4-byte load …".
std::optional<std::string> emulated_fault(std::string_view message);

/// The variant called `name`; throws BadUsage naming the option and the accepted ones.
const VariantInfo& find_variant(std::span<const VariantInfo> variants, std::string_view name,
                                std::string_view option);

/// Rows, columns and OpenCV type of an image.
struct Shape {
    int width = 0;
    int height = 0;
    int type = CV_8UC3;

    int channels() const { return CV_MAT_CN(type); }
    int value_bytes() const { return CV_ELEM_SIZE1(type); }
    bool operator==(const Shape&) const = default;

    static Shape of(const cv::Mat& image) { return {image.cols, image.rows, image.type()}; }
    std::size_t bytes() const {
        return static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
               static_cast<std::size_t>(CV_ELEM_SIZE(type));
    }
};

template <class T>
ImageView<T> view_of(const cv::Mat& image) {
    auto* data = reinterpret_cast<T*>(image.data);
    return {data, image.cols, image.rows, image.channels(),
            static_cast<std::ptrdiff_t>(image.step[0] / sizeof(T))};
}

/// Converts images for a library call whose images differ from the lab's in type or size. This is
/// not timed. The harness counts the bytes of the library's images. By default nothing changes.
struct Adapter {
    /// From the lab's input; may refuse it.
    std::function<cv::Mat(const cv::Mat& in)> input = std::identity();
    /// From the lab's output to the library's, and back.
    std::function<Shape(const Shape& out)> output = std::identity();
    std::function<cv::Mat(const cv::Mat& out)> result = std::identity();
};

/// The way in which the harness transfers images to the GPU and back. By default it uses the same
/// buffers in each call, and copies from and to pageable memory.
struct Transfers {
    bool fresh_buffers = false;  ///< allocated for each call and freed after it
    bool pinned = false;         ///< through page-locked memory

    bool operator==(const Transfers&) const = default;
};

/// A function on host images that runs on the CPU.
using HostCall = std::function<void(const cv::Mat& in, cv::Mat& out)>;

/// A function on images in GPU memory. The harness makes the transfers.
using DeviceCall =
    std::function<void(const UntypedRows& in, const UntypedRows& out, Scratch&, cudaStream_t)>;

/// A function on host images that uses the GPU and makes the transfers itself.
using TransferringCall = std::function<void(const cv::Mat& in, cv::Mat& out, Scratch&)>;

/// A function that several processes call, each on its rows. The harness starts them and
/// distributes the rows; see ranks.hpp.
struct RankCall {
    std::string variant;
    std::vector<std::byte> options;
    int ranks = 1;
    int threads = 1;  ///< of a rank

    void operator()(const cv::Mat& in, cv::Mat& out) const;
};

/// A variant with its options bound.
struct Job {
    std::variant<HostCall, DeviceCall, TransferringCall, RankCall> call;
    std::optional<Adapter> adapter{};
    Transfers transfers{};  ///< of a DeviceCall

    /// True if it uses the GPU in this process.
    bool on_gpu() const {
        return needs_transfers() || std::holds_alternative<TransferringCall>(call);
    }

    /// The call, if it is one of ranks.
    const RankCall* in_ranks() const { return std::get_if<RankCall>(&call); }

    /// True if the harness transfers the images to the GPU and back.
    bool needs_transfers() const { return std::holds_alternative<DeviceCall>(call); }

    /// Calls a job that does not need transfers.
    void run(const cv::Mat& in, cv::Mat& out, Scratch& scratch) const {
        if (const auto* host = std::get_if<HostCall>(&call)) return (*host)(in, out);
        if (const auto* ranks = in_ranks()) return (*ranks)(in, out);
        std::get<TransferringCall>(call)(in, out, scratch);
    }

    /// Calls a job that needs transfers, with images in GPU memory.
    void run(const UntypedRows& in, const UntypedRows& out, Scratch& scratch,
             cudaStream_t stream) const {
        std::get<DeviceCall>(call)(in, out, scratch, stream);
    }

    cv::Mat adapted_input(const cv::Mat& in) const { return adapter ? adapter->input(in) : in; }
    Shape adapted_output(const Shape& out) const { return adapter ? adapter->output(out) : out; }
    cv::Mat result(const cv::Mat& out) const { return adapter ? adapter->result(out) : out; }
};

template <class In, class Out, class Options>
Job bind(const Variant<In, Out, Options>& variant, const Options& options) {
    if (variant.in_ranks) {
        static_assert(std::is_trivially_copyable_v<Options>, "ranks get the options as bytes");
        const auto* bytes = reinterpret_cast<const std::byte*>(&options);
        return {RankCall{
            variant.name, {bytes, bytes + sizeof options}, options.ranks, options.threads}};
    }
    if (variant.device != nullptr) {
        return {DeviceCall([call = variant.device, bound = options](
                               const UntypedRows& in, const UntypedRows& out, Scratch& scratch,
                               cudaStream_t stream) mutable {
            bound.scratch = &scratch;
            call(in.view<const In, Memory::device>(), out.view<Out, Memory::device>(), bound,
                 stream);
        })};
    }
    if (variant.on_device) {
        return {TransferringCall([call = variant.host, bound = options](
                                     const cv::Mat& in, cv::Mat& out, Scratch& scratch) mutable {
            bound.scratch = &scratch;
            call(view_of<const In>(in), view_of<Out>(out), bound);
        })};
    }
    return {HostCall([call = variant.host, options](const cv::Mat& in, cv::Mat& out) {
        call(view_of<const In>(in), view_of<Out>(out), options);
    })};
}

}  // namespace harness
