// Programs that write an image with several threads. In those whose name begins with `alone`, one
// thread does all the work. This file is compiled with ThreadSanitizer, like a variant.

#include <omp.h>

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "harness/testing_races.hpp"
#include "tests/races.hpp"

namespace {

constexpr int rows = 60;
constexpr int columns = 500;

struct Image {
    int* data;
    std::ptrdiff_t pitch;
    int& at(int x, int y) const { return data[y * pitch + x]; }
};

int value(int x, int y) {
    return 1000 * y + x + 1;
}

void write_row(Image image, int y) {
    for (int x = 0; x < columns; ++x) image.at(x, y) = value(x, y);
}

void write_all(Image image) {
    for (int y = 0; y < rows; ++y) write_row(image, y);
}

void in_rows(Image image) {
#pragma omp parallel for num_threads(races::team)
    for (int y = 0; y < rows; ++y) write_row(image, y);
}

void in_dynamic_rows(Image image) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(races::team)
    for (int y = 0; y < rows; ++y) write_row(image, y);
}

void within_rows(Image image) {
    for (int y = 0; y < rows; ++y) {
#pragma omp parallel for num_threads(races::team)
        for (int x = 0; x < columns; ++x) image.at(x, y) = value(x, y);
    }
}

void in_columns(Image image) {
#pragma omp parallel for num_threads(races::team)
    for (int x = 0; x < columns; ++x) {
        for (int y = 0; y < rows; ++y) image.at(x, y) = value(x, y);
    }
}

void in_two_passes(Image image) {
#pragma omp parallel num_threads(races::team)
    {
#pragma omp for
        for (int y = 0; y < rows; ++y) {
            for (int x = 0; x < columns; ++x) image.at(x, y) = x + 1;
        }
#pragma omp for
        for (int x = 0; x < columns; ++x) {
            for (int y = 0; y < rows; ++y) image.at(x, y) += 1000 * y;
        }
    }
}

void in_blocks(Image image) {
#pragma omp parallel for collapse(2) num_threads(races::team)
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < columns; ++x) image.at(x, y) = value(x, y);
    }
}

void in_tasks(Image image) {
#pragma omp parallel num_threads(races::team)
#pragma omp single
    for (int y = 0; y < rows; ++y) {
#pragma omp task
        write_row(image, y);
    }
}

void in_std_threads(Image image) {
    std::vector<std::thread> threads;
    for (int part = 0; part < races::team; ++part) {
        threads.emplace_back([=] {
            for (int y = part; y < rows; y += races::team) write_row(image, y);
        });
    }
    for (std::thread& thread : threads) thread.join();
}

void alone_twice(Image image) {
    std::vector<int> again(rows * columns);
#pragma omp parallel for num_threads(races::team)
    for (int part = 0; part < 2; ++part)
        write_all(part == 0 ? image : Image{again.data(), columns});
}

void alone_after_a_clear(Image image) {
#pragma omp parallel for num_threads(races::team)
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < columns; ++x) image.at(x, y) = 0;
    }
    write_all(image);
}

void alone_before_a_copy(Image image) {
    write_all(image);
#pragma omp parallel for num_threads(races::team)
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < columns; ++x) {
            const int same = image.at(x, y);
            image.at(x, y) = 0;
            image.at(x, y) = same;
        }
    }
}

void alone_while_others_wait(Image image) {
    std::atomic<bool> done = false;
#pragma omp parallel num_threads(races::team)
    {
        if (omp_get_thread_num() == 0) {
            write_all(image);
            done = true;
        }
        while (!done) {
        }
    }
}

void unknown_in_other_calls(Image image) {
    static int calls = 0;
    ++calls;
#pragma omp parallel for num_threads(races::team)
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < columns; ++x) image.at(x, y) = value(x, y) + calls;
    }
}

}  // namespace

bool races::run_share(const std::string& name) {
    static const std::map<std::string, void (*)(Image)> programs{
        {"in_rows", in_rows},
        {"in_dynamic_rows", in_dynamic_rows},
        {"within_rows", within_rows},
        {"in_columns", in_columns},
        {"in_two_passes", in_two_passes},
        {"in_blocks", in_blocks},
        {"in_tasks", in_tasks},
        {"in_std_threads", in_std_threads},
        {"alone_twice", alone_twice},
        {"alone_after_a_clear", alone_after_a_clear},
        {"alone_before_a_copy", alone_before_a_copy},
        {"alone_while_others_wait", alone_while_others_wait},
        {"unknown_in_other_calls", unknown_in_other_calls},
    };
    const auto found = programs.find(name);
    if (found == programs.end()) return false;
    harness::make_calls({rows, columns * sizeof(int), sizeof(int)}, true,
                        [&](std::byte* out, std::ptrdiff_t pitch) {
                            constexpr auto bytes = static_cast<std::ptrdiff_t>(sizeof(int));
                            found->second({reinterpret_cast<int*>(out), pitch / bytes});
                        });
    return true;
}
