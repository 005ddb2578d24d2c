#include "filter.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <utility>

#include "edge_content.hpp"
#include "network.hpp"

namespace upscale {
namespace {

constexpr std::array<std::pair<Method, const char*>, 6> names{{{Method::gauss, "gauss"},
                                                               {Method::bicubic, "bicubic"},
                                                               {Method::lagrange, "lagrange"},
                                                               {Method::bilinear, "bilinear"},
                                                               {Method::lanczos, "lanczos"},
                                                               {Method::learned, "learned"}}};

}  // namespace

std::string name_of(Method method) {
    for (const auto& [known, name] : names) {
        if (known == method) return name;
    }
    throw std::out_of_range("method");
}

Method method_named(const std::string& name) {
    for (const auto& [method, known] : names) {
        if (known == name) return method;
    }
    throw std::out_of_range(name);
}

Weights Filter::weights() const {
    switch (method) {
        case Method::gauss:
            return gaussian_weights(radius, sigma);
        case Method::bicubic:
        case Method::learned:
            return bicubic_weights();
        case Method::lagrange:
            return lagrange_weights();
        case Method::bilinear:
            return bilinear_weights();
        case Method::lanczos:
            return lanczos_weights();
    }
    throw std::out_of_range("method");
}

Options Filter::options(const common::RunOptions& run) const {
    Options result{run};
    result.method = method;
    result.weights = weights();
    result.sigma = static_cast<float>(sigma);
    if (method == Method::learned) result.network = network ? network : &default_network();
    return result;
}

Filter Filter::chosen_for(const cv::Mat& image) const {
    Filter filter = *this;
    if (automatic) filter.method = method_for(edge_content(image));
    return filter;
}

std::string Filter::parameters() const {
    std::string text = automatic ? "method=auto;chosen=" : "method=";
    text += name_of(method);
    if (method == Method::gauss) text += fmt::format(";radius={};sigma={:g}", radius, sigma);
    return text;
}

}  // namespace upscale
