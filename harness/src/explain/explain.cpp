#include "explain/explain.hpp"

#include <nlohmann/json.hpp>

#include "emulation/users.hpp"
#include "explain/parts.hpp"
#include "harness/device.hpp"
#include "harness/events.hpp"

namespace harness {

void require_counters() {}

namespace {

std::string text_of(const Kernels& kernels) {
    if (kernels.empty()) return "no kernel was launched\n";
    std::string text;
    for (const emulation::KernelCounts& kernel : kernels) text += '\n' + table_of(kernel);
    return text;
}

void emit_each(const Kernels& kernels) {
    for (const emulation::KernelCounts& kernel : kernels) {
        nlohmann::ordered_json metrics;
        for (const Metric& metric : metrics_of({kernel})) metrics[metric.name] = metric.value;
        emit({{"event", "kernel"},
              {"kernel", kernel.name.substr(0, kernel.name.find_first_of(" :<("))},
              {"launches", kernel.launches},
              {"blocks", kernel.blocks},
              {"warps", kernel.warps},
              {"barriers", kernel.barriers},
              {"most_stored", kernel.most_stored},
              {"metrics", metrics}});
    }
}

}  // namespace

Explanation explained(const std::function<void()>& call) {
    const emulation::Counting counting;
    call();
    const Kernels kernels = counting.kernels();
    return {text_of(kernels), metrics_of(kernels), drawing_of(kernels),
            [kernels] { emit_each(kernels); }};
}

std::vector<ImageUsers> image_users(const std::function<void()>& call) {
    const auto xyz = [](uint3 index) { return std::array{index.x, index.y, index.z}; };
    const emulation::Watching watching;
    call();
    std::vector<ImageUsers> all;
    for (const emulation::ImageUsers& one : watching.images()) {
        ImageUsers& users =
            all.emplace_back(ImageUsers{one.kernel, one.are_stores, one.width, one.rows, {}});
        for (const std::vector<std::uint64_t>& numbers : one.threads) {
            std::vector<ThreadIndex>& threads = users.threads.emplace_back();
            for (const std::uint64_t number : numbers) {
                threads.push_back({xyz(one.block_of(number)), xyz(one.index_of(number))});
            }
        }
    }
    return all;
}

}  // namespace harness
