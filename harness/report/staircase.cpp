// The ladder of a lab as text, right after the lab: the figures have all of it.

#include <fmt/format.h>

#include <algorithm>

#include "report.hpp"
#include "words.hpp"

namespace harness::summary {

std::string as_staircase(const LabReport& lab) {
    constexpr double widest = 40;
    const Timings timings = read_timings(lab.folder / "csv", "ladder");
    double best = 0;
    for (const auto& [name, timing] : timings.fastest)
        best = std::max(best, timing.speedup.value_or(0));
    std::string text;
    for (const VariantReport& variant : lab.variants) {
        const auto found = timings.fastest.find(variant.name);
        if (found == timings.fastest.end() || !found->second.elsewhere.empty()) continue;
        const Timing& timing = found->second;
        text += fmt::format("  {:22} {:>9} ms ", variant.name, milliseconds(timing.kernel_ms));
        if (timing.speedup && best > 0) {
            const auto width = static_cast<std::size_t>(widest * *timing.speedup / best + 0.5);
            text += fmt::format("{:>6.1f}x {}\n", *timing.speedup,
                                std::string(std::max<std::size_t>(width, 1), '#'));
        } else {
            text += fmt::format("  {}\n", timing.noise.empty() ? "no ratio" : timing.noise);
        }
    }
    if (text.empty()) return "";
    return fmt::format("The ladder ({}), times as fast as {}:\n{}", timings.caption,
                       timings.baseline, text);
}

}  // namespace harness::summary
