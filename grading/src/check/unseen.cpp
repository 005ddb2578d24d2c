// Which accesses to memory the compiler's instrumentation does not see. A call of the dump looks as
//
//     [mine.cu:45:27] gimple_call <tap_51, _63, [mine.cu:45:27] *_20, _75>
//
// with the function, the result and the arguments; a function or a variable that is not on a stack
// has its symbol as its name. In GCC, a scalar in memory is never an operand of a call.

#include "check/unseen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

namespace grading {
namespace {

using Names = std::set<std::string, std::less<>>;

bool is_one_of(char c, std::string_view characters) {
    return characters.find(c) != std::string_view::npos;
}

bool is_number(std::string_view text) {
    return !text.empty() &&
           std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// The variables that are not on a stack, without constants.
Names variables_of(const std::string& defined) {
    Names names;
    std::istringstream lines(defined);
    for (std::string address, kind, symbol; lines >> address >> kind >> symbol;) {
        if (is_one_of(kind[0], "BbDdGgSsuVvC")) names.insert(symbol);
    }
    return names;
}

/// A place such as "[mine.cu:45:27] " or "[mine.cu:45:27 discrim 2] ", which the dump has before
/// statements and operands.
struct Place {
    std::string_view file{};
    std::string_view line{};
    std::size_t size = 0;  ///< of its text; 0: there is none
};

Place place_at(std::string_view text) {
    const auto end = text.starts_with('[') ? text.find("] ") : std::string_view::npos;
    if (end == std::string_view::npos) return {};
    std::string_view inside = text.substr(1, end - 1);
    inside = inside.substr(0, inside.find(" discrim "));
    const auto column = inside.rfind(':');
    if (column == std::string_view::npos || !is_number(inside.substr(column + 1))) return {};
    inside = inside.substr(0, column);
    const auto line = inside.rfind(':');
    if (line == std::string_view::npos || !is_number(inside.substr(line + 1))) return {};
    return {inside.substr(0, line), inside.substr(line + 1), end + 2};
}

/// The place behind the string that begins at `at`.
std::size_t behind_string(std::string_view text, std::size_t at) {
    for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\') ++at;
    }
    return std::min(at + 1, text.size());
}

/// The parts of "tap_51, _63, [mine.cu:45:27] *_20>", without places.
std::vector<std::string> parts_of(std::string_view call) {
    call = call.substr(0, call.rfind('>'));
    std::vector<std::string> parts(1);
    int depth = 0;
    for (std::size_t at = 0; at < call.size();) {
        std::size_t end = at + 1;
        if (const Place place = place_at(call.substr(at)); place.size > 0) {
            at += place.size;
            continue;
        }
        if (call[at] == '"') end = behind_string(call, at);
        if (is_one_of(call[at], "([{")) ++depth;
        if (is_one_of(call[at], ")]}")) --depth;
        if (depth == 0 && call.substr(at, 2) == ", ") {
            parts.emplace_back();
            ++end;
        } else {
            parts.back() += call.substr(at, end - at);
        }
        at = end;
    }
    return parts;
}

/// The type and the address in MEM[(const struct View &)_4 + 8B] or in
/// MEM <char[3]> [(char *)&local].
struct Referenced {
    std::string_view type{};
    std::string_view address{};
};

Referenced referenced_by(std::string_view operand) {
    const std::size_t open = operand.find("[(", operand.find("MEM"));
    int depth = 0;
    for (std::size_t at = open; at < operand.size(); ++at) {
        if (operand[at] == '(') ++depth;
        if (operand[at] == ')' && --depth == 0) {
            return {operand.substr(open + 2, at - open - 2), operand.substr(at + 1)};
        }
    }
    return {};
}

bool has_name_of(std::string_view operand, const Names& variables) {
    const auto is_in_name = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || is_one_of(c, "_$.");
    };
    for (std::size_t at = 0; at < operand.size(); ++at) {
        const std::size_t begin = at;
        while (at < operand.size() && is_in_name(operand[at])) ++at;
        const std::string_view word = operand.substr(begin, at - begin);
        for (std::size_t end = word.size(); end != std::string_view::npos && end > 0;
             end = word.rfind('.', end - 1)) {  // a variable, or a field of it
            if (variables.contains(word.substr(0, end))) return true;
        }
    }
    return false;
}

/// True if an operand of a call is memory that is not on the function's stack.
bool is_memory(std::string_view operand, const Names& variables) {
    if (operand.empty() || is_one_of(operand[0], "\"&{")) return false;
    if (operand.find("MEM") != std::string_view::npos) {
        operand = referenced_by(operand).address;
        if (!operand.starts_with('&')) return true;
    }
    return operand.starts_with('*') || operand.find("(*") != std::string_view::npos ||
           operand.find("<*") != std::string_view::npos ||
           operand.find("->") != std::string_view::npos || has_name_of(operand, variables);
}

/// True for *_11(D): where a class with constructors is returned, of which the called function gets
/// the address. What that does there is seen.
bool is_place_of_result(std::string_view result) {
    return result.starts_with("*_") && result.ends_with("(D)") &&
           is_number(result.substr(2, result.size() - 5));
}

/// True for a built-in function that the compiler may replace by loads and stores of its own.
bool is_built_in_access(const std::vector<std::string>& call, const Place& place, Looking looking) {
    const std::string& name = call[0];
    if (name.starts_with('.')) {
        return std::ranges::any_of(
            std::initializer_list<const char*>{"LOAD", "STORE", "GATHER", "SCATTER"},
            [&](const char* access) { return name.find(access) != std::string::npos; });
    }
    if (name.starts_with("__builtin_ia32_")) return looking == Looking::emulation;
    // memmove is always a call, which is counted.
    static const Names copies{"memcpy", "memset", "memcmp", "bcmp", "__builtin_memcmp_eq"};
    // -fno-builtin-memcpy: outside of the standard library, these are functions. Strings are of the
    // host.
    const bool is_function = (!place.file.starts_with("/usr/") &&
                              place.file.find("/include/c++/") == std::string_view::npos) ||
                             place.file.ends_with("/bits/char_traits.h");
    if (!copies.contains(name) || is_function || call.size() < 5 || !is_number(call.back())) {
        return false;
    }
    return !call[2].starts_with('&') || (name != "memset" && !call[3].starts_with('&'));
}

/// A launch of a kernel, which only the host does.
bool is_launch(std::string_view function) {
    return function.starts_with("_ZN9emulation8run_grid") ||
           function.starts_with("_ZN9emulation6launch") ||
           function.starts_with("_ZN9emulation11launch_") ||
           function.starts_with("_ZN9emulation15launch_");
}

/// The function that a launch calls for each thread of the grid.
bool is_thread(std::string_view function) {
    return function.starts_with("_ZZN9emulation11launch_call");
}

class Reader {
  public:
    Reader(const std::string& defined, const std::string& file, Looking looking)
        : variables_(variables_of(defined)), file_(file), looking_(looking) {}

