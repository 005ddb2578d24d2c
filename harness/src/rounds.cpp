#include "rounds.hpp"

#include <algorithm>
#include <cstddef>

namespace common {
namespace {

void take_sample(Entrant& entrant, DisturbanceDetector& detector) {
    Candidate& candidate = *entrant.candidate;
    const int watched = candidate.watched_threads();
    if (candidate.bound()) {
        bind_threads(watched);
    } else {
        unbind_calling_thread();
    }
    candidate.warm_up();
    if (watched > 0) detector.begin(watched);
    const Times times = candidate.measure();
    entrant.samples.disturbed.push_back(watched > 0 && detector.end());
    entrant.samples.kernel_ms.push_back(times.kernel_ms);
    entrant.samples.total_ms.push_back(times.total_ms);
}

int undisturbed(const Samples& samples) {
    return static_cast<int>(std::count(samples.disturbed.begin(), samples.disturbed.end(), false));
}

/// All undisturbed samples, and of the others the first that are needed to have `repeats`.
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

void measure_in_rounds(std::vector<Entrant>& entrants, int repeats, DisturbanceDetector& detector,
                       const std::function<void(std::size_t entrant)>& announce,
                       const std::function<void(std::size_t entrant)>& on_fault) {
    for (int round = 0; round < repeats + repeats / 2; ++round) {
        for (std::size_t i = 0; i < entrants.size(); ++i) {
            Entrant& entrant = entrants[i];
            if (entrant.failed || undisturbed(entrant.samples) >= repeats) continue;
            announce(i);
            try {
                take_sample(entrant, detector);
            } catch (...) {
                unbind_calling_thread();
                entrant.failed = true;
                entrant.samples = {};
                on_fault(i);
            }
        }
    }
    for (Entrant& entrant : entrants) entrant.samples = kept_samples(entrant.samples, repeats);
    unbind_calling_thread();
}

}  // namespace common
