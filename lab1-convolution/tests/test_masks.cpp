// Built-in filters, filter files, and when float sums are exact.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "common/error.hpp"
#include "harness/testing.hpp"
#include "problem/mask.hpp"

namespace {

using convolution::Mask;
using testing::HasSubstr;
using testing::ThrowsMessage;

float sum_of(const Mask& mask) {
    return std::accumulate(mask.weights, mask.weights + mask.size * mask.size, 0.0f);
}

TEST(Filters, brighten_edges_to_zero_and_keep_flat_areas) {
    for (const std::string_view name : convolution::filter_names()) {
        const bool finds_edges = name.starts_with("edge");
        EXPECT_NEAR(sum_of(convolution::find_filter(name)), finds_edges ? 0 : 1, 1e-6) << name;
    }
}

TEST(Filters, all_but_the_boxes_are_exact) {
    for (const std::string_view name : convolution::filter_names()) {
        EXPECT_EQ(sums_are_exact(convolution::find_filter(name)), !name.starts_with("box")) << name;
    }
}

TEST(Filters, unknown_name_lists_the_known_ones) {
    EXPECT_THAT(
        [] { convolution::find_filter("blur"); },
        ThrowsMessage<common::BadUsage>(testing::AllOf(HasSubstr("blur"), HasSubstr("gauss5"))));
}

class FilterFile : public testing::Test {
  protected:
    const std::filesystem::path folder_ = harness::test_folder();
    const std::string path_ = folder_ / "mask.txt";
    void TearDown() override { std::filesystem::remove_all(folder_); }

    Mask read(const std::string& text) const {
        std::ofstream(path_) << text;
        return convolution::read_mask(path_);
    }
};

TEST_F(FilterFile, is_lines_of_numbers) {
    const Mask mask = read("# emboss\n-2 -1 0\n\n-1 1 1   # middle\n 0 1 2e0\n");
    EXPECT_EQ(mask.size, 3);
    EXPECT_EQ(mask.at(0, 0), -2);
    EXPECT_EQ(mask.at(2, 2), 2);
    EXPECT_EQ(read("0.5").size, 1);
}

TEST_F(FilterFile, says_what_is_wrong_with_it) {
    const std::pair<const char*, const char*> cases[]{
        {"", "no numbers"},
        {"1 2\n3 4\n", "2 numbers in a line; accepted: an odd number up to 15"},
        {"1 2 3\n4 5 6\n", "2 lines of 3 numbers; a mask is square"},
        {"1 2 3\n4 5\n7 8 9\n", "line 2: 2 numbers, the first line has 3"},
        {"1\n2\n", "more than 1 lines"},
        {"1 2 3\n4 nan 6\n7 8 9\n", "line 2: 'nan' is not a finite number"},
        {"1 2 3\n4 inf 6\n7 8 9\n", "line 2: 'inf' is not a finite number"},
        {"1 2 3\n4 1e99 6\n7 8 9\n", "line 2: '1e99' is not a finite number"},
        {"1 2 3\n4 5,0 6\n7 8 9\n", "line 2: '5,0' is not a finite number"},
        {"1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8\n", "17 numbers in a line"},
        {"1 2 3\n4 5\xC2\xA0 6\n7 8 9\n", "is not a finite number (it has U+00A0)"},
        {"1 2 3\n\xE2\x88\x92"
         "4 5 6\n7 8 9\n",
         "line 2: '\xE2\x88\x92"
         "4' is not a finite number (it has U+2212)"},
        {"\x07\n", "(it has U+0007)"},
        {"\xF0\x9F\x98\x80\n", "(it has U+1F600)"},
        {"1\xA0\n", "(its byte 0xA0 is not UTF-8)"},
        {"1\xE2\n", "(its byte 0xE2 is not UTF-8)"},
        {"\xFF\xFE"
         "1\n",
         "(its byte 0xFF is not UTF-8)"},
        {"++1\n", "'++1' is not a finite number"},
        {"+-1\n", "'+-1' is not a finite number"},
        {"+\n", "'+' is not a finite number"},
    };
    for (const auto& [text, complaint] : cases) {
        const std::string content = text;
        EXPECT_THAT(([&] { read(content); }), ThrowsMessage<common::BadUsage>(testing::AllOf(
                                                  HasSubstr(path_), HasSubstr(complaint))));
    }
    EXPECT_THROW(convolution::read_mask("/nonexistent"), common::BadUsage);
    EXPECT_THROW(convolution::read_mask(folder_.string()), common::BadUsage);
}

TEST_F(FilterFile, may_have_a_byte_order_mark_and_plus_signs) {
    const Mask mask = read("\xEF\xBB\xBF+0.5 1 +2e-1\r\n0 +0 0\r\n-1 0 1\r\n");
    EXPECT_EQ(mask.size, 3);
    EXPECT_EQ(mask.at(0, 0), 0.5f);
    EXPECT_EQ(mask.at(0, 2), 0.2f);
}

TEST_F(FilterFile, sums_over_pixels_have_to_fit_a_float) {
    EXPECT_EQ(read("1.3344e36").at(0, 0), 1.3344e36f);  // FLT_MAX / 255 = 1.33444e36
    EXPECT_EQ(read("1e36 0 0\n0 -3e35 0\n0 0 0").size, 3);
    for (const char* text : {"3e38", "1.3345e36", "1e36 0 0\n0 0 0\n0 0 -1e36"}) {
        EXPECT_THAT([&] { read(text); },
                    ThrowsMessage<common::BadUsage>(testing::AllOf(
                        HasSubstr(path_), HasSubstr("accepted: at most 1.33444e+36"))))
            << text;
    }
}

}  // namespace
