// Constructs of OpenMP, compiled with ThreadSanitizer, as variants are. The check for races has to
// report those that begin with `race`, and no others; those that begin with `ends` end otherwise.

#include <omp.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "common/error.hpp"
#include "tests/races.hpp"

namespace {

constexpr int count = 400;

void loop_dynamic(int* values) {
#pragma omp parallel for schedule(dynamic, 3) num_threads(races::team)
    for (int i = 0; i < count; ++i) values[i] += i;
}

void loop_monotonic(int* values) {
#pragma omp parallel for schedule(monotonic : dynamic, 3) num_threads(races::team)
    for (int i = 0; i < count; ++i) values[i] += i;
}

void loop_guided(int* values) {
#pragma omp parallel for schedule(guided) num_threads(races::team)
    for (int i = 0; i < count; ++i) values[i] += i;
}

void loop_runtime(int* values) {
#pragma omp parallel for schedule(runtime) num_threads(races::team)
    for (int i = 0; i < count; ++i) values[i] += i;
}

void loop_in_region(int* values) {
#pragma omp parallel num_threads(races::team)
    {
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < count; ++i) values[i] += i;
#pragma omp for schedule(dynamic, 7)
        for (int i = 0; i < count; ++i) values[count - 1 - i] += i;
    }
}

void cancelled_loop(int* values) {
#pragma omp parallel num_threads(races::team)
    {
#pragma omp for schedule(static, 1)
        for (int i = 0; i < count; ++i) {
            values[i] += i;
            if (i < 0) {
#pragma omp cancel for
            }
        }
#pragma omp for schedule(static, 7)
        for (int i = 0; i < count; ++i) values[i] += i;
    }
}

void nested(int* values) {
    omp_set_max_active_levels(2);
#pragma omp parallel for schedule(dynamic, 1) num_threads(races::team)
    for (int part = 0; part < 4; ++part) {
#pragma omp parallel for num_threads(2)
        for (int i = part * count / 4; i < (part + 1) * count / 4; ++i) values[i] += i;
    }
}

/// g++ copies the reference to the nested region, and back.
void add_in_nested_regions(int* values, const int& added) {
    omp_set_max_active_levels(2);
#pragma omp parallel for schedule(dynamic, 1) num_threads(races::team)
    for (int part = 0; part < 40; ++part) {
#pragma omp parallel for num_threads(2) if (added > 5)
        for (int i = part * count / 40; i < (part + 1) * count / 40; ++i) values[i] += added;
    }
}

void add_in_tasks(int* values, const int& added) {
    int next = 0;
#pragma omp parallel num_threads(races::team)
    for (;;) {
        int row;
#pragma omp critical
        row = next++;
        if (row >= 40) break;
#pragma omp task firstprivate(row)
        for (int i = 0; i < 10; ++i) values[10 * row + i] += added;
    }
}

void sections(int* values) {
#pragma omp parallel sections num_threads(races::team)
    {
        values[0] += 1;
#pragma omp section
        values[1] += 1;
    }
}

void critical(int* values) {
#pragma omp parallel num_threads(races::team)
    {
#pragma omp critical
        values[0] += 1;
#pragma omp critical(named)
        values[1] += 1;
#pragma omp atomic
        values[2] += 1;
    }
}

void locks(int* values) {
    omp_lock_t lock;
    omp_nest_lock_t nest_lock;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
#pragma omp parallel num_threads(races::team)
    {
        omp_set_lock(&lock);
        values[0] += 1;
        omp_unset_lock(&lock);
        while (omp_test_lock(&lock) == 0) {
        }
        values[0] += 1;
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nest_lock);
        values[1] += omp_test_nest_lock(&nest_lock);
        omp_unset_nest_lock(&nest_lock);
        omp_unset_nest_lock(&nest_lock);
    }
    omp_destroy_nest_lock(&nest_lock);
    omp_destroy_lock(&lock);
}

void single(int* values) {
#pragma omp parallel num_threads(races::team)
    {
        int* shared = nullptr;
#pragma omp single copyprivate(shared)
        {
            values[0] = 1;
            shared = values;
        }
        values[1 + omp_get_thread_num()] = shared[0];
#pragma omp barrier
#pragma omp single
        values[0] = 2;
        values[1 + omp_get_thread_num()] += shared[0];
    }
}

