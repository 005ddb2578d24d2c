#include "roster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "common/csv.hpp"
#include "common/error.hpp"

namespace grading {
namespace {

using Row = std::vector<std::string>;

constexpr std::size_t longest_id = 64;

bool valid(const std::string& id) {
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '.' || c == '_' || c == '@' || c == '-';
    };
    return !id.empty() && id.size() <= longest_id && id[0] != '.' && id[0] != '-' &&
           std::all_of(id.begin(), id.end(), allowed);
}

/// Pages and reports are UTF-8 and take no control characters.
bool is_text(const std::string& name) {
    try {
        return nlohmann::json(name).dump().find("\\u00") == std::string::npos;
    } catch (const nlohmann::json::type_error&) {
        return false;
    }
}

/// The header's place of a column, or its size if there is none. Spreadsheets write a byte order
/// mark before the first column.
std::size_t column(Row header, const std::string& name) {
    if (!header.empty() && header[0].starts_with("\xEF\xBB\xBF")) header[0].erase(0, 3);
    return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
}

}  // namespace

std::vector<Student> read_roster(const std::filesystem::path& path) {
    const auto fail = [&](std::size_t line, const std::string& what) {
        throw common::BadUsage(fmt::format("{}:{}: {}", path.string(), line, what));
    };
    const std::vector<Row> rows = common::read_csv(path);
    const std::size_t id = rows.empty() ? 0 : column(rows[0], "id");
    if (rows.empty() || id == rows[0].size()) fail(1, "the header has no column 'id'");
    const std::size_t name = column(rows[0], "name");

    std::vector<Student> students;
    std::set<std::string> known;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const Row& row = rows[i];
        if (row.size() == 1 && row[0].empty()) continue;  // an empty line
        if (row.size() <= id) fail(i + 1, "the line has no id");
        if (!valid(row[id])) {
            fail(i + 1, "an id has 1 to 64 letters, digits and ._@-, and begins with none of .-");
        }
        if (!known.insert(row[id]).second) fail(i + 1, fmt::format("'{}' occurs twice", row[id]));
        students.push_back({row[id], name < row.size() ? row[name] : ""});
        if (!is_text(students.back().name)) fail(i + 1, "the name is not text in UTF-8");
    }
    if (students.empty()) fail(1, "the file has no students");
    return students;
}

}  // namespace grading
