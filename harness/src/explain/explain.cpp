#include "explain/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/error.hpp"
#include "explain/parts.hpp"
#include "harness/events.hpp"

namespace harness {

using namespace common;

void require_counters() {}

struct Explanation::State {
    Kernels kernels;
};

Explanation::Explanation(const std::function<void()>& call) : state_(std::make_unique<State>()) {
    const emulation::Counting counting;
    call();
    state_->kernels = counting.kernels();
}

Explanation::~Explanation() = default;

std::string Explanation::text() const {
    if (state_->kernels.empty()) return "no kernel was launched\n";
    std::string text;
    for (const emulation::KernelCounts& kernel : state_->kernels) text += '\n' + table_of(kernel);
    return text;
}

void Explanation::emit() const {
    for (const emulation::KernelCounts& kernel : state_->kernels) {
        nlohmann::ordered_json metrics;
        for (const Metric& metric : metrics_of({kernel})) metrics[metric.name] = metric.value;
        harness::emit({{"event", "kernel"},
                       {"kernel", kernel.name.substr(0, kernel.name.find_first_of(" :<("))},
                       {"launches", kernel.launches},
                       {"blocks", kernel.blocks},
                       {"warps", kernel.warps},
                       {"barriers", kernel.barriers},
                       {"most_stored", kernel.most_stored},
                       {"metrics", metrics}});
    }
}

double Explanation::sector_bytes() const {
    double sectors = 0;
    for (const Metric& metric : metrics_of(state_->kernels)) {
        if (metric.name.find("t_sectors") != std::string::npos) {
            sectors += static_cast<double>(metric.value);
        }
    }
    return 32 * sectors;
}

std::string Explanation::picture() const {
    return drawing_of(state_->kernels);
}

std::string Explanation::beside(const Explanation& other, const std::string& own_name,
                                const std::string& other_name) const {
    const std::vector<Metric> own = metrics_of(state_->kernels);
    const std::vector<Metric> others = metrics_of(other.state_->kernels);
    std::string text =
        fmt::format("\n{:<53} {:>18.18} {:>18.18} {:>7}\n", "", own_name, other_name, "ratio");
    for (std::size_t i = 0; i < own.size(); ++i) {
        const std::uint64_t a = own[i].value;
        const std::uint64_t b = others[i].value;
        if (a == 0 && b == 0) continue;
        const std::string ratio =
            b == 0 ? "-" : fmt::format("{:.2f}", static_cast<double>(a) / static_cast<double>(b));
        text += fmt::format("{:<53} {:>18} {:>18} {:>7}\n", own[i].name, a, b, ratio);
    }
    return text;
}

}  // namespace harness