void ordered(int* values) {
#pragma omp parallel for ordered schedule(dynamic) num_threads(races::team)
    for (int i = 0; i < count; ++i) {
#pragma omp ordered
        values[0] += i;
    }
}

void wavefront(int* values) {
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(races::team)
    for (int i = 1; i < 20; ++i) {
#pragma omp ordered depend(sink : i - 1)
        values[i] += values[i - 1];
#pragma omp ordered depend(source)
    }
}

void tasks(int* values) {
#pragma omp parallel num_threads(races::team)
#pragma omp single
    {
        values[count - 1] = 1;
#pragma omp taskgroup
        for (int i = 0; i < 10; ++i) {
#pragma omp task firstprivate(i)
            values[i] = values[count - 1];
        }
        values[0] += values[9];
#pragma omp task shared(values)
        values[1] += 1;
#pragma omp taskwait
        values[1] += 1;
    }
}

void task_loop(int* values) {
#pragma omp parallel num_threads(races::team)
#pragma omp single
    {
        values[0] = 1;
#pragma omp taskloop grainsize(10)
        for (int i = 1; i < count; ++i) values[i] = values[0] + i;
        values[0] = values[count - 1];
    }
}

void dependent_tasks(int* values) {
#pragma omp parallel num_threads(races::team)
#pragma omp single
    {
        for (int i = 1; i < 40; ++i) {
#pragma omp task depend(in : values[i - 1]) depend(out : values[i])
            values[i] += values[i - 1] + 1;
        }
#pragma omp taskwait
        values[0] = values[39];
    }
}

void own_barrier(int* values) {
#pragma omp parallel num_threads(races::team)
    {
#pragma omp for schedule(guided) nowait
        for (int i = 0; i < count; ++i) values[i] += i;
#pragma omp barrier
#pragma omp for schedule(static, 7)
        for (int i = 0; i < count; ++i) values[i] += i;
#pragma omp master
        values[0] = 1;
#pragma omp barrier
        values[1 + omp_get_thread_num()] += values[0];
    }
}

/// Each thread takes the next row when it is free.
void queue_of_rows(int* values) {
    int next = 0;
#pragma omp parallel num_threads(races::team)
    for (;;) {
        int row;
#pragma omp atomic capture
        row = next++;
        if (row >= 20) break;
        for (int i = 0; i < 20; ++i) values[20 * row + i] += i;
    }
}

int sum_in_tasks(const int* values, int length) {
    if (length < 50) return std::accumulate(values, values + length, 0);
    int left = 0, right = 0;
#pragma omp task shared(left)
    left = sum_in_tasks(values, length / 2);
#pragma omp task shared(right)
    right = sum_in_tasks(values + length / 2, length - length / 2);
#pragma omp taskwait
    return left + right;
}

void recursive_tasks(int* values) {
#pragma omp parallel num_threads(races::team)
#pragma omp single
    values[0] = sum_in_tasks(values, count);
}

void loop_in_sections(int* values) {
#pragma omp parallel num_threads(races::team)
    {
#pragma omp sections
        {
            for (int i = 0; i < count / 2; ++i) values[i] += i;
#pragma omp section
            for (int i = count / 2; i < count; ++i) values[i] += i;
        }
#pragma omp for
        for (int i = 0; i < count; ++i) values[count - 1 - i] += i;
    }
}

void race_of_a_sum(int* values) {
#pragma omp parallel for num_threads(races::team)
    for (int i = 0; i < count; ++i) values[0] += i;
}

void race_with_an_atomic_update(int* values) {
#pragma omp parallel num_threads(races::team)
    {
#pragma omp atomic
        values[0] += 1;
        values[1 + omp_get_thread_num()] = values[0];
    }
}

void race_without_a_barrier(int* values) {
#pragma omp parallel num_threads(races::team)
    {
#pragma omp for schedule(static, 1) nowait
        for (int i = 0; i < count; ++i) values[i] += i;
#pragma omp for schedule(static, 7)
        for (int i = 0; i < count; ++i) values[i] += i;
    }
}

void race_after_master(int* values) {
#pragma omp parallel num_threads(races::team)
    {
#pragma omp master
        values[0] = 5;
        values[1 + omp_get_thread_num()] = values[0];
    }
}

