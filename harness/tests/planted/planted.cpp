// Variants with the mistakes that tests have to find, and tests as a lab has them. test_planted.cpp
// runs this program and checks its output.

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>

#include "common/error.hpp"
#include "harness/scenes.hpp"
#include "harness/testing_variants.hpp"

namespace {

using Call = harness::HostCall;

/// The right output: every value plus one, which wraps around.
void add_one(const cv::Mat& in, cv::Mat& out) {
    for (int y = 0; y < in.rows; ++y) {
        for (int x = 0; x < in.cols; ++x) out.ptr(y)[x] = static_cast<uchar>(in.ptr(y)[x] + 1);
    }
}

/// Writes the right output, and does `what` after it in every call from number `first` on.
Call then(const Call& what, int first = 1) {
    return [what, first, calls = std::make_shared<int>(0)](const cv::Mat& in, cv::Mat& out) {
        add_one(in, out);
        if (++*calls >= first) what(in, out);
    };
}

void change_last_value(const cv::Mat&, cv::Mat& out) {
    out.ptr(out.rows - 1)[out.cols - 1] ^= 0x10;
}

Call remember() {
    return [kept = cv::Mat()](const cv::Mat& in, cv::Mat& out) mutable {
        if (kept.empty()) add_one(in, kept = cv::Mat(in.size(), in.type()));
        kept.copyTo(out);
    };
}

const std::map<std::string, Call>& calls() {
    using common::Unsupported;
    static const std::map<std::string, Call> all{
        {"right", add_one},
        {"refuses_all", [](auto&, auto&) { throw Unsupported("not for me"); }},
        {"not_done", [](auto&, auto&) { throw common::NotDoneYet(); }},
        {"done_in_part", then([](const cv::Mat& in, cv::Mat&) {
             if (in.cols == 3) throw common::NotDoneYet();
         })},
        {"refuses_but_one", then([](const cv::Mat& in, cv::Mat&) {
             if (in.cols != 3) throw Unsupported("only 3 columns");
         })},
        {"refuses_a_task", then([](const cv::Mat& in, cv::Mat&) {
             if (in.cols == 3) throw Unsupported("not 3 columns");
         })},
        {"wrong_from_second_call", then(change_last_value, 2)},
        {"wrong_from_third_call", then(change_last_value, 3)},
        {"remembers", remember()},
        {"writes_beside", then([](const cv::Mat&, cv::Mat& out) { out.ptr(0)[out.cols + 1] = 1; })},
        {"writes_below",
         then([](const cv::Mat&, cv::Mat& out) { out.ptr(0)[out.step[0] * out.rows] = 1; })},
        {"changes_input",
         then([](const cv::Mat& in, cv::Mat&) { const_cast<cv::Mat&>(in).ptr(0)[0] ^= 1; })},
        {"throws", [](auto&, auto&) { throw std::runtime_error("out of luck"); }},
        {"faults_in_emulation",
         [](auto&, auto&) {
             throw common::Failed("CUDA: WRONG (found by the emulation): misaligned (x.cu:7)");
         }},
        {"exits", [](auto&, auto&) { std::exit(0); }},
        {"exits_at_once", [](auto&, auto&) { _exit(0); }},
        {"hangs",
         [](auto&, auto&) {
             while (true) pause();
         }},
        {"crashes_when_wide", then([](const cv::Mat& in, cv::Mat&) {
             if (in.cols >= 37) std::raise(SIGSEGV);
         })},
        {"wrong_when_wide", then([](const cv::Mat& in, cv::Mat& out) {
             if (in.cols >= 37) change_last_value(in, out);
         })}};
    return all;
}

common::VariantInfo info_of(const std::string& name) {
    common::VariantInfo info{name, common::Backend::omp, ""};
    info.agreement.tolerance = 255;  // ignored: this is no library
    return info;
}

harness::VariantCall variant_call_for(const std::string& name, const cv::Mat& image) {
    harness::VariantCall variant_call;
    variant_call.variant = info_of(name);
    variant_call.job.call = calls().at(name);
    variant_call.in = image;
    variant_call.out = harness::Shape::of(image);
    variant_call.definition = [](const cv::Mat& in) -> harness::Check {
        cv::Mat expected(in.size(), in.type());
        add_one(in, expected);
        return [expected](const cv::Mat& out, const common::Agreement& agreement) {
            return harness::compare(expected, expected, out, agreement);
        };
    };
    variant_call.parameters = "none";
    variant_call.may_refuse = name != "refuses_a_task";
    variant_call.in_detail = false;
    return variant_call;
}

class Planted : public harness::VariantTest {
  protected:
    const common::VariantInfo info_ = info_of(GetParam());
    Planted() : VariantTest(info_) {}
};

TEST_P(Planted, sizes) {
    for (const cv::Size size : {cv::Size(30, 20), cv::Size(3, 2), cv::Size(640, 480)}) {
        const cv::Mat image = harness::make_scene("random", size.width, size.height, 1);
        ASSERT_NO_FATAL_FAILURE(expect_right(variant_call_for(GetParam(), image)));
    }
}

TEST_P(Planted, random) {
    const auto parameters =
        harness::joined({harness::size_parameters(50'000), harness::content_parameters()});
    expect_right_at_random({parameters, [](const harness::Case& chosen) {
                                harness::VariantCall variant_call =
                                    variant_call_for(GetParam(), harness::bytes_of(chosen, 1));
                                return variant_call;
                            }});
}

TEST_P(Planted, nothing) {}

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const auto& [name, call] : calls()) all.push_back(name);
    return all;
}

INSTANTIATE_TEST_SUITE_P(variants, Planted, testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

}  // namespace
