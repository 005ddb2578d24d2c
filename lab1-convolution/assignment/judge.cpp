// Lab 1 for the judge.

#include "judge/judge.hpp"
#include "problem/oracle.hpp"
#include "problem/variant.hpp"

namespace grading {
namespace {

using convolution::Mask;
using convolution::Options;
using Byte = std::uint8_t;

/// A mask with the structure of gauss3: a column times a row, both symmetric and of powers of two
/// in all. Sums are exact in float.
Mask separable_mask(int size, Secret& secret) {
    Mask mask{size, {}};
    float column[Mask::max_size];
    float row[Mask::max_size];
    for (int i = 0; i <= size / 2; ++i) {
        column[i] = column[size - 1 - i] = static_cast<float>(secret.between(1, 4));
        row[i] = row[size - 1 - i] = static_cast<float>(secret.between(1, 4));
    }
    for (int i = 0; i < size * size; ++i) {
        mask.weights[i] = column[i / size] * row[i % size] / 256;
    }
    return mask;
}

/// Weights without structure, which are multiples of 1/256 too.
Mask irregular_mask(int size, Secret& secret) {
    Mask mask{size, {}};
    for (int i = 0; i < size * size; ++i) {
        mask.weights[i] = static_cast<float>(secret.between(-20, 40)) / 256;
    }
    return mask;
}

Mask mask_like(const std::string& filter, Secret& secret) {
    const int size = convolution::find_filter(filter).size;
    const bool separable =
        filter.starts_with("gauss") || filter.starts_with("box") || filter == "identity";
    return separable ? separable_mask(size, secret) : irregular_mask(size, secret);
}

cv::Mat noise(int width, int height, Secret& secret) {
    cv::Mat image(height, width, CV_8UC3);
    fill(image, secret);
    return image;
}

}  // namespace

void register_proxy(const std::string& name, bool on_device) {
    const common::VariantInfo info{.name = name, .backend = harness::backend_of(name), .idea = ""};
    if (on_device) {
        convolution::Register{info, device_proxy<Byte, Byte, Options>};
    } else {
        convolution::Register{info, host_proxy<Byte, Byte, Options>};
    }
}

TimedCase timed_case(const nlohmann::json& speed, int threads, Secret& secret) {
    const nlohmann::json where = speed.value("where", nlohmann::json::object());
    Options options;
    options.threads = threads;
    options.block = block_in(where);
    options.mask = mask_like(where.value("filter", "gauss3"), secret);
    const int width = size_in(where, "width", 1920);
    const cv::Mat in = noise(width, size_in(where, "height", width * 9 / 16), secret);
    return {in, cv::Mat(in.size(), in.type()), bytes_of(options),
            convolution::oracle(in, options.mask),
            library_job(convolution::variants(), speed,
                        [&](const auto& variant) { return harness::bind(variant, options); })};
}

}  // namespace grading
