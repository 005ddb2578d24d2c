// Statistics, CSV, random numbers, block sizes.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "common/csv.hpp"
#include "common/error.hpp"
#include "common/options.hpp"
#include "harness/random.hpp"
#include "harness/statistics.hpp"
#include "harness/testing.hpp"

namespace {

namespace fs = std::filesystem;

TEST(Statistics, trimmed_mean_drops_one_minimum_and_one_maximum) {
    const std::vector<double> samples{5, 1, 2, 3, 100};
    const auto result = harness::statistics(samples);
    EXPECT_EQ(result.min, 1);
    EXPECT_EQ(result.median, 3);
    EXPECT_DOUBLE_EQ(result.trimmed_mean, 10.0 / 3);
    EXPECT_EQ(result.max, 100);
    EXPECT_EQ(result.q1, 2);
    EXPECT_EQ(result.q3, 5);
    EXPECT_EQ(result.spread(), 1);
}

TEST(Statistics, what_is_too_noisy) {
    EXPECT_FALSE(harness::too_noisy(0.25, 0.7));
    EXPECT_TRUE(harness::too_noisy(0.26, 0));
    EXPECT_TRUE(harness::too_noisy(0, 0.8));
    std::ifstream in(RULES);  // the driver's tests check the same cases
    const auto cases = nlohmann::json::parse(in)["noise"];
    EXPECT_GE(cases.size(), 5);
    for (const auto& c : cases) {
        EXPECT_EQ(harness::noise(c[0], c[1]), c[2].get<std::string>()) << c;
    }
}

TEST(Statistics, few_samples) {
    EXPECT_EQ(harness::statistics(std::vector<double>{4}).trimmed_mean, 4);
    EXPECT_EQ(harness::statistics(std::vector<double>{4, 8}).median, 6);
    EXPECT_THROW(harness::statistics({}), std::invalid_argument);
}

TEST(Random, is_splitmix64) {  // values of the published reference implementation for seed 0
    EXPECT_EQ(harness::random_at(0, 0), 0xE220A8397B1DCDAFu);
    EXPECT_EQ(harness::random_at(0, 1), 0x6E789E6AA1B965F4u);
}

TEST(Block, parses_what_cuda_accepts) {
    EXPECT_EQ(common::parse_block("32x8"), (common::Block{32, 8}));
    EXPECT_EQ(common::parse_block("1x1024"), (common::Block{1, 1024}));
    for (const char* text : {"", "32", "x8", "32x", "0x8", "-1x8", "33x32", "32x8x2", "32X8",
                             "99999x99999", "1025x1", "nan"}) {
        EXPECT_THROW(common::parse_block(text), common::BadUsage) << text;
    }
}

class CsvTest : public testing::Test {
  protected:
    const fs::path folder_ = harness::test_folder();
    const fs::path path_ = folder_ / "test.csv";
    void TearDown() override { fs::remove_all(folder_); }
};

TEST_F(CsvTest, survives_commas_quotes_and_line_breaks) {
    const std::vector<std::string> row{"a,b", "say \"hi\"", "two\nlines", ""};
    common::CsvFile file(path_, {"one", "two", "three", "four"});
    file.add(row);
    EXPECT_FALSE(fs::exists(path_)) << "an unfinished file must not have the final name";
    file.finish();
    const auto rows = common::read_csv(path_);
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[1], row);
}

TEST_F(CsvTest, refuses_a_row_that_does_not_fit) {
    common::CsvFile file(path_, {"one", "two"});
    EXPECT_THROW(file.add(std::vector<std::string>{"1"}), std::invalid_argument);
}

TEST_F(CsvTest, names_the_file_that_it_cannot_write) {
    try {
        common::CsvFile("/nonexistent/folder/x.csv", {"one"});
        FAIL() << "accepted";
    } catch (const common::BadUsage& error) {
        EXPECT_NE(std::string(error.what()).find("/nonexistent/folder/x.csv"), std::string::npos);
    }
}

}  // namespace
