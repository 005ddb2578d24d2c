// The experiments that all labs have: which images, variants and options they measure.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <omp.h>
#include <time.h>

#include <string>
#include <utility>
#include <vector>

#include "common/instruction_sets.hpp"
#include "harness/experiments.hpp"
#include "harness/measure.hpp"
#include "harness/thread_times.hpp"

namespace {

using common::Backend;
using common::InstructionSet;
using harness::BenchRequest;
using harness::Problem;
using testing::ElementsAre;

BenchRequest request_of(const std::vector<std::pair<std::string, Backend>>& variants,
                        int threads = 1) {
    BenchRequest request;
    request.full = true;
    request.options.threads = threads;
    for (const auto& [name, backend] : variants) {
        request.variants.emplace_back().name = name;
        request.variants.back().backend = backend;
    }
    return request;
}

Problem problem_of(const BenchRequest& request, int width, int height) {
    Problem problem;
    problem.input.width = width;
    problem.input.height = height;
    for (const common::VariantInfo& info : request.variants) {
        problem.trials.emplace_back().variant = info;
        problem.trials.back().options = request.options;
    }
    return problem;
}

/// "omp_rows 4 48 strong weak": the threads, the height, and the kinds of the rows.
std::vector<std::string> scaling(int threads, int height) {
    const cv::Mat pixel(1, 1, CV_8UC1, cv::Scalar(0));
    harness::Runner runner({harness::HostCall([](const cv::Mat&, cv::Mat&) {})}, pixel,
                           harness::Shape::of(pixel));
    const BenchRequest request = request_of(
        {{"seq", Backend::seq}, {"omp_rows", Backend::omp}, {"cuda_rows", Backend::cuda}}, threads);
    std::vector<std::string> lines;
    for (const Problem& problem : harness::for_scaling(request, 64, height, problem_of)) {
        for (const harness::Trial& trial : problem.trials) {
            lines.push_back(trial.variant.name + " " + std::to_string(trial.options.threads) + " " +
                            std::to_string(problem.input.height));
            for (const auto& kinds : problem.measured(trial, runner))
                lines.back() += " " + kinds[0];
        }
    }
    return lines;
}

TEST(Experiments, scaling) {
    EXPECT_THAT(
        scaling(6, 48),
        ElementsAre("omp_rows 1 48 strong", "omp_rows 1 8 weak", "omp_rows 2 48 strong",
                    "omp_rows 2 16 weak", "omp_rows 3 48 strong", "omp_rows 3 24 weak",
                    "omp_rows 4 48 strong", "omp_rows 4 32 weak", "omp_rows 6 48 strong weak"));
    EXPECT_THAT(scaling(2, 49), ElementsAre("omp_rows 1 49 strong", "omp_rows 1 24 weak",
                                            "omp_rows 2 49 strong", "omp_rows 2 48 weak"));
    EXPECT_THAT(harness::thread_counts(7, false), ElementsAre(1, 2, 4, 7));
}

TEST(Experiments, older_cpus) {
    const auto two_sizes = [](const BenchRequest& request) {
        return std::vector{problem_of(request, 32, 24), problem_of(request, 64, 48)};
    };
    EXPECT_TRUE(for_older_cpus(request_of({{"omp_rows", Backend::omp}}), two_sizes).empty());
    const auto both = request_of({{"omp_rows", Backend::omp}, {"omp_best", Backend::omp}});
    const auto problems = for_older_cpus(both, two_sizes);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].input.width, 64);
    std::vector<InstructionSet> sets, of_this_machine;
    for (const harness::Trial& trial : problems[0].trials) {
        EXPECT_EQ(trial.variant.name, "omp_best");
        sets.push_back(trial.options.limits.instruction_set);
    }
    for (int set = 0; set <= static_cast<int>(InstructionSet::amx); ++set) {
        const auto each = static_cast<InstructionSet>(set);
        if (common::machine_has(each)) of_this_machine.push_back(each);
    }
    EXPECT_EQ(sets, of_this_machine);
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
