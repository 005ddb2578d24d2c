// Every faulty kernel of the corpus is reported as what it is, and without its mistake not at all.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "corpus/all_cases.hpp"

namespace {

using corpus::Case;
using testing::HasSubstr;

/// The message of a launch, or "".
std::string message_of(cudaError_t (*launch)()) {
    const cudaError_t error = launch();
    return error == cudaSuccess ? "" : cudaGetErrorString(error);
}

/// The lines of a file that a message names.
std::set<int> named_lines(const std::string& message, const std::string& file) {
    std::set<int> lines;
    const std::regex place(file + ":([0-9]+)");
    for (std::sregex_iterator it(message.begin(), message.end(), place), end; it != end; ++it) {
        lines.insert(std::stoi((*it)[1]));
    }
    return lines;
}

class Corpus : public testing::TestWithParam<Case> {};

TEST_P(Corpus, wrong) {
    const Case& one = GetParam();
    const std::string message = message_of(one.wrong);
    EXPECT_THAT(message, HasSubstr(one.says));
    const std::string kernel = one.kernel.empty() ? "" : "kernel " + one.kernel + ",";
    EXPECT_THAT(message, HasSubstr(kernel));
    const std::vector<int> marked = corpus::marked_lines(one);
    EXPECT_EQ(marked.empty(), one.kernel.empty());
    if (marked.empty()) return;  // the launch itself is at fault
    EXPECT_THAT(named_lines(message, corpus::file_name(one)),
                testing::UnorderedElementsAreArray(marked))
        << message;
}

TEST_P(Corpus, right) {
    EXPECT_EQ(message_of(GetParam().right), "");
}

INSTANTIATE_TEST_SUITE_P(all, Corpus, testing::ValuesIn(corpus::all_cases()),
                         [](const auto& one) { return one.param.name; });

TEST(corpus, readme_has_every_case) {
    std::stringstream readme;
    readme << std::ifstream(CORPUS "/README.md").rdbuf();
    for (const Case& one : corpus::all_cases()) {
        EXPECT_THAT(readme.str(), HasSubstr(corpus::table_row(one) + "\n"));
    }
}

}  // namespace
