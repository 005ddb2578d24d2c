#include "harness/testing.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "common/error.hpp"
#include "common/image.hpp"
#include "harness/testing_guard.hpp"
#include "testing_calls.hpp"
#include "testing_second_look.hpp"

namespace harness {

using namespace common;
namespace {

/// Saves the image beside the program of the tests, or in the current folder if that one is not
/// writable.
std::string save_difference(const VariantCall& variant_call, const cv::Mat& difference) {
    const std::string name = fmt::format("difference-{}-{}x{}.png", variant_call.variant.name,
                                         variant_call.out.width, variant_call.out.height);
    const std::filesystem::path beside =
        std::filesystem::read_symlink("/proc/self/exe").parent_path();
    const std::filesystem::path path =
        (access(beside.c_str(), W_OK) == 0 ? beside : std::filesystem::current_path()) / name;
    if (difference.channels() != 1 && difference.channels() != 3) return "";
    try {
        write_image(path, difference);
        return path.string();
    } catch (const Error&) {
        return "";  // without write permission there is no image, but still the message
    }
}

/// "on 20x12x1 (gauss3)"
std::string call_text(const VariantCall& variant_call, const Finding& finding) {
    return fmt::format("on {}x{}x{} ({})", finding.in.cols, finding.in.rows, finding.in.channels(),
                       variant_call.parameters);
}

}  // namespace

std::function<bool(const cv::Mat& out)> is(std::function<cv::Mat()> output) {
    return [output = std::move(output)](const cv::Mat& out) { return equal_bytes(output(), out); };
}

bool explains_wrong_values(const Check& right, const Check& other, const cv::Mat& other_output,
                           const cv::Mat& out) {
    const Verdict verdict = right(out, {});
    if (verdict.ok()) return false;
    // If all wrong values are the same, a definition that gives it everywhere explains any output.
    double least = 0;
    double largest = 0;
    cv::minMaxLoc(out.reshape(1), &least, &largest, nullptr, nullptr,
                  verdict.difference.reshape(1));
    if (least == largest) return false;
    cv::Mat result = other_output.clone();
    out.copyTo(result, verdict.difference);
    return other(result, {}).ok();
}

std::string check_call(const VariantCall& variant_call) {
    const Finding failed = examine(variant_call);
    SecondLook look{failed.cause, "", variant_call, failed};
    if (failed.wrong && variant_call.in_detail) look = look_again(variant_call, failed);
    note_call(variant_call);
    if (!failed.wrong) return "";
    const Finding& finding = look.finding;
    const std::string call = call_text(look.shown, finding);
    std::string text = fmt::format("WRONG {} {}: {}{}", variant_call.variant.name, call,
                                   finding.call, finding.text());
    if (!look.cause.empty()) text += "; looks like: " + look.cause;
    if (!failed.verdict.ok() && variant_call.in_detail) {
        const std::string file = save_difference(variant_call, failed.verdict.difference);
        if (!file.empty()) {
            text += "; difference image: " + file;
            ::testing::Test::RecordProperty(difference_image, file);
        }
    }
    text += look.details;
    const std::string found = call_text(variant_call, failed);
    return found == call ? text : text + "\n    found first " + found;
}

Job with_more_ranks(Job job) {
    ++std::get<RankCall>(job.call).ranks;
    return job;
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
        {20, 12}, {1, 1},  {1, 7},   {7, 1},    {2, 2},     {3, 5},    {13, 42},
        {31, 33}, {56, 2}, {64, 64}, {101, 99}, {257, 255}, {1000, 3}, {2311, 1801}};
    return sizes;
}

const std::vector<Block>& test_blocks() {
    static const std::vector<Block> blocks{{32, 32}, {1, 1024}, {1024, 1}, {1, 1},  {1, 32},
                                           {32, 1},  {3, 5},    {4, 4},    {7, 13}, {8, 8},
                                           {16, 16}, {32, 8},   {64, 4}};
    return blocks;
}

}  // namespace harness
