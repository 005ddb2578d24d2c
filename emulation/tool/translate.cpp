// Translates what is not C++ in a CUDA source file, so that g++ compiles it against the emulation:
// launches, variables of the GPU, the names of a thread's place, and pragmas of nvcc. All else
// stays, and every line keeps its number.
//
//     translate INPUT OUTPUT

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "source.hpp"

namespace {

class Translation {
  public:
    Translation(const std::string& name, const std::string& text) : source_(name, text) {}

    std::string translated() {
        translate_pragmas();
        translate_places();
        translate_shared();
        translate_variables(source_);
        translate_kernel_pointers();
        translate_launches();
        return source_.text();
    }

  private:
    Source source_;

    /// nvcc's pragma says how to unroll a loop, which changes no result.
    void translate_pragmas() {
        constexpr std::string_view pragma = "#pragma unroll";
        for (auto at = source_.code().find(pragma); at != std::string::npos;
             at = source_.code().find(pragma, at)) {
            source_.replace(at, source_.code().find('\n', at), "");
        }
    }

    /// threadIdx and its like, unless they are members, as cudaLaunchConfig_t has them.
    void translate_places() {
        for (const std::string_view name : {"threadIdx", "blockIdx", "blockDim", "gridDim"}) {
            const std::string function = "::emulation::" + std::string(name) + "()";
            std::size_t at = 0;
            while ((at = source_.find_name(name, at)) != std::string::npos) {
                const auto end = at + name.size();
                const bool member =
                    at > 0 && (source_.code()[at - 1] == '.' || source_.code()[at - 1] == '>');
                if (!member) source_.replace(at, end, function);
                at = member ? end : at + function.size();
            }
        }
    }

    /// `__shared__ T a[N], b;` becomes references to memory of the running block.
    void translate_shared() {
        constexpr std::string_view keyword = "__shared__";
        for (auto at = source_.find_name(keyword, 0); at != std::string::npos;
             at = source_.find_name(keyword, 0)) {
            std::size_t begin = at;
            bool is_extern = false;
            for (const std::string_view word : {"extern", "static"}) {
                const auto end = source_.before_blanks(begin);
                if (end < word.size() ||
                    source_.code().compare(end - word.size(), word.size(), word) != 0) {
                    continue;
                }
                begin = end - word.size();
                is_extern = is_extern || word == "extern";
            }
            const auto end = source_.code().find(';', at);
            if (end == std::string::npos) source_.fail(at, "__shared__ without a declaration");
            const std::string declaration =
                source_.code().substr(at + keyword.size(), end - at - 10);
            source_.replace(begin, end,
                            shared_variables(at, declaration, is_extern) +
                                newlines_of(source_.text().substr(begin, end - begin)));
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
                source_.fail(
                    at, "the emulation does not cover this form of __shared__: " + declaration);
            }
            if (!result.empty()) result += "; ";
            result += is_extern ? "auto* const " + name + " = ::emulation::dynamic_shared<" + type +
                                      ">(\"" + name + "\")"
                                : "auto& " + name + " = ::emulation::shared_variable<" + type +
                                      dimensions + ">(\"" + name + "\", [] {})";
        }
        return result;
    }

    /// The kernel of cudaLaunchCooperativeKernel((const void*)kernel, ...), without the cast that
    /// hides its parameters.
    void translate_kernel_pointers() {
        for (const std::string_view call : {"cudaLaunchCooperativeKernel", "cudaLaunchKernel"}) {
            std::size_t next = 0;
            for (auto at = source_.find_name(call, 0); at != std::string::npos;
                 at = source_.find_name(call, next)) {
                next = at + call.size();
                const auto open = source_.code().find_first_not_of(blanks, next);
                if (open == std::string::npos || source_.code()[open] != '(') continue;
                const auto first = source_.code().find_first_not_of(blanks, open + 1);
                for (const std::string_view cast :
                     {"(const void*)", "(const void *)", "(void*)", "(void *)", "(void const*)",
                      "reinterpret_cast<const void*>", "reinterpret_cast<void*>"}) {
                    if (source_.code().compare(first, cast.size(), cast) == 0) {
                        source_.replace(first, first + cast.size(), "");
                    }
                }
            }
        }
    }

    /// `kernel<<<grid, block>>>(a, b)` becomes a call of a function, with the kernel in a lambda,
    /// so that a kernel's template parameters are deduced from its arguments as always. Another
    /// lambda gives the kernel's address, if arguments and parameters have the same types.
    void translate_launches() {
        for (auto at = source_.code().find("<<<"); at != std::string::npos;
             at = source_.code().find("<<<", at)) {
            const std::size_t begin = callee_begin(at);
            const auto close = source_.code().find(">>>", at);
            const auto open = source_.code().find('(', close);
            if (close == std::string::npos || open == std::string::npos) {
                source_.fail(at, "<<< without >>>(");
            }
            const std::size_t end = source_.closing(open);
            const std::string callee = source_.text().substr(begin, at - begin);
            const std::string arguments = source_.text().substr(open + 1, end - open - 1);
            const std::string comma = trimmed(arguments).empty() ? "" : ", ";
            const std::string pointer = "static_cast<void (*)(A...)>(" + one_line(callee) + ")";
            source_.replace(
                begin, end + 1,
                "::emulation::launch([=]<class... Emulated>(Emulated... emulated_arguments) { " +
                    callee +
                    "(emulated_arguments...); }, [&]<class... A>() -> const void* { if "
                    "constexpr (requires { " +
                    pointer +
                    "; }) return reinterpret_cast<const "
                    "void*>(" +
                    pointer +
                    "); else return nullptr; }, "
                    "::emulation::Configuration(" +
                    source_.text().substr(at + 3, close - at - 3) + ")" + comma + arguments + ")");
        }
    }

    static std::string one_line(std::string text) {
        std::replace(text.begin(), text.end(), '\n', ' ');
        return text;
    }

    /// The position where the kernel's name begins, with its scope. Its template arguments end at
    /// `at`.
    std::size_t callee_begin(std::size_t at) const {
        std::size_t begin = source_.before_blanks(at);
        if (begin > 0 && source_.code()[begin - 1] == '>') {
            int depth = 0;
            do {
                --begin;
                if (source_.code()[begin] == '>') ++depth;
                if (source_.code()[begin] == '<') --depth;
            } while (depth > 0 && begin > 0);
        }
        while (begin > 0 &&
               (is_name(source_.code()[begin - 1]) || source_.code()[begin - 1] == ':'))
            --begin;
        if (begin == source_.before_blanks(at)) source_.fail(at, "<<< without a kernel before it");
        return begin;
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
        const std::string result = Translation(argv[1], text.str()).translated();
        std::filesystem::create_directories(std::filesystem::path(argv[2]).parent_path());
        std::ofstream out(argv[2]);
        out << "#line 1 \"" << argv[1] << "\"\n" << result;
        if (!out.flush()) throw std::runtime_error(std::string("cannot write ") + argv[2]);
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
