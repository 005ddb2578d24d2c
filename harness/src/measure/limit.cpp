#include "harness/limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "harness/measure.hpp"

namespace harness {

bool has_gpu(const BenchRequest& request) {
    return std::ranges::any_of(request.variants,
                               [](const VariantInfo& info) { return info.on_device; });
}

std::vector<std::pair<int, int>> limit_sizes(const BenchRequest& request,
                                             const std::vector<std::pair<int, int>>& large) {
    std::vector<std::pair<int, int>> sizes{{256, 256}, {480, 270}};
    if (!request.full) return sizes;
    if (!has_gpu(request)) sizes.insert(sizes.begin(), {16, 16});
    sizes.insert(sizes.end(), large.begin(), large.end());
    return sizes;
}

std::vector<VariantInfo> best_of(const std::vector<VariantInfo>& variants) {
    std::vector<VariantInfo> best;
    for (const VariantInfo& info : variants) {
        if (info.name.ends_with("_best")) best.push_back(info);
    }
    return best;
}

std::vector<VariantInfo> with_libraries(const BenchRequest& request,
                                        std::vector<VariantInfo> variants) {
    std::ranges::copy_if(request.variants, std::back_inserter(variants),
                         [](const VariantInfo& info) { return info.backend == Backend::peer; });
    return variants;
}

std::vector<std::vector<std::string>> limit_line(const Trial&, Runner& runner) {
    return {{runner.on_gpu() ? fmt::format("{:.6g}", empty_kernel_ms()) : ""}};
}

}  // namespace harness
