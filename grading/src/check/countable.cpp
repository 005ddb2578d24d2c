// The counters are in the student's process, so code that may evade them is not counted.

#include "check/countable.hpp"

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

/// True if a directive may give lines another file's name.
bool renames_lines(const std::string& source) {
    const std::string text = spliced(source);
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool is_digraph = text.compare(at, 2, "%:") == 0;
        if (text[at] != '#' && !is_digraph) continue;
        const std::size_t next = behind_blanks_and_comments(text, at + (is_digraph ? 2 : 1));
        if (next == text.size()) return false;
        if (std::isdigit(static_cast<unsigned char>(text[next])) != 0) return true;
        if (text.compare(next, 4, "line") == 0) return true;
    }
    return false;
}

/// The lines between markers such as `# 7 "cuda_mine.cu" 2` that are of a file with this name, in
/// whatever folder.
std::string lines_of(const std::string& preprocessed, const std::string& file) {
    std::string own;
    bool is_own = false;
    std::istringstream lines(preprocessed);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("# ")) {
            const auto end = line.rfind('"');
            is_own = end != std::string::npos && line.substr(0, end).ends_with(file);
        } else if (is_own) {
            own += line + '\n';
        }
    }
    return own;
}

bool is_forbidden(const std::string& word) {
    static const std::regex forbidden(
        "(__)?(asm|attribute|gnu)(__)?|__(asm|attribute)|GCC|emulation|.*(sanitize|tsan|"
        "instrument).*|_Z.*|__(real|wrap)_.*|__builtin_(?!inf|nan|huge|expect|unreachable).*");
    return word.size() < 200 ? std::regex_match(word, forbidden) : true;
}

/// What the translator of kernels writes.
bool is_translation(std::string_view behind_emulation) {
    for (const std::string_view name :
         {"::threadIdx()", "::blockIdx()", "::blockDim()", "::gridDim()", "::dynamic_shared<",
          "::shared_variable<", "::launch([&]", "::Configuration("}) {
        if (behind_emulation.starts_with(name)) return true;
    }
    return false;
}

}  // namespace

std::string hides_accesses(const std::string& source, const std::string& preprocessed,
                           const std::string& file) {
    if (renames_lines(source)) return "#line";
    const std::string text = lines_of(preprocessed, file);
    const auto is_in_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_in_word(text[end])) ++end;
        const std::string word = text.substr(at, end - at);
        const bool translated =
            word == "emulation" && is_translation(std::string_view(text).substr(end));
        if (!word.empty() && !translated && is_forbidden(word)) return word.substr(0, 60);
        at = std::max(end, at + 1);
    }
    return "";
}

/// What the repository's kernels need, functions of the compiler's run-time library and
/// mathematical ones. Copies between host and GPU are not among them: the host could compute the
/// result. Nor is what the system or the worker offers besides.
std::string forbidden_symbol(const std::string& symbols) {
    static const std::regex allowed(
        "__tsan_\\w+|__ubsan_\\w+|__sanitizer_cov_trace_pc|__cxa_\\w+|__gxx_personality_v0|"
        "_Unwind_Resume|__wrap_mem(cpy|move|set)|memcmp|strlen|strcmp|__libc_single_threaded|"
        "_Zn[wa]m|_Zd[la]Pvm?|_ZT[IV]\\w+|_ZSt9terminatev|_ZSt\\d+__throw\\w+|"
        "_ZSt\\d+_Rb_tree\\w+|_ZNK?St13runtime_error\\w+|"
        "_ZNK?\\d*(6common|11convolution|8integral|7upscale|8equalize)\\w+|"
        "_ZNK?9emulation(?!8Counting)\\w+|_Z\\d+cuda(?!Memcpy|LaunchHostFunc|Host|MallocManaged|"
        "MallocHost)\\w+|"
        "(exp|exp2|log|log2|pow|sqrt|sin|cos|floor|ceil|round|trunc|rint|lrint|fma|fmin|fmax)f?|"
        "_GLOBAL_OFFSET_TABLE_|__dso_handle|__tls_get_addr|_ITM_\\w+|__gmon_start__");
    std::istringstream lines(symbols);
    for (std::string kind, name; lines >> kind >> name;) {
        name = name.substr(0, name.find('@'));
        if (name.size() > 1000 || !std::regex_match(name, allowed)) return name.substr(0, 100);
    }
    return "";
}

}  // namespace grading
