#include "harness/limit.hpp"

#include <fmt/format.h>

#include "harness/measure.hpp"

namespace common {

std::vector<VariantInfo> best_of(const std::vector<VariantInfo>& variants) {
    std::vector<VariantInfo> best;
    for (const VariantInfo& info : variants) {
        if (info.name.ends_with("_best")) best.push_back(info);
    }
    return best;
}

std::vector<std::vector<std::string>> limit_line(const Trial&, Runner& runner) {
    return {{runner.on_gpu() ? fmt::format("{:.6g}", empty_kernel_ms()) : ""}};
}

}  // namespace common
