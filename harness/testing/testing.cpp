#include "harness/testing.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "common/error.hpp"
#include "common/image.hpp"
#include "harness/device.hpp"
#include "harness/testing_guard.hpp"

namespace harness {

using namespace common;
namespace {

constexpr unsigned char fills[] = {0xA5, 0x5A, 0xC3};  // the output before each call

/// The result of a call.
struct Outcome {
    cv::Mat out;
    std::string damage;  ///< "it writes outside the output, …", or ""
};

/// Calls the variant of an variant_call several times with the same buffers.
class Caller {
  public:
    explicit Caller(const VariantCall& variant_call) : variant_call_(variant_call) {}

    Outcome call(const cv::Mat& image, unsigned char fill) {
        const Job& job = variant_call_.job;
        const cv::Mat given = job.adapted_input(image);
        const Shape shape = job.adapted_output(variant_call_.out);
        if (in_.empty()) in_ = guarded(Shape::of(given), 0);
        given.copyTo(in_);
        cv::Mat out = guarded(shape, fill);
        if (job.needs_transfers()) {
            if (!runner_) runner_ = std::make_unique<DeviceRunner>(job, in_, shape, guard_rows);
            runner_->fill_output(fill);
            runner_->call(out);
        } else {
            job.run(in_, out, scratch_);
        }
        return {job.result(out), damage(given, out)};
    }

  private:
    static constexpr int guard_rows = 8;  // on the GPU, above and below
    const VariantCall& variant_call_;
    cv::Mat in_;
    Scratch scratch_;
    std::unique_ptr<DeviceRunner> runner_;

    std::string damage(const cv::Mat& given, const cv::Mat& out) const {
        std::string where = first_damage(surrounded(out), inside_of(out));
        if (where.empty() && runner_) where = first_damage_on_gpu(runner_->memory_of_output(), out);
        if (!where.empty()) return "it writes outside the output, " + where;
        if (!equal_bytes(in_, given)) return "it changes its input";
        if (runner_) {
            const cv::Mat memory = runner_->memory_of_input();
            const cv::Rect inside = inside_on_gpu(in_);
            const cv::Mat bytes(in_.rows, inside.width, CV_8UC1, in_.data, in_.step[0]);
            if (!equal_bytes(memory(inside), bytes)) return "it changes its input";
            where = first_damage(memory, inside);
        } else {
            where = first_damage(surrounded(in_), inside_of(in_));
        }
        return where.empty() ? "" : "it writes outside its input, " + where;
    }

