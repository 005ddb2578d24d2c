#include "faults.hpp"

#include <fstream>
#include <regex>

std::vector<std::string> named_lines(const std::string& message, const std::string& file) {
    const std::regex place(file.substr(file.find_last_of('/') + 1) + ":([0-9]+)");
    std::vector<std::string> lines;
    for (std::sregex_iterator it(message.begin(), message.end(), place), end; it != end; ++it) {
        std::ifstream source(file);
        lines.emplace_back();
        for (int i = 0; i < std::stoi((*it)[1]); ++i) std::getline(source, lines.back());
    }
    return lines;
}

void expect_fault(const std::string& message, const std::string& what,
                  const std::vector<std::string>& texts, const std::string& file) {
    EXPECT_THAT(message, testing::HasSubstr(what));
    std::vector<testing::Matcher<std::string>> lines;
    for (const std::string& text : texts) lines.push_back(testing::HasSubstr(text));
    EXPECT_THAT(named_lines(message, file), testing::UnorderedElementsAreArray(lines)) << message;
}

void expect_marked_lines(const std::string& message, const std::string& file) {
    const auto lines = named_lines(message, file);
    EXPECT_FALSE(lines.empty()) << message;
    EXPECT_THAT(lines, testing::Each(testing::EndsWith("// fault"))) << message;
}
