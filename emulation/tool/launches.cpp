// Launches.

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "source.hpp"

namespace {

/// A part of the source.
struct Part {
    std::size_t begin;
    std::size_t end;
};

bool is_in(char c, std::string_view set) {
    return set.find(c) != std::string_view::npos;
}

std::string one_line(const std::string& text) {
    std::string line = without_comments(text);
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
}

/// The end of the template arguments that begin at `open`; `open` if they are none: `a < b`.
std::size_t end_of_template(const std::string& code, std::size_t open, std::size_t end) {
    const std::size_t before = code.find_last_not_of(blanks, open - 1);
    if (before == std::string::npos || !is_name(code[before])) return open;
    int depth = 0;
    int angles = 0;
    for (std::size_t i = open; i < end && depth >= 0; ++i) {
        if (is_in(code[i], "([{")) ++depth;
        if (is_in(code[i], ")]}")) --depth;
        if (depth > 0) continue;
        if (code[i] == '<') ++angles;
        if (code[i] == '>' && code[i - 1] != '-' && --angles == 0) {
            const std::size_t next = code.find_first_not_of(blanks, i + 1);
            return next >= end || is_in(code[next], "({:)},>&*") ? i : open;
        }
    }
    return open;
}

/// At the commas that are in no brackets and no template arguments.
std::vector<Part> separated(const std::string& code, Part list) {
    std::vector<Part> parts{{list.begin, list.begin}};
    int depth = 0;
    for (std::size_t i = list.begin; i < list.end; ++i) {
        if (is_in(code[i], "([{")) ++depth;
        if (is_in(code[i], ")]}")) --depth;
        if (depth == 0 && code[i] == '<') i = end_of_template(code, i, list.end);
        if (depth == 0 && code[i] == ',') parts.push_back({i + 1, i + 1});
        parts.back().end = std::max(parts.back().begin, i + 1);
    }
    return parts;
}

/// Without blanks around it.
Part trimmed_part(const std::string& code, Part part) {
    while (part.begin < part.end && is_in(code[part.begin], blanks)) ++part.begin;
    while (part.begin < part.end && is_in(code[part.end - 1], blanks)) --part.end;
    return part;
}

/// No variables: 1, -2.5f, nullptr.
bool has_no_variable(const std::string& code) {
    for (std::size_t i = 0; i < code.size();) {
        std::size_t end = i;
        while (end < code.size() && is_name(code[end])) ++end;
        const std::string word = code.substr(i, end - i);
        const bool is_number = std::isdigit(static_cast<unsigned char>(code[i])) != 0;
        if (!word.empty() && !is_number && word != "nullptr" && word != "NULL" && word != "true" &&
            word != "false") {
            return false;
        }
        i = std::max(end, i + 1);
    }
    return true;
}

/// The arguments of a launch of which some are lists in braces, which have no type: what is in them
/// is computed once, as arguments of the function that calls the kernel, and becomes a list again
/// in the call.
class Lists {
  public:
    Lists(const Source& source, Part all) : source_(source) { add_separated(all); }

    std::string parameters{};  ///< of the function
    std::string arguments{};   ///< of the function, each after a comma
    std::string call{};        ///< the arguments of the kernel

  private:
    const Source& source_;
    int count_ = 0;

    void add_separated(Part all) {
        const std::vector<Part> parts = separated(source_.code(), all);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (i > 0) call += ", ";
            add(trimmed_part(source_.code(), parts[i]));
        }
    }

    void add(Part part) {
        const std::string code = source_.code().substr(part.begin, part.end - part.begin);
        if (code.starts_with('.')) {  // .name = value
            const std::size_t value = code.find_first_of("={");
            if (value != std::string::npos) {
                const std::size_t skipped = value + (code[value] == '=' ? 1 : 0);
                call += code.substr(0, skipped);
                add(trimmed_part(source_.code(), {part.begin + skipped, part.end}));
                return;
            }
        }
        if (code.starts_with('{')) {
            call += '{';
            add_separated({part.begin + 1, part.end - 1});
            call += '}';
        } else if (has_no_variable(code) || code.ends_with("...")) {
            call += one_line(source_.text().substr(part.begin, part.end - part.begin));
        } else {
            const std::string name = "emulated_" + std::to_string(count_++);
            call += name;
            parameters += (parameters.empty() ? "auto " : ", auto ") + name;
            arguments += ", " + source_.text().substr(part.begin, part.end - part.begin);
        }
    }
};

