#include "common/csv.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "common/error.hpp"

namespace common {
namespace {

/// Quoted if it has a comma, a quote or a line break.
std::string quoted(const std::string& field) {
    if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
    std::string result = "\"";
    for (const char c : field) {
        if (c == '"') result += '"';
        result += c;
    }
    return result + '"';
}

std::string csv_line(std::span<const std::string> fields) {
    std::string line;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (i > 0) line += ',';
        line += quoted(fields[i]);
    }
    return line;
}

}  // namespace

CsvFile::CsvFile(std::filesystem::path path, std::vector<std::string> header)
    : path_(std::move(path)), partial_(path_), columns_(header.size()) {
    partial_ += ".partial";
    out_.open(partial_, std::ios::binary | std::ios::trunc);
    if (!out_) {
        throw BadUsage(fmt::format("cannot write '{}': {}", path_.string(), std::strerror(errno)));
    }
    write(header);
}

void CsvFile::add(std::span<const std::string> fields) {
    if (fields.size() != columns_) throw std::invalid_argument("CSV row does not fit its header");
    write(fields);
}

void CsvFile::write(std::span<const std::string> fields) {
    out_ << csv_line(fields) << '\n' << std::flush;
    if (!out_) {
        throw Failed(fmt::format("cannot write '{}': {}", partial_.string(), std::strerror(errno)));
    }
}

void CsvFile::finish() {
    out_.close();
    std::error_code error;
    if (out_) std::filesystem::rename(partial_, path_, error);
    if (!out_ || error) throw Failed(fmt::format("cannot write '{}'", path_.string()));
}

std::vector<std::vector<std::string>> read_csv(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw BadUsage(fmt::format("cannot read '{}'", path.string()));
    const std::string text{std::istreambuf_iterator<char>(in), {}};

    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> row;
    std::string field;
    bool in_quotes = false;
    const auto end_field = [&] { row.push_back(std::exchange(field, {})); };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_quotes) {
            const bool escaped = c == '"' && i + 1 < text.size() && text[i + 1] == '"';
            if (escaped) ++i;
            if (c == '"' && !escaped) {
                in_quotes = false;
            } else {
                field += c;
            }
        } else if (c == '"') {
            in_quotes = true;
        } else if (c == ',') {
            end_field();
        } else if (c == '\n') {
            end_field();
            rows.push_back(std::exchange(row, {}));
        } else if (c != '\r') {
            field += c;
        }
    }
    if (!field.empty() || !row.empty()) {
        end_field();
        rows.push_back(row);
    }
    return rows;
}

}  // namespace common
