// The experiment `scaling`: which numbers of threads and which images.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <omp.h>
#include <time.h>

#include <string>
#include <utility>
#include <vector>

#include "harness/measure.hpp"
#include "harness/scaling.hpp"
#include "harness/thread_times.hpp"

namespace {

using harness::BenchRequest;
using harness::Problem;
using testing::ElementsAre;

common::VariantInfo variant(const std::string& name, common::Backend backend) {
    common::VariantInfo info;
    info.name = name;
    info.backend = backend;
    return info;
}

/// "4 threads 64x48: strong weak"
std::vector<std::string> described(int threads, int height) {
    BenchRequest request;
    request.full = true;
    request.options.threads = threads;
    request.variants = {variant("seq", common::Backend::seq),
                        variant("omp_rows", common::Backend::omp),
                        variant("cuda_rows", common::Backend::cuda)};
    const cv::Mat pixel(1, 1, CV_8UC1, cv::Scalar(0));
    harness::Runner runner({harness::HostCall([](const cv::Mat&, cv::Mat&) {})}, pixel,
                           harness::Shape::of(pixel));
    std::vector<std::string> lines;
    const auto problem_of = [](const BenchRequest& wanted, int width, int rows) {
        Problem problem;
        problem.input.width = width;
        problem.input.height = rows;
        for (const common::VariantInfo& info : wanted.variants) {
            harness::Trial& trial = problem.trials.emplace_back();
            trial.variant = info;
            trial.options = wanted.options;
        }
        return problem;
    };
    for (const Problem& problem : harness::for_scaling(request, 64, height, problem_of)) {
        EXPECT_EQ(problem.trials.size(), 1U);
        const harness::Trial& trial = problem.trials.at(0);
        std::string line = trial.variant.name + " " + std::to_string(trial.options.threads) + " " +
                           std::to_string(problem.input.height);
        for (const auto& kinds : problem.measured(trial, runner)) line += " " + kinds.at(0);
        lines.push_back(line);
    }
    return lines;
}

TEST(Scaling, counts_end_with_all_threads) {
    EXPECT_THAT(harness::thread_counts(1, true), ElementsAre(1));
    EXPECT_THAT(harness::thread_counts(2, true), ElementsAre(1, 2));
    EXPECT_THAT(harness::thread_counts(16, true), ElementsAre(1, 2, 3, 4, 6, 8, 12, 16));
    EXPECT_THAT(harness::thread_counts(7, true), ElementsAre(1, 2, 3, 4, 6, 7));
    EXPECT_THAT(harness::thread_counts(7, false), ElementsAre(1, 2, 4, 7));
}

TEST(Scaling, weak_scaling_has_as_many_rows_for_each_thread) {
    EXPECT_THAT(described(4, 48),
                ElementsAre("omp_rows 1 48 strong", "omp_rows 1 12 weak", "omp_rows 2 48 strong",
                            "omp_rows 2 24 weak", "omp_rows 3 48 strong", "omp_rows 3 36 weak",
                            "omp_rows 4 48 strong weak"));
}

TEST(Scaling, a_number_that_does_not_divide_the_rows_has_an_image_of_its_own) {
    EXPECT_THAT(described(2, 49), ElementsAre("omp_rows 1 49 strong", "omp_rows 1 24 weak",
                                              "omp_rows 2 49 strong", "omp_rows 2 48 weak"));
}

TEST(Scaling, nothing_is_measured_without_variants) {
    BenchRequest request;
    request.options.threads = 2;
    const auto none = [](const BenchRequest&) { return Problem{}; };
    EXPECT_TRUE(harness::for_strong_scaling(request, none).empty());
}

// Here, unlike in `bench`, threads that wait spin for some milliseconds before they sleep
// (GOMP_SPINCOUNT), so the limits are wide.

/// Uses the CPU for `ms`, however long the thread waits for a core.
void work(double ms) {
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
    };
    for (const double end = now() + ms; now() < end;) {
    }
}

TEST(ThreadTimes, of_equal_threads_are_balanced) {
    const harness::ThreadTimes times = harness::thread_times(
        [] {
#pragma omp parallel num_threads(2)
            work(30);
        },
        2);
    EXPECT_NEAR(times.imbalance, 1, 0.1);
    EXPECT_LT(times.serial_ms, 7);
}

TEST(ThreadTimes, of_a_thread_with_three_quarters_of_the_work) {
    const harness::ThreadTimes times = harness::thread_times(
        [] {
#pragma omp parallel num_threads(2)
            work(omp_get_thread_num() == 1 ? 60 : 20);
        },
        2);
    EXPECT_NEAR(times.imbalance, 1.5, 0.3);
    EXPECT_GT(times.idle_percent, 20);
    EXPECT_EQ(times.serial_ms, 0);
}

TEST(ThreadTimes, serial_work_is_that_of_the_calling_thread) {
    const harness::ThreadTimes times = harness::thread_times(
        [] {
            work(20);
#pragma omp parallel num_threads(2)
            work(20);
        },
        2);
    EXPECT_GT(times.serial_ms, 8);
    EXPECT_LT(times.serial_ms, 25);
}

TEST(ThreadTimes, threads_that_were_not_used_are_idle) {
    const harness::ThreadTimes times = harness::thread_times([] { work(60); }, 4);
    EXPECT_GT(times.imbalance, 3);
    EXPECT_GE(times.idle_percent, 70);
}

}  // namespace
