#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "bench/rounds.hpp"
#include "bench/targets.hpp"
#include "harness/lab.hpp"

namespace harness {

/// The copies that a problem's variants are compared with.
class Copies {
  public:
    explicit Copies(std::vector<Measurement>& measurements) : measurements_(measurements) {}

    void add(const Trial& trial, std::size_t bytes) {
        const auto [entry, is_new] = places_.try_emplace(key(trial, bytes), measurements_.size());
        if (!is_new) return;
        measurements_.push_back({.target = on_gpu(trial)
                                               ? device_copy_target(bytes)
                                               : host_copy_target(bytes, threads_of(trial))});
    }

    const Samples& samples(const Trial& trial, std::size_t bytes) const {
        return measurements_.at(places_.at(key(trial, bytes))).samples;
    }

  private:
    std::vector<Measurement>& measurements_;
    std::map<std::pair<std::size_t, int>, std::size_t> places_;

    static std::pair<std::size_t, int> key(const Trial& trial, std::size_t bytes) {
        return {bytes, on_gpu(trial) ? 0 : threads_of(trial)};
    }

    static bool on_gpu(const Trial& trial) {
        return trial.job.needs_transfers() ||
               (trial.job.in_ranks() != nullptr && trial.variant.on_device);
    }

    /// Returns the threads of all ranks, if the job has ranks.
    static int threads_of(const Trial& trial) {
        const RankCall* ranks = trial.job.in_ranks();
        return ranks != nullptr ? ranks->ranks * ranks->threads : trial.options.threads;
    }
};

}  // namespace harness