void race_without_a_loop_construct(int* values) {
#pragma omp parallel num_threads(races::team)
    {
        for (int i = 0; i < count; ++i) values[i] += i;
    }
}

void race_after_a_task(int* values) {
#pragma omp parallel num_threads(races::team)
    {
#pragma omp single
        {
            for (int i = 1; i < count; ++i) {
#pragma omp task
                values[i] = i;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(20));  // for the others
            for (int i = 1; i < count; ++i) values[0] += values[i];
        }
    }
}

void race_in_two_critical_sections(int* values) {
#pragma omp parallel num_threads(races::team)
    {
#pragma omp critical(up)
        ++values[0];
#pragma omp critical(down)
        --values[0];
    }
}

void race_of_a_source_too_early(int* values) {
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(races::team)
    for (int i = 1; i < count; ++i) {
#pragma omp ordered depend(sink : i - 1)
#pragma omp ordered depend(source)
        values[i] = values[i - 1] + 1;
    }
}

void race_of_a_sink_in_the_same_row(int* values) {
    [[maybe_unused]] constexpr int loops = 2;
#pragma omp parallel for ordered(loops) schedule(static, 1) num_threads(races::team)
    for (int i = 1; i < 20; ++i) {
        for (int j = 1; j < 20; ++j) {
#pragma omp ordered depend(sink : i, j - 1)
            values[i * 20 + j] = values[(i - 1) * 20 + j] + 1;
#pragma omp ordered depend(source)
        }
    }
}

}  // namespace

bool races::run(const std::string& name) {
    static const std::map<std::string, void (*)(int*)> constructs{
        {"loop_dynamic", loop_dynamic},
        {"loop_monotonic", loop_monotonic},
        {"loop_guided", loop_guided},
        {"loop_runtime", loop_runtime},
        {"loop_in_region", loop_in_region},
        {"cancelled_loop", cancelled_loop},
        {"nested", nested},
        {"nested_with_a_reference", [](int* values) { add_in_nested_regions(values, 2); }},
        {"tasks_with_a_reference", [](int* values) { add_in_tasks(values, 2); }},
        {"sections", sections},
        {"critical", critical},
        {"locks", locks},
        {"single", single},
        {"ordered", ordered},
        {"wavefront", wavefront},
        {"tasks", tasks},
        {"task_loop", task_loop},
        {"dependent_tasks", dependent_tasks},
        {"own_barrier", own_barrier},
        {"queue_of_rows", queue_of_rows},
        {"recursive_tasks", recursive_tasks},
        {"loop_in_sections", loop_in_sections},
        {"race_of_a_sum", race_of_a_sum},
        {"race_with_an_atomic_update", race_with_an_atomic_update},
        {"race_without_a_barrier", race_without_a_barrier},
        {"race_after_master", race_after_master},
        {"race_without_a_loop_construct", race_without_a_loop_construct},
        {"race_after_a_task", race_after_a_task},
        {"race_in_two_critical_sections", race_in_two_critical_sections},
        {"race_of_a_source_too_early", race_of_a_source_too_early},
        {"race_of_a_sink_in_the_same_row", race_of_a_sink_in_the_same_row},
        {"race_before_a_crash",
         [](int* values) {
             race_without_a_barrier(values);
             values[1 << 30] = 1;
         }},
        {"race_before_the_end",
         [](int* values) {
             std::printf("no newline");
             race_without_a_barrier(values);
             std::exit(0);
         }},
        {"ends_the_program", [](int*) { std::exit(0); }},
        {"ends_with_a_signal",
         [](int* values) {
             std::printf("no race: ends_with_a_signal on an array\n");
             values[1 << 30] = 1;
         }},
        {"ends_with_a_refusal", [](int*) { throw common::Unsupported("not today"); }},
        {"ends_not_begun", [](int*) { throw common::NotDoneYet(); }}};
    if (!constructs.contains(name)) return run_share(name);
    std::vector<int> values(count);
    for (int repeat = 0; repeat < 3; ++repeat) {
        constructs.at(name)(values.data());
        values[0] += std::accumulate(values.begin(), values.end(), 0) % 2;  // reads all
        values.assign(count, 1);
    }
    return true;
}
