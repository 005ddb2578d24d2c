#include "source.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <utility>

namespace {

/// The end of a literal whose quote is at `at`; `at` if the quote is in a number: 1'000.
std::size_t end_of_literal(const std::string& text, std::size_t at) {
    std::size_t word = at;
    while (word > 0 && is_name(text[word - 1])) --word;
    const std::string prefix = text.substr(word, at - word);
    if (!prefix.empty() && std::isdigit(static_cast<unsigned char>(prefix[0])) != 0) return at;
    if (text[at] == '"' && prefix.ends_with('R') && prefix.size() <= 3) {
        const std::size_t open = text.find('(', at);
        const std::string mark = ")" + text.substr(at + 1, open - at - 1) + "\"";
        const std::size_t close = open == std::string::npos ? open : text.find(mark, open);
        return close == std::string::npos ? text.size() : close + mark.size();
    }
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != text[at] && text[end] != '\n') {
        end += text[end] == '\\' ? 2 : 1;
    }
    return std::min(end + 1, text.size());
}

/// The text with comments, and maybe literals, replaced by blanks of the same length.
std::string blanked(const std::string& text, bool with_literals) {
    std::string code = text;
    const auto blank = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end && i < code.size(); ++i) {
            if (code[i] != '\n') code[i] = ' ';
        }
        return end;
    };
    std::size_t i = 0;
    while (i < text.size()) {
        if (text.compare(i, 2, "//") == 0) {
            i = blank(i, text.find('\n', i));
        } else if (text.compare(i, 2, "/*") == 0) {
            const std::size_t end = text.find("*/", i + 2);
            i = blank(i, end == std::string::npos ? text.size() : end + 2);
        } else if (text[i] == '"' || text[i] == '\'') {
            const std::size_t end = std::max(end_of_literal(text, i), i + 1);
            if (with_literals) blank(i + 1, end - 1);
            i = end;
        } else {
            ++i;
        }
    }
    return code;
}

}  // namespace

bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return "";
    return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

std::string newlines_of(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '\n') result += c;
    }
    return result;
}

std::string without_comments(const std::string& text) {
    return blanked(text, false);
}

std::string without_alignment(std::string text) {
    for (const std::string_view word : {"alignas", "__align__"}) {
        const auto at = text.find(word);
        if (at != std::string::npos) text.erase(at, text.find(')', at) - at + 1);
    }
    return text;
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts(1);
    int depth = 0;   // of brackets
    int angles = 0;  // of template arguments
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (text.compare(i, 2, "<<") == 0) {  // a shift
            parts.back() += text[i++];
        } else if (depth == 0 && c == '<') {
            ++angles;
        } else if (angles > 0 && c == '>') {
            --angles;
        }
        if (std::string_view("([{").find(c) != std::string_view::npos) ++depth;
        if (std::string_view(")]}").find(c) != std::string_view::npos) --depth;
        if (c == ',' && depth == 0 && angles == 0) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

Source::Source(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)), code_(blanked(text_, true)) {}

void Source::fail(std::size_t at, const std::string& what) const {
    const std::string line = std::to_string(newlines_of(text_.substr(0, at)).size() + 1);
    throw std::runtime_error(name_ + ":" + line + ": error: " + what);
}

void Source::replace(std::size_t begin, std::size_t end, const std::string& by) {
    text_.replace(begin, end - begin, by);
    code_ = blanked(text_, true);
}

std::size_t Source::find_name(std::string_view name, std::size_t from) const {
    for (auto at = code_.find(name, from); at != std::string::npos; at = code_.find(name, at + 1)) {
        const auto end = at + name.size();
        const bool begins = at == 0 || !is_name(code_[at - 1]);
        if (begins && (end == code_.size() || !is_name(code_[end]))) return at;
    }
    return std::string::npos;
}

std::size_t Source::before_blanks(std::size_t at) const {
    while (at > 0 && blanks.find(code_[at - 1]) != std::string_view::npos) --at;
    return at;
}

std::size_t Source::closing(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < code_.size(); ++i) {
        if (code_[i] == '(') ++depth;
        if (code_[i] == ')' && --depth == 0) return i;
    }
    fail(open, "( without )");
}
