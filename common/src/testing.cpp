#include "common/testing.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <opencv2/imgcodecs.hpp>

#include "common/device.hpp"
#include "common/error.hpp"

namespace common {
namespace {

constexpr int guard = 5;  // values around a picture in host memory that nobody may touch
constexpr unsigned char guard_byte = 0x3C;

/// A picture inside a larger one, so that its rows are not contiguous and its surroundings are
/// known.
cv::Mat guarded(const Shape& shape, unsigned char fill) {
    cv::Mat whole(shape.height + 2 * guard, shape.width + 2 * guard, shape.type);
    for (int y = 0; y < whole.rows; ++y) {
        std::fill_n(whole.ptr(y), static_cast<std::size_t>(whole.cols) * whole.elemSize(),
                    guard_byte);
    }
    cv::Mat inside = whole(cv::Rect(guard, guard, shape.width, shape.height));
    for (int y = 0; y < inside.rows; ++y) {
        std::fill_n(inside.ptr(y), static_cast<std::size_t>(inside.cols) * inside.elemSize(), fill);
    }
    return inside;
}

bool guards_are_whole(const cv::Mat& inside) {
    cv::Mat whole = inside;
    whole.adjustROI(guard, guard, guard, guard);
    for (int y = 0; y < whole.rows; ++y) {
        const bool beside = y >= guard && y < whole.rows - guard;
        const std::size_t pixel = whole.elemSize();
        for (int x = 0; x < whole.cols; ++x) {
            if (beside && x >= guard && x < whole.cols - guard) continue;
            const uchar* bytes = whole.ptr(y, x);
            if (std::any_of(bytes, bytes + pixel, [](uchar b) { return b != guard_byte; })) {
                return false;
            }
        }
    }
    return true;
}

bool equal(const cv::Mat& a, const cv::Mat& b) {
    if (a.size != b.size || a.type() != b.type()) return false;
    for (int y = 0; y < a.rows; ++y) {
        const std::size_t bytes = static_cast<std::size_t>(a.cols) * a.elemSize();
        if (!std::equal(a.ptr(y), a.ptr(y) + bytes, b.ptr(y))) return false;
    }
    return true;
}

struct Outcome {
    cv::Mat out;
    bool stayed_inside = true;
};

Outcome run(const Exercise& exercise, const cv::Mat& in, unsigned char fill) {
    const Shape shape = exercise.job.adapted_output(exercise.out);
    cv::Mat out = guarded(shape, fill);
    if (exercise.job.device) {
        DeviceRunner runner(exercise.job, in, shape);
        runner.poison(fill);
        runner.call(out);
    } else if (exercise.job.host_to_host) {
        Scratch scratch;
        exercise.job.host_to_host(in, out, scratch);
    } else {
        exercise.job.host(in, out);
    }
    return {exercise.job.result(out), guards_are_whole(out)};
}

/// Values that kept the filling in both runs were never written.
std::int64_t count_unwritten(const cv::Mat& first, unsigned char fill_1, const cv::Mat& second,
                             unsigned char fill_2) {
    std::int64_t count = 0;
    const std::size_t size = first.elemSize1();
    for (int y = 0; y < first.rows; ++y) {
        const std::size_t values = static_cast<std::size_t>(first.cols * first.channels());
        for (std::size_t i = 0; i < values; ++i) {
            const auto untouched = [&](const cv::Mat& image, unsigned char fill) {
                const uchar* bytes = image.ptr(y) + i * size;
                return std::all_of(bytes, bytes + size, [fill](uchar b) { return b == fill; });
            };
            if (untouched(first, fill_1) && untouched(second, fill_2)) ++count;
        }
    }
    return count;
}

/// Whether all wrong values lie in the outermost `width` pixels, and not everywhere.
bool only_in_border(const Exercise& exercise, const cv::Mat& out, int width) {
    const int inside_width = out.cols - 2 * width;
    const int inside_height = out.rows - 2 * width;
    if (inside_width < 1 || inside_height < 1) return false;
    const Verdict all = exercise.check(out, exercise.variant.agreement);
    if (all.difference.empty()) return false;
    const cv::Mat inside = all.difference(cv::Rect(width, width, inside_width, inside_height));
    return cv::norm(inside, cv::NORM_INF) == 0;
}

/// What the mistake looks like, or "".
std::string guess(const Exercise& exercise, const Outcome& first, unsigned char fill_1,
                  const Outcome& second, unsigned char fill_2) {
    if (!first.stayed_inside) return "it writes outside the output";
    const std::int64_t unwritten = count_unwritten(first.out, fill_1, second.out, fill_2);
    if (unwritten > 0) return fmt::format("{} values are never written", unwritten);
    if (!equal(first.out, second.out)) {
        return exercise.job.on_gpu()
                   ? "two runs differ: a race (a missing barrier?), or memory used before it is "
                     "written"
                   : "two runs differ: a race (a lost update?), or memory used before it is "
                     "written";
    }
    for (const Suspicion& suspicion : exercise.suspicions) {
        if (suspicion.explains(first.out)) return suspicion.name;
    }
    for (int width = 1; width <= exercise.border + 1; ++width) {
        if (only_in_border(exercise, first.out, width)) {
            return fmt::format(
                "the border is treated wrongly (only the outermost {} pixel(s) of "
                "the image differ)",
                width);
        }
    }
    return "";
}

std::string save_difference(const Exercise& exercise, const cv::Mat& difference) {
    const std::string name = fmt::format("difference-{}-{}x{}.png", exercise.variant.name,
                                         exercise.out.width, exercise.out.height);
    const std::filesystem::path path = std::filesystem::current_path() / name;
    if (difference.channels() != 1 && difference.channels() != 3) return "";
    try {
        return cv::imwrite(path.string(), difference) ? path.string() : "";
    } catch (const cv::Exception&) {
        return "";  // a folder that may not be written to must not hide the message
    }
}

}  // namespace

std::function<bool(const cv::Mat& out)> is(std::function<cv::Mat()> output) {
    return [output = std::move(output)](const cv::Mat& out) { return equal(output(), out); };
}

std::string judge(const Exercise& exercise) {
    constexpr unsigned char fill_1 = 0xA5;
    constexpr unsigned char fill_2 = 0x5A;
    const cv::Mat given = exercise.job.adapted_input(exercise.in);
    cv::Mat in = guarded(Shape::of(given), 0);
    given.copyTo(in);

    const Outcome first = run(exercise, in, fill_1);
    const Outcome second = run(exercise, in, fill_2);
    const Verdict verdict = exercise.check(first.out, exercise.variant.agreement);
    const bool right = verdict.ok() && first.stayed_inside && equal(first.out, second.out);
    if (right) return "";

    std::string text =
        fmt::format("WRONG {} on {}x{}x{} ({}): {}", exercise.variant.name, exercise.in.cols,
                    exercise.in.rows, exercise.in.channels(), exercise.parameters, verdict.text());
    const std::string cause = guess(exercise, first, fill_1, second, fill_2);
    if (!cause.empty()) text += "; looks like: " + cause;
    if (!verdict.ok()) {
        const std::string file = save_difference(exercise, verdict.difference);
        if (!file.empty()) text += "; difference image: " + file;
    }
    return text;
}

std::string to_string(InstructionSet set) {
    switch (set) {
        case InstructionSet::baseline:
            return "baseline";
        case InstructionSet::avx2:
            return "avx2";
        case InstructionSet::avx512:
            return "avx512";
        case InstructionSet::avx512_vbmi:
            return "avx512_vbmi";
        case InstructionSet::amx:
            return "amx";
    }
    return "?";
}

std::filesystem::path test_folder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    const auto path = std::filesystem::path(testing::TempDir()) /
                      fmt::format("labs-{}-{}-{}", test->test_suite_name(), test->name(), getpid());
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
    return path;
}

const std::vector<cv::Size>& test_sizes() {
    static const std::vector<cv::Size> sizes{
        {1, 1},  {1, 7},   {7, 1},    {2, 2},     {3, 5},    {13, 42},    {31, 33},
        {56, 2}, {64, 64}, {101, 99}, {257, 255}, {1000, 3}, {2311, 1801}};
    return sizes;
}

const std::vector<Block>& test_blocks() {
    static const std::vector<Block> blocks{{1, 1},   {1, 32},   {3, 5},   {4, 4},  {7, 13},
                                           {8, 8},   {16, 16},  {32, 1},  {32, 8}, {64, 4},
                                           {32, 32}, {1024, 1}, {1, 1024}};
    return blocks;
}

}  // namespace common