bool has_list(const std::string& code, Part all) {
    return std::ranges::any_of(separated(code, all), [&](Part part) {
        part = trimmed_part(code, part);
        return part.begin < part.end && code[part.begin] == '{';
    });
}

/// The position where the kernel's name begins, with its scope. Its template arguments end at `at`.
std::size_t callee_begin(const Source& source, std::size_t at) {
    const std::string& code = source.code();
    std::size_t begin = source.before_blanks(at);
    if (begin > 0 && code[begin - 1] == '>') {
        int depth = 0;
        int angles = 0;
        do {
            --begin;
            if (is_in(code[begin], ")]}")) ++depth;
            if (is_in(code[begin], "([{")) --depth;
            if (depth == 0 && code[begin] == '>') ++angles;
            if (depth == 0 && code[begin] == '<') --angles;
        } while ((angles > 0 || depth > 0) && begin > 0);
    }
    while (begin > 0 && (is_name(code[begin - 1]) || code[begin - 1] == ':')) --begin;
    if (begin == source.before_blanks(at)) source.fail(at, "<<< without a kernel before it");
    return begin;
}

/// The >>> that a list of arguments follows, or, if it begins in a macro, the first one.
std::size_t configuration_end(const Source& source, std::size_t at) {
    const std::string& code = source.code();
    std::size_t first = std::string::npos;
    int depth = 0;
    for (std::size_t i = at + 3; i < code.size() && depth >= 0 && code[i] != ';'; ++i) {
        if (is_in(code[i], "([{")) ++depth;
        if (is_in(code[i], ")]}")) --depth;
        if (depth > 0 || code.compare(i, 3, ">>>") != 0) continue;
        const std::size_t open = code.find_first_not_of(blanks, i + 3);
        if (open != std::string::npos && code[open] == '(') return i;
        first = std::min(first, i);
    }
    if (code.find('(', first) == std::string::npos) source.fail(at, "<<< without >>>(");
    return first;
}

/// With the kernel in a lambda, so that a kernel's template parameters are deduced from its
/// arguments as always. Another lambda gives the kernel's address, if arguments and parameters have
/// the same types.
std::string plain_launch(const std::string& callee, const std::string& configuration,
                         const std::string& arguments) {
    const std::string comma = trimmed(arguments).empty() ? "" : ", ";
    const std::string pointer = "static_cast<void (*)(A...)>(" + one_line(callee) + ")";
    return "::emulation::launch([=]<class... Emulated>(Emulated... emulated_arguments) { " +
           callee +
           "(emulated_arguments...); }, [&]<class... A>() -> const void* { if constexpr (requires "
           "{ " +
           pointer + "; }) return reinterpret_cast<const void*>(" + pointer +
           "); else return nullptr; }, " + configuration + comma + arguments + ")";
}

/// The compiler looks at the call as it is written, too (sizeof): values that a list would make
/// smaller are variables in the other call, which it would not take.
std::string launch_with_lists(const std::string& callee, const std::string& configuration,
                              const std::string& arguments, const Lists& lists) {
    const std::string lines = newlines_of(arguments);
    const std::string kept = newlines_of(lists.arguments);
    return "::emulation::launch([=](" + lists.parameters +
           ") { _Pragma(\"GCC diagnostic push\") _Pragma(\"GCC diagnostic ignored "
           "\\\"-Wnarrowing\\\"\") " +
           callee + "(" + lists.call +
           "); _Pragma(\"GCC diagnostic pop\") }, []<class... A>() -> const void* { return "
           "nullptr; }, (static_cast<void>(sizeof((" +
           one_line(callee) + "(" + one_line(arguments) + "), 0))), " + configuration + ")" +
           lists.arguments + lines.substr(kept.size()) + ")";
}

}  // namespace

void translate_launches(Source& source) {
    for (auto at = source.code().find("<<<"); at != std::string::npos;
         at = source.code().find("<<<", at)) {
        const std::size_t begin = callee_begin(source, at);
        const std::size_t close = configuration_end(source, at);
        const std::size_t open = source.code().find('(', close);
        const std::size_t end = source.closing(open);
        const auto text = [&](std::size_t from, std::size_t to) {
            return source.text().substr(from, to - from);
        };
        const std::string callee = text(begin, at);
        const std::string configuration = "::emulation::Configuration(" + text(at + 3, close) + ")";
        const std::string arguments = text(open + 1, end);
        const Part all{open + 1, end};
        source.replace(begin, end + 1,
                       has_list(source.code(), all)
                           ? launch_with_lists(callee, configuration, arguments, {source, all})
                           : plain_launch(callee, configuration, arguments));
    }
}