    static cv::Rect inside_on_gpu(const cv::Mat& image) {
        return {0, guard_rows, image.cols * static_cast<int>(image.elemSize()), image.rows};
    }
    static std::string first_damage_on_gpu(const cv::Mat& memory, const cv::Mat& image) {
        return first_damage(memory, inside_on_gpu(image));
    }
};

/// An image of other pixels in the same range.
cv::Mat other_image(const cv::Mat& image) {
    cv::Mat other;
    cv::flip(image, other, -1);
    if (other.depth() == CV_8U) cv::bitwise_not(other, other);
    return other;
}

/// Counts the values that still have the fill pattern after both calls.
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

/// True if all wrong values lie in the outermost `width` pixels, and not everywhere.
bool only_in_border(const cv::Mat& difference, int width) {
    const int inside_width = difference.cols - 2 * width;
    const int inside_height = difference.rows - 2 * width;
    if (inside_width < 1 || inside_height < 1) return false;
    const cv::Mat inside = difference(cv::Rect(width, width, inside_width, inside_height));
    return cv::norm(inside, cv::NORM_INF) == 0;
}

/// The mistake that explains the wrong values, or "".
std::string likely_mistake(const VariantCall& variant_call, const cv::Mat& out,
                           const Verdict& verdict) {
    if (variant_call.known_mistakes) {
        for (const KnownMistake& known : variant_call.known_mistakes()) {
            if (known.explains(out)) return known.name;
        }
    }
    if (verdict.difference.empty()) return "";
    for (int width = 1; width <= variant_call.border + 1; ++width) {
        if (only_in_border(verdict.difference, width)) {
            return fmt::format(
                "the border is treated wrongly (only the outermost {} pixel(s) of "
                "the image differ)",
                width);
        }
    }
    return "";
}

std::string differing_calls(const VariantCall& variant_call) {
    return fmt::format("two runs differ: a race ({}), or memory used before it is written",
                       variant_call.job.on_gpu() ? "a missing barrier?" : "a lost update?");
}

std::string save_difference(const VariantCall& variant_call, const cv::Mat& difference) {
    const std::string name = fmt::format("difference-{}-{}x{}.png", variant_call.variant.name,
                                         variant_call.out.width, variant_call.out.height);
    const std::filesystem::path path = std::filesystem::current_path() / name;
    if (difference.channels() != 1 && difference.channels() != 3) return "";
    try {
        write_image(path, difference);
        return path.string();
    } catch (const Error&) {
        return "";  // without write permission there is no image, but still the message
    }
}

/// Why an variant_call failed.
struct Fault {
    Verdict verdict;
    std::string call{};  ///< "" for the first
    std::string cause{};
};

/// Only for a library, within its Agreement.
Verdict compared(const VariantCall& variant_call, const cv::Mat& in, const cv::Mat& out) {
    const VariantInfo& variant = variant_call.variant;
    const bool is_library = variant.backend == Backend::peer;
    return variant_call.definition(in)(out, is_library ? variant.agreement : Agreement{});
}

std::optional<Fault> find_fault(const VariantCall& variant_call) {
    Caller caller(variant_call);
    const bool few_pixels = variant_call.in.total() <= 40'000;
    const Outcome first = caller.call(variant_call.in, fills[0]);
    const Verdict verdict = compared(variant_call, variant_call.in, first.out);
    if (!first.damage.empty()) return Fault{verdict, "", first.damage};

    Outcome other;
    Verdict other_verdict;
    if (few_pixels) {
        const cv::Mat image = other_image(variant_call.in);
        other = caller.call(image, fills[1]);
        other_verdict = compared(variant_call, image, other.out);
    }
    const Outcome last = caller.call(variant_call.in, fills[2]);
    const bool last_equals_first = equal_bytes(first.out, last.out);
    if (!verdict.ok()) {
        const auto unwritten = count_unwritten(first.out, fills[0], last.out, fills[2]);
        if (unwritten > 0) {
            return Fault{verdict, "", fmt::format("{} values are never written", unwritten)};
        }
        if (!last_equals_first) return Fault{verdict, "", differing_calls(variant_call)};
        return Fault{verdict, "", likely_mistake(variant_call, first.out, verdict)};
    }
    if (!other_verdict.ok() || !other.damage.empty()) {
        return Fault{other_verdict, "in call 2, on other pixels: ",
                     other.damage.empty()
                         ? "only the first call is right: does it keep something for the next one, "
                           "a result or a buffer that is not cleared? or a race"
                         : other.damage};
    }
    if (last_equals_first && last.damage.empty()) return std::nullopt;
    return Fault{compared(variant_call, variant_call.in, last.out),
                 fmt::format("in call {}, on the same pixels as in call 1: ", few_pixels ? 3 : 2),
                 last.damage.empty() ? differing_calls(variant_call) : last.damage};
}

}  // namespace

std::function<bool(const cv::Mat& out)> is(std::function<cv::Mat()> output) {
    return [output = std::move(output)](const cv::Mat& out) { return equal_bytes(output(), out); };
}

std::string check_call(const VariantCall& variant_call) {
    const auto fault = find_fault(variant_call);
    if (!fault) return "";
    std::string text =
        fmt::format("WRONG {} on {}x{}x{} ({}): {}{}", variant_call.variant.name,
                    variant_call.in.cols, variant_call.in.rows, variant_call.in.channels(),
                    variant_call.parameters, fault->call, fault->verdict.text());
    if (!fault->cause.empty()) text += "; looks like: " + fault->cause;
    if (!fault->verdict.ok() && variant_call.saves_difference) {
        const std::string file = save_difference(variant_call, fault->verdict.difference);
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
    static const std::vector<Block> blocks{{32, 32}, {1, 1024}, {1024, 1}, {1, 1},  {1, 32},
                                           {32, 1},  {3, 5},    {4, 4},    {7, 13}, {8, 8},
                                           {16, 16}, {32, 8},   {64, 4}};
    return blocks;
}

}  // namespace harness
