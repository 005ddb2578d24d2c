#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "common/error.hpp"
#include "judge/judge.hpp"

namespace grading {

Judged*& judged() {
    static Judged* current = nullptr;
    return current;
}

void Judged::begin_test() {
    worker_.reset();
    outcome_ = Outcome::right;
    reason_.clear();
    // A variant that hangs in every test must not keep a class waiting: later tests get less time.
    const double seconds = timeouts_ == 0 ? task_.test_seconds : task_.test_seconds / 10;
    deadline_ = std::min(end_, Clock::now() + duration_of(seconds));
}

void Judged::start_worker() {
    worker_.emplace(sandbox_, task_.variant, 0, deadline_);
    if (task_.variant.gpu && !worker_->shares_gpu()) kernels_ = "copies";
}

void Judged::call(const Image& in, const Image& out, std::span<const std::byte> options,
                  bool may_refuse) {
    try {
        // After a crash or a timeout the rest of the test has no worker.
        if (outcome_ == Outcome::crash || outcome_ == Outcome::timeout) {
            throw WorkerFailed(outcome_, reason_);
        }
        if (Clock::now() >= end_) {
            throw WorkerFailed(Outcome::timeout,
                               fmt::format("the {:.0f} s of wall time for the tests of this file, "
                                           "its share of the submission's, are used up",
                                           task_.seconds));
        }
        if (timeouts_ > 1) throw WorkerFailed(Outcome::timeout, "not tried after two timeouts");
        if (!worker_) start_worker();
        worker_->call(in, out, options, deadline_);
    } catch (const WorkerFailed& failure) {
        const bool refused = failure.outcome == Outcome::refused;
        if (refused && may_refuse) throw common::Unsupported(failure.what());
        if (outcome_ == Outcome::right) {
            outcome_ = failure.outcome;
            reason_ = failure.what();
            if (outcome_ == Outcome::timeout) ++timeouts_;
        }
        if (outcome_ == Outcome::crash || outcome_ == Outcome::timeout) worker_.reset();
        if (refused) throw common::Unsupported(failure.what());
        if (failure.outcome == Outcome::not_done) throw common::NotDoneYet();
        throw;
    }
}

}  // namespace grading