    void read(std::string_view line) {
        if (line.starts_with(";; Function ")) {
            const auto end = line.rfind(", funcdef_no=");
            const auto begin = line.rfind('(', end) + 1;
            function_ = line.substr(begin, std::min(end, line.size()) - begin);
            own_line_.clear();
            return;
        }
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        const Place place = place_at(line);
        if (place.size > 0 && place.file.ends_with(file_)) own_line_ = place.line;
        line.remove_prefix(place.size);
        if (line.ends_with("(D);") && line.find(" & _") != std::string_view::npos) {
            constructors_.insert(function_);
        }
        constexpr std::string_view call = "gimple_call <";
        if (line.starts_with(call)) {
            has_calls_ = true;
            add(parts_of(line.substr(call.size())), place);
        }
        const bool is_assembly = looking_ == Looking::emulation && line.starts_with("gimple_asm");
        if (is_assembly) found("", "has assembly", place, false);
    }

    /// The host may pass structs to functions: views and options of a launch. A function is of the
    /// host if it launches a kernel, directly or not, and if no kernel calls it.
    std::string first() const {
        if (!has_calls_) return "the compiler does not show its calls";  // __tsan_init is one
        Names host;
        Names device;
        const auto launches = [&](const std::string& name) {
            return is_launch(name) || host.contains(name);
        };
        for (bool grows = true; grows;) {
            grows = false;
            for (const auto& [function, called] : calls_) {
                if (std::ranges::any_of(called, launches)) grows |= host.insert(function).second;
                if (!is_thread(function) && !device.contains(function)) continue;
                for (const std::string& name : called) grows |= device.insert(name).second;
            }
        }
        for (const Found& access : found_) {
            if (!access.is_argument && constructors_.contains(access.called)) continue;
            const bool is_of_host =
                host.contains(access.function) && !device.contains(access.function);
            if (!access.is_argument || !is_of_host) return access.text;
        }
        return "";
    }

  private:
    struct Found {
        std::string function;
        std::string called;
        std::string text;
        bool is_argument;
    };

    Names variables_;
    std::string_view file_;
    Looking looking_;
    std::string function_{};
    std::string own_line_{};
    bool has_calls_ = false;
    std::map<std::string, Names> calls_{};
    Names constructors_{};  ///< get the address of their result, of a class with constructors
    std::vector<Found> found_{};

    void found(const std::string& called, const std::string& what, const Place& place,
               bool is_argument) {
        const std::string where =
            !own_line_.empty() ? fmt::format("{}:{}", file_, own_line_)
            : place.size > 0
                ? fmt::format("{}:{}", place.file.substr(place.file.rfind('/') + 1), place.line)
                : std::string(file_);
        found_.push_back({function_, called, fmt::format("{} {}", where, what), is_argument});
    }

    void add(const std::vector<std::string>& call, const Place& place) {
        if (looking_ == Looking::emulation) calls_[function_].insert(call[0]);
        if (is_built_in_access(call, place, looking_)) {
            found("", fmt::format("fills, copies or compares memory by '{}'", call[0]), place,
                  false);
        }
        for (std::size_t i = 1; i < call.size(); ++i) {
            if ((i == 1 && is_place_of_result(call[i])) || !is_memory(call[i], variables_))
                continue;
            if (i > 1 && is_parameter(call[i], place)) continue;
            found(call[0],
                  i == 1 ? "stores the struct that a function returns by value"
                         : "passes a struct in memory by value",
                  place, i > 1);
        }
    }

    /// The arguments of a kernel's launch; for ThreadSanitizer, the views that threads share, which
    /// no thread changes.
    bool is_parameter(std::string_view argument, const Place& place) const {
        if (looking_ == Looking::emulation) return place.file.ends_with("/emulation/launch.hpp");
        return referenced_by(argument).type.find("struct View ") != std::string_view::npos;
    }
};

}  // namespace

std::string unseen_access(const std::string& dump, const std::string& defined,
                          const std::string& file, Looking looking) {
    Reader reader(defined, file, looking);
    std::istringstream lines(dump);
    for (std::string line; std::getline(lines, line);) reader.read(line);
    return reader.first();
}

}  // namespace grading
