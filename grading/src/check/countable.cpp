// The counters are in the student's process, so code that may evade them is not counted.

#include "check/countable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>
#include <string_view>

namespace grading {
namespace {

bool is_blank(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

/// Lines that end with a backslash are one line with the next.
std::string spliced(const std::string& source) {
    std::string text;
    for (std::size_t i = 0; i < source.size(); ++i) {
        std::size_t end = i + 1;
        while (end < source.size() && source[end] != '\n' && is_blank(source[end])) ++end;
        const bool is_splice = source[i] == '\\' && end < source.size() && source[end] == '\n';
        if (is_splice) {
            i = end;
        } else {
            text += source[i];
        }
    }
    return text;
}

std::size_t behind_blanks_and_comments(std::string_view text, std::size_t at) {
    while (at < text.size()) {
        if (is_blank(text[at])) {
            ++at;
        } else if (text.substr(at, 2) == "/*") {
            at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
        } else {
            break;
        }
    }
    return at;
}

/// True if blanks and comments alone are before this place on its line: `#` begins a directive
/// here, or is in a comment of several lines.
bool begins_line(std::string_view text, std::size_t at) {
    std::string_view before = text.substr(0, at);
    before.remove_prefix(before.rfind('\n') + 1);  // 0 behind the last position
    if (const auto comment = before.rfind("*/"); comment != std::string_view::npos) {
        before.remove_prefix(comment + 2);
    }
    return std::ranges::all_of(before, is_blank);
}

/// The first directive that may give lines another file's name, or change the text of a header.
std::string bad_directive(const std::string& source) {
    const std::string text = spliced(source);
    bool has_macros = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool is_digraph = text.compare(at, 2, "%:") == 0;
        if ((text[at] != '#' && !is_digraph) || !begins_line(text, at)) continue;
        const std::size_t next = behind_blanks_and_comments(text, at + (is_digraph ? 2 : 1));
        const std::string_view name = std::string_view(text).substr(next, 20);
        if (name.empty()) break;
        if (std::isdigit(static_cast<unsigned char>(name[0])) != 0 || name.starts_with("line")) {
            return "#line";
        }
        const bool is_include = name.starts_with("include") || name.starts_with("import");
        if (is_include && has_macros) return "#define before #include";
        has_macros = has_macros || name.starts_with("define");
    }
    return "";
}

/// The lines between markers such as `# 7 "cuda_mine.cu" 2` that are of a file with this name, in
/// whatever folder.
std::string lines_of(const std::string& preprocessed, const std::string& file) {
    std::string own;
    bool is_own = false;
    std::istringstream lines(preprocessed);
    for (std::string line; std::getline(lines, line);) {
        // A raw string may have such lines too; `bad_directive` has refused those with a digit.
        if (line.size() > 2 && line.starts_with("# ") && line[2] >= '0' && line[2] <= '9') {
            const auto end = line.rfind('"');
            is_own = end != std::string::npos && line.substr(0, end).ends_with(file);
        } else if (is_own) {
            own += line + '\n';
        }
    }
    return own;
}

/// Assembly, attributes, names of the emulation and of the compiler's calls, and functions that
/// read memory without such a call.
bool is_forbidden(const std::string& word) {
    static const std::regex forbidden(
        "(__)?(asm|attribute|gnu)(__)?|__(asm|attribute)|GCC|emulation|.*(sanitize|tsan|"
        "instrument).*|_Z.*|__(real|wrap)_.*|__builtin_(?!inf|nan|huge|expect|unreachable).*|"
        "_mm.*|__atomic_.*|__sync_.*|atomic(_ref|_flag|_load.*|_exchange.*)?|char_traits|"
        "(?!to_string).*string(_view)?|str(n?len|n?cmp|chr|n?cpy)");
    return word.size() >= 200 || std::regex_match(word, forbidden);
}

/// The place behind the literal that begins at `at` with a quotation mark, in preprocessed text,
/// which has no comments. `prefix` is the word before it.
std::size_t behind_literal(std::string_view text, std::size_t at, std::string_view prefix) {
    const bool is_raw = text[at] == '"' && (prefix == "R" || prefix == "LR" || prefix == "uR" ||
                                            prefix == "UR" || prefix == "u8R");
    if (is_raw) {
        const auto open = std::min(text.find('(', at), text.size());
        const std::string close = ")" + std::string(text.substr(at + 1, open - at - 1)) + '"';
        return std::min(text.find(close, open), text.size() - close.size()) + close.size();
    }
    for (std::size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == text[at]) {
            return i + 1;
        }
    }
    return at + 1;
}

/// The place behind a name or a number, whose digits quotation marks may separate.
std::size_t behind_word(std::string_view text, std::size_t at) {
    const auto is_in_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    const bool is_number = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    while (at < text.size()) {
        const bool is_separator = is_number && (text[at] == '.' || text[at] == '\'') &&
                                  at + 1 < text.size() && is_in_word(text[at + 1]);
        if (!is_in_word(text[at]) && !is_separator) break;
        ++at;
    }
    return at;
}

/// True for names that the translator of kernels writes.
bool is_translation(std::string_view behind_emulation) {
    for (const std::string_view name :
         {"::threadIdx()", "::blockIdx()", "::blockDim()", "::gridDim()", "::dynamic_shared<",
          "::shared_variable<", "::device_variable(", "::constant_variable(",
          "::launch([=]<class... Emulated>(Emulated... emulated_arguments) {",
          "::launch([=](auto emulated_0", "::launch([=]() {", "::Configuration("}) {
        if (behind_emulation.starts_with(name)) return true;
    }
    return false;
}

}  // namespace

