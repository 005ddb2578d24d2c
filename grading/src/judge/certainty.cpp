#include "judge/certainty.hpp"

#include <algorithm>

namespace grading {

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

double median_ratio(const std::vector<TimePair>& rounds) {
    std::vector<double> ratios;
    for (const TimePair& round : rounds) ratios.push_back(round.reference_ms / round.variant_ms);
    return median(ratios);
}

Interval interval_of_ratio(const std::vector<TimePair>& rounds, Secret random) {
    constexpr std::size_t samples = 1000;
    std::vector<std::uint64_t> choices(samples * rounds.size());
    random.fill(std::as_writable_bytes(std::span(choices)));
    std::vector<double> ratios;
    for (std::size_t i = 0; i < samples; ++i) {
        std::vector<TimePair> sample;
        for (std::size_t j = 0; j < rounds.size(); ++j) {
            sample.push_back(rounds[choices[i * rounds.size() + j] % rounds.size()]);
        }
        ratios.push_back(median_ratio(sample));
    }
    std::sort(ratios.begin(), ratios.end());
    return {ratios[samples / 40], ratios[samples - 1 - samples / 40]};
}

}  // namespace grading
