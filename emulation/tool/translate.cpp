// Translates what is not C++ in a CUDA source file, so that g++ compiles it against the emulation:
// launches, variables in shared memory, the names of a thread's place, and pragmas of nvcc. All
// else stays, and every line keeps its number.
//
//     translate INPUT OUTPUT

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::string_view blanks = " \t\n";

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

/// The text with comments and literals replaced by blanks of the same length, to search in.
std::string code_only(const std::string& text) {
    std::string code = text;
    const auto blank = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end && i < code.size(); ++i) {
            if (code[i] != '\n') code[i] = ' ';
        }
        return end;
    };
    std::size_t i = 0;
    while (i < text.size()) {
        const char c = text[i];
        const bool quote_in_number = c == '\'' && i > 0 && is_name(text[i - 1]);
        if (text.compare(i, 2, "//") == 0) {
            i = blank(i, text.find('\n', i));
        } else if (text.compare(i, 2, "/*") == 0) {
            i = blank(i, text.find("*/", i + 2) + 2);
        } else if ((c == '"' || c == '\'') && !quote_in_number) {
            std::size_t end = i + 1;
            while (end < text.size() && text[end] != c) end += text[end] == '\\' ? 2 : 1;
            i = blank(i + 1, end) + 1;
        } else {
            ++i;
        }
    }
    return code;
}

/// A source file under translation: the text, and the same without comments.
class Source {
  public:
    Source(std::string name, std::string text)
        : name_(std::move(name)), text_(std::move(text)), code_(code_only(text_)) {}

    std::string translated() {
        translate_pragmas();
        translate_places();
        translate_shared();
        translate_launches();
        return text_;
    }

  private:
    std::string name_;
    std::string text_;
    std::string code_;

    [[noreturn]] void fail(std::size_t at, const std::string& what) const {
        const std::string line = std::to_string(newlines_of(text_.substr(0, at)).size() + 1);
        throw std::runtime_error(name_ + ":" + line + ": error: " + what);
    }

    void replace(std::size_t begin, std::size_t end, const std::string& by) {
        text_.replace(begin, end - begin, by);
        code_ = code_only(text_);
    }

    /// The next place of a name, as a whole word.
    std::size_t find_name(std::string_view name, std::size_t from) const {
        for (auto at = code_.find(name, from); at != std::string::npos;
             at = code_.find(name, at + 1)) {
            const auto end = at + name.size();
            const bool begins = at == 0 || !is_name(code_[at - 1]);
            if (begins && (end == code_.size() || !is_name(code_[end]))) return at;
        }
        return std::string::npos;
    }

    std::size_t before_blanks(std::size_t at) const {
        while (at > 0 && blanks.find(code_[at - 1]) != std::string_view::npos) --at;
        return at;
    }

    /// nvcc's pragma says how to unroll a loop, which changes no result.
    void translate_pragmas() {
        constexpr std::string_view pragma = "#pragma unroll";
        for (auto at = code_.find(pragma); at != std::string::npos; at = code_.find(pragma, at)) {
            replace(at, code_.find('\n', at), "");
        }
    }

    /// threadIdx and its like, unless they are members, as cudaLaunchConfig_t has them.
    void translate_places() {
        for (const std::string_view name : {"threadIdx", "blockIdx", "blockDim", "gridDim"}) {
            const std::string function = "::emulation::" + std::string(name) + "()";
            std::size_t at = 0;
            while ((at = find_name(name, at)) != std::string::npos) {
                const auto end = at + name.size();
                const bool member = at > 0 && (code_[at - 1] == '.' || code_[at - 1] == '>');
                if (!member) replace(at, end, function);
                at = member ? end : at + function.size();
            }
        }
    }

    /// `__shared__ T a[N], b;` becomes references to memory of the running block.
    void translate_shared() {
        constexpr std::string_view keyword = "__shared__";
        for (auto at = find_name(keyword, 0); at != std::string::npos; at = find_name(keyword, 0)) {
            std::size_t begin = at;
            bool is_extern = false;
            for (const std::string_view word : {"extern", "static"}) {
                const auto end = before_blanks(begin);
                if (end < word.size() || code_.compare(end - word.size(), word.size(), word) != 0) {
                    continue;
                }
                begin = end - word.size();
                is_extern = is_extern || word == "extern";
            }
            const auto end = code_.find(';', at);
            if (end == std::string::npos) fail(at, "__shared__ without a declaration");
            const std::string declaration = code_.substr(at + keyword.size(), end - at - 10);
            replace(begin, end,
                    shared_variables(at, declaration, is_extern) +
                        newlines_of(text_.substr(begin, end - begin)));
        }
    }