std::string hides_accesses(const std::string& source, const std::string& preprocessed,
                           const std::string& file) {
    if (const std::string directive = bad_directive(source); !directive.empty()) return directive;
    const std::string text = lines_of(preprocessed, file);
    if (text.empty()) return "no line of the file";  // rather than all of it unseen
    std::string word;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == '"' || text[at] == '\'') {
            at = behind_literal(text, at, word);
            word.clear();
            continue;
        }
        const std::size_t end = behind_word(text, at);
        word = text.substr(at, end - at);
        const bool translated =
            (word == "emulation" && is_translation(std::string_view(text).substr(end))) ||
            (word == "GCC" && std::string_view(text).substr(end).starts_with(" diagnostic "));
        if (!word.empty() && !translated && is_forbidden(word)) return word.substr(0, 60);
        at = std::max(end, at + 1);
    }
    return "";
}

/// The list has the functions that the repository's kernels need, those of the compiler's run-time
/// library, and mathematical ones. Copies (memcpy) are counted: the linker replaces them. It has no
/// copies between host and GPU, as the host could compute the result, and no functions of the
/// system or of the worker.
std::string forbidden_symbol(const std::string& symbols, const std::string& lab) {
    static const std::regex allowed(
        "__tsan_(?!atomic)\\w+|__tsan_atomic8_load|__tsan_atomic32_fetch_add|__ubsan_\\w+|__"
        "sanitizer_cov_trace_pc|__cxa_\\w+|__gxx_personality_v0|"
        "_Unwind_Resume|__stack_chk_fail|mem(cpy|move|set|cmp)|strlen|strcmp|__libc_single_"
        "threaded|"
        "_Zn[wa]m|_Zd[la]Pvm?|_ZT[IV]\\w+|_ZSt9terminatev|_ZSt\\d+__throw\\w+|"
        "_ZSt\\d+_Rb_tree\\w+|_ZNK?St13runtime_error\\w+|"
        "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE15_M_replace_cold\\w+|"  // messages
        "_ZNK?\\d*6common\\w+|"
        "_ZNK?9emulation(?!8Counting)\\w+|_Z\\d+cuda(?!Memcpy|LaunchHostFunc|Host|MallocManaged|"
        "MallocHost)\\w+|"
        "(exp|exp2|log|log2|pow|sqrt|sin|cos|floor|ceil|round|trunc|rint|lrint|fma|fmin|fmax)f?|"
        "_GLOBAL_OFFSET_TABLE_|__dso_handle|__tls_get_addr|_ITM_\\w+|__gmon_start__");
    const std::regex of_the_lab(fmt::format("_ZNK?\\d*{}{}\\w+", lab.size(), lab));
    std::istringstream lines(symbols);
    for (std::string kind, name; lines >> kind >> name;) {
        name = name.substr(0, name.find('@'));
        const bool is_allowed =
            std::regex_match(name, allowed) || std::regex_match(name, of_the_lab);
        if (name.size() > 1000 || !is_allowed) return name.substr(0, 100);
    }
    return "";
}

}  // namespace grading
