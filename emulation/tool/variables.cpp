// Variables of the GPU: `__device__` and `__constant__`.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "source.hpp"

namespace {

bool has_name(const std::string& text, std::string_view name) {
    return Source("", text).find_name(name, 0) != std::string::npos;
}

/// The first character of the declaration that contains `at`: behind the previous statement, brace
/// or preprocessor directive; the '#' if `at` is in a directive.
std::size_t declaration_begin(const Source& source, std::size_t at) {
    const std::string& code = source.code();
    auto begin = code.find_last_of(";{}", at);
    begin = begin == std::string::npos ? 0 : begin + 1;
    for (auto line = code.find('#', begin); line < at; line = code.find('#', begin)) {
        auto end = code.find('\n', line);
        while (end != std::string::npos && code[end - 1] == '\\') end = code.find('\n', end + 1);
        if (end > at) return line;
        begin = end;
    }
    return code.find_first_not_of(blanks, begin);
}

/// The end of a variable's declaration, or npos if it is a function's.
std::size_t variable_end(const Source& source, std::size_t from) {
    const std::string& code = source.code();
    std::size_t at = from;
    for (; at < code.size() && std::string_view("=;{[").find(code[at]) == std::string::npos; ++at) {
        if (code[at] != '(') continue;
        const std::string before = trimmed(code.substr(from, at - from));
        if (!before.ends_with("alignas") && !before.ends_with("__align__")) {
            return std::string::npos;
        }
        at = source.closing(at);
    }
    if (has_name(code.substr(from, at - from), "operator")) return std::string::npos;
    return code.find(';', at);
}

std::string without_specifiers(std::string text) {
    for (const std::string_view word : {"static", "inline", "__device__", "__constant__"}) {
        for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
            const auto end = at + word.size();
            const bool is_word = (at == 0 || !is_name(text[at - 1])) && !is_name(text[end]);
            if (is_word) text.erase(at, word.size());
            at += is_word ? 0 : word.size();
        }
    }
    return trimmed(text);
}

bool is_constant(const std::string& type) {
    const auto star = type.rfind('*');
    return has_name(type, "constexpr") ||
           has_name(type.substr(star == std::string::npos ? 0 : star), "const");
}

struct Declared {
    std::string name;
    std::string initial;  ///< a declaration with type, dimensions and value
};

/// Nothing for constants, and for what is no variable.
std::vector<Declared> declared_in(const std::string& text) {
    if (has_name(text, "template")) return {};
    std::vector<Declared> variables;
    std::string type;
    for (const std::string& part : split(text)) {
        const std::size_t head_end = std::min(part.find_first_of("=[{"), part.size());
        const std::string head = trimmed(part.substr(0, head_end));
        std::size_t name_begin = head.size();
        while (name_begin > 0 && is_name(head[name_begin - 1])) --name_begin;
        const std::string name = head.substr(name_begin);
        const std::string before = type + head.substr(0, name_begin);
        if (name.empty() || trimmed(before).empty() || is_constant(before)) return {};
        variables.push_back({name, before + "emulated_initial" + part.substr(head_end)});
        if (type.empty()) type = before.substr(0, before.find_last_not_of("*& \n") + 1) + " ";
    }
    return variables;
}

/// True inside of a function's braces; false in those of namespaces.
bool is_in_function(const Source& source, std::size_t at) {
    const std::string& code = source.code();
    int open = 0;
    for (std::size_t i = at; i-- > 0;) {
        if (code[i] == '}') --open;
        if (code[i] == '{') ++open;
        if (open <= 0) continue;
        open = 0;
        const auto before = i == 0 ? std::string::npos : code.find_last_of(";{}", i - 1);
        const std::size_t begin = before == std::string::npos ? 0 : before;
        const std::string head = code.substr(begin, i - begin);
        if (!has_name(head, "namespace") && !has_name(head, "extern")) return true;
    }
    return false;
}

void translate(Source& source, std::string_view keyword, const std::string& function) {
    std::size_t next = 0;
    for (auto at = source.find_name(keyword, 0); at != std::string::npos;
         at = source.find_name(keyword, next)) {
        next = at + keyword.size();
        const std::size_t begin = declaration_begin(source, at);
        const std::size_t end = variable_end(source, next);
        if (end == std::string::npos || source.code()[begin] == '#') continue;
        const std::string text = source.text().substr(begin, end - begin);
        const std::vector<Declared> variables =
            declared_in(without_specifiers(without_alignment(without_comments(text))));
        if (!variables.empty() && has_name(source.code().substr(begin, at - begin), "extern")) {
            source.fail(at, "the emulation does not cover extern variables of the GPU");
        }
        const std::string before =
            is_in_function(source, begin) ? "auto& " : "[[maybe_unused]] static auto& ";
        std::string result;
        for (const Declared& variable : variables) {
            if (!result.empty()) result += "; ";
            result += before + variable.name + " = ::emulation::" + function + "(\"" +
                      variable.name + "\", []() -> auto& { static " + variable.initial +
                      "; return emulated_initial; })";
        }
        if (variables.empty()) continue;
        const auto lines = newlines_of(text).size();
        const auto kept = newlines_of(result).size();
        source.replace(begin, end, result + std::string(lines - std::min(lines, kept), '\n'));
        next = begin + result.size();
    }
}

}  // namespace

void translate_variables(Source& source) {
    if (const auto at = source.find_name("__managed__", 0); at != std::string::npos) {
        source.fail(at, "the emulation does not cover __managed__: use cudaMalloc and cudaMemcpy");
    }
    translate(source, "__device__", "device_variable");
    translate(source, "__constant__", "constant_variable");
}
