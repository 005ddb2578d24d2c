#include "bench/rounds.hpp"

#include <algorithm>
#include <cstddef>

namespace harness {
namespace {

void take_sample(Measurement& measurement, DisturbanceDetector& detector) {
    Target& target = *measurement.target;
    const int watched = target.watched_threads();
    if (target.bound()) {
        bind_threads(watched);
    } else {
        unbind_calling_thread();
    }
    target.warm_up();
    if (watched > 0) detector.begin(watched);
    const Times times = target.measure();
    measurement.samples.disturbed.push_back(watched > 0 && detector.end());
    measurement.samples.kernel_ms.push_back(times.kernel_ms);
    measurement.samples.total_ms.push_back(times.total_ms);
}

int undisturbed(const Samples& samples) {
    return static_cast<int>(std::count(samples.disturbed.begin(), samples.disturbed.end(), false));
}

/// Keeps every undisturbed sample. If these are fewer than `repeats`, keeps the first disturbed
/// ones to fill up.
Samples kept_samples(const Samples& all, int repeats) {
    int spare = repeats - undisturbed(all);
    Samples kept;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all.disturbed[i] && spare-- <= 0) continue;
        kept.kernel_ms.push_back(all.kernel_ms[i]);
        kept.total_ms.push_back(all.total_ms[i]);
        kept.disturbed.push_back(all.disturbed[i]);
    }
    return kept;
}

}  // namespace

void measure_in_rounds(std::vector<Measurement>& measurements, int repeats,
                       DisturbanceDetector& detector) {
    for (int round = 0; round < repeats + repeats / 2; ++round) {
        for (Measurement& measurement : measurements) {
            if (measurement.failed || undisturbed(measurement.samples) >= repeats) continue;
            measurement.before_repeat();
            try {
                take_sample(measurement, detector);
            } catch (...) {
                unbind_calling_thread();
                measurement.failed = true;
                measurement.samples = {};
                measurement.on_exception();
            }
        }
    }
    for (Measurement& measurement : measurements) {
        measurement.samples = kept_samples(measurement.samples, repeats);
    }
    unbind_calling_thread();
}

}  // namespace harness