    std::string shared_variables(std::size_t at, const std::string& declaration,
                                 bool is_extern) const {
        std::string type;
        std::string result;
        for (const std::string& part : split(without_alignment(declaration))) {
            const auto bracket = part.find('[');
            const std::string dimensions = bracket == std::string::npos ? "" : part.substr(bracket);
            const std::string head = trimmed(part.substr(0, bracket));
            std::size_t name_begin = head.size();
            while (name_begin > 0 && is_name(head[name_begin - 1])) --name_begin;
            const std::string name = head.substr(name_begin);
            if (type.empty()) type = trimmed(head.substr(0, name_begin));
            if (type.empty() || name.empty()) {
                fail(at, "the emulation does not cover this form of __shared__: " + declaration);
            }
            if (!result.empty()) result += "; ";
            result += is_extern ? "auto* const " + name + " = ::emulation::dynamic_shared<" + type +
                                      ">(\"" + name + "\")"
                                : "auto& " + name + " = ::emulation::shared_variable<" + type +
                                      dimensions + ">(\"" + name + "\", [] {})";
        }
        return result;
    }

    /// Memory of a block is aligned for every type.
    static std::string without_alignment(std::string text) {
        for (const std::string_view word : {"alignas", "__align__"}) {
            const auto at = text.find(word);
            if (at != std::string::npos) text.erase(at, text.find(')', at) - at + 1);
        }
        return text;
    }

    /// At the commas that are in no brackets.
    static std::vector<std::string> split(const std::string& text) {
        std::vector<std::string> parts(1);
        int depth = 0;
        for (const char c : text) {
            if (std::string_view("(<[{").find(c) != std::string_view::npos) ++depth;
            if (std::string_view(")>]}").find(c) != std::string_view::npos) --depth;
            if (c == ',' && depth == 0) {
                parts.emplace_back();
            } else {
                parts.back() += c;
            }
        }
        return parts;
    }

    /// `kernel<<<grid, block>>>(a, b)` becomes a call of a function, with the kernel in a lambda,
    /// so that a kernel's template parameters are deduced from its arguments as always. Another
    /// lambda gives the kernel's address, if arguments and parameters have the same types.
    void translate_launches() {
        for (auto at = code_.find("<<<"); at != std::string::npos; at = code_.find("<<<", at)) {
            const std::size_t begin = callee_begin(at);
            const auto close = code_.find(">>>", at);
            const auto open = code_.find('(', close);
            if (close == std::string::npos || open == std::string::npos) {
                fail(at, "<<< without >>>(");
            }
            const std::size_t end = closing(open);
            const std::string callee = text_.substr(begin, at - begin);
            const std::string arguments = text_.substr(open + 1, end - open - 1);
            const std::string comma = trimmed(arguments).empty() ? "" : ", ";
            const std::string pointer = "static_cast<void (*)(A...)>(" + one_line(callee) + ")";
            replace(begin, end + 1,
                    "::emulation::launch([=](const auto&... emulated_arguments) { " + callee +
                        "(emulated_arguments...); }, [&]<class... A>() -> const void* { if "
                        "constexpr (requires { " +
                        pointer +
                        "; }) return reinterpret_cast<const "
                        "void*>(" +
                        pointer +
                        "); else return nullptr; }, "
                        "::emulation::Configuration(" +
                        text_.substr(at + 3, close - at - 3) + ")" + comma + arguments + ")");
        }
    }

    static std::string one_line(std::string text) {
        std::replace(text.begin(), text.end(), '\n', ' ');
        return text;
    }

    /// The position where the kernel's name begins, with its scope. Its template arguments end at
    /// `at`.
    std::size_t callee_begin(std::size_t at) const {
        std::size_t begin = before_blanks(at);
        if (begin > 0 && code_[begin - 1] == '>') {
            int depth = 0;
            do {
                --begin;
                if (code_[begin] == '>') ++depth;
                if (code_[begin] == '<') --depth;
            } while (depth > 0 && begin > 0);
        }
        while (begin > 0 && (is_name(code_[begin - 1]) || code_[begin - 1] == ':')) --begin;
        if (begin == before_blanks(at)) fail(at, "<<< without a kernel before it");
        return begin;
    }

    std::size_t closing(std::size_t open) const {
        int depth = 0;
        for (std::size_t i = open; i < code_.size(); ++i) {
            if (code_[i] == '(') ++depth;
            if (code_[i] == ')' && --depth == 0) return i;
        }
        fail(open, "( without )");
    }
};

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc != 3) throw std::runtime_error("usage: translate INPUT OUTPUT");
        std::ifstream in(argv[1]);
        std::stringstream text;
        text << in.rdbuf();
        if (!in) throw std::runtime_error(std::string("cannot read ") + argv[1]);
        const std::string result = Source(argv[1], text.str()).translated();
        std::filesystem::create_directories(std::filesystem::path(argv[2]).parent_path());
        std::ofstream out(argv[2]);
        out << "#line 1 \"" << argv[1] << "\"\n" << result;
        if (!out.flush()) throw std::runtime_error(std::string("cannot write ") + argv[2]);
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
