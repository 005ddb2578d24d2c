#include "races_source.hpp"

#include <fstream>
#include <regex>

namespace races {
namespace {

/// The variable that a line changes.
struct Changed {
    std::string name{};       ///< "" if it is not a plain variable or an array
    bool is_element = false;  ///< of an array
    bool adds = false;
};

/// Returns the rest of the line behind the head of a loop, or the whole line.
std::string body_of(const std::string& line) {
    const std::size_t loop = line.find("for (");
    if (loop == std::string::npos) return line;
    int depth = 0;
    for (std::size_t i = loop; i < line.size(); ++i) {
        if (line[i] == '(') ++depth;
        if (line[i] != ')' || --depth > 0) continue;
        const std::string body = line.substr(i + 1);
        return body.find_first_not_of(" {") == std::string::npos ? line : body;
    }
    return line;
}

Changed changed_by(const std::string& whole_line) {
    const std::string line = body_of(whole_line);
    static const std::regex assigned(
        R"((?:^|[^\w.>\])])(\w+)\s*(\[.*\])?\s*((?:[-+*/%|&^]|<<|>>)?)=[^=])");
    static const std::regex stepped(R"((?:\+\+|--)\s*(\w+)\s*([;),\[]))");
    static const std::regex stepped_after(R"((?:^|[^\w.>\])])(\w+)\s*(\[.*\])?\s*(?:\+\+|--))");
    std::smatch found;
    if (std::regex_search(line, found, assigned)) {
        return {found[1], found[2].length() > 0, found[3].length() > 0};
    }
    if (std::regex_search(line, found, stepped)) return {found[1], found[2] == "[", true};
    if (std::regex_search(line, found, stepped_after))
        return {found[1], found[2].length() > 0, true};
    return {};
}

/// The line of the last parallel directive at or above `line`, or 0.
int directive_above(const std::vector<std::string>& lines, int line) {
    static const std::regex directive(R"(^\s*#\s*pragma\s+omp\s.*(parallel|for))");
    for (int i = line; i > 0; --i) {
        const auto& text = lines[static_cast<std::size_t>(i)];
        if (std::regex_search(text, directive) && text.find("simd") == std::string::npos) return i;
    }
    return 0;
}

/// The line above `line` that declares `name`, or 0.
int declaration_of(const std::vector<std::string>& lines, const std::string& name, int line) {
    const std::regex declared(
        R"(^\s*(?:const\s+|static\s+)*[\w:<>]+(?:\s+|\s*[*&]\s*)(?:\w+\s*(?:=[^,;]*)?,\s*)*)" +
        name + R"(\s*(?:[;=,{\[(]|$))");
    static const std::regex statement(R"(^\s*(return|else|delete|throw)\b)");
    for (int i = line; i > 0; --i) {
        const auto& text = lines[static_cast<std::size_t>(i)];
        if (std::regex_search(text, declared) && !std::regex_search(text, statement)) return i;
    }
    return 0;
}

/// The name of a static variable that the function around `line` declares. The compiler may access
/// it in any line of the function.
std::string static_variable(const std::vector<std::string>& lines, int line) {
    static const std::regex declared(R"(^\s+static\s+(?!const)[\w:<>]+\s+(\w+)\s*[;=\[({])");
    for (int i = line; i > 0; --i) {
        const std::string& text = lines[static_cast<std::size_t>(i)];
        std::smatch found;
        if (std::regex_search(text, found, declared)) {
            return "`" + found[1].str() + "` is static (line " + std::to_string(i) +
                   "), so all threads share it: declare it without static";
        }
        if (!text.empty() && text[0] == '}') break;  // the end of the function before
    }
    return "";
}

/// The index of a loop inside the parallel one that is declared outside the region, or "". OpenMP
/// makes private only the indices of the loops that the directive distributes.
std::string shared_index(const std::vector<std::string>& lines, int line) {
    static const std::regex loop(R"(\bfor \((\w+) = )");
    std::smatch found;
    if (!std::regex_search(lines[static_cast<std::size_t>(line)], found, loop)) return "";
    const int directive = directive_above(lines, line);
    const int declaration = declaration_of(lines, found[1], line);
    if (directive == 0 || declaration == 0 || declaration > directive) return "";
    int distributed = directive;
    while (lines[static_cast<std::size_t>(distributed)].ends_with('\\')) ++distributed;
    const bool collapses =
        lines[static_cast<std::size_t>(directive)].find("collapse") != std::string::npos;
    return collapses || line == distributed + 1 ? "" : found[1].str();
}

}  // namespace

std::vector<std::string> lines_of(const std::string& path) {
    std::vector<std::string> lines{""};  // lines count from 1
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

bool is_copied_by_directive(const Access& access) {
    const std::vector<std::string> lines = lines_of(access.file);
    static const std::regex directive(R"(^\s*#\s*pragma\s+omp\s.*\b(parallel|task|taskloop)\b)");
    return access.line > 0 && access.line < static_cast<int>(lines.size()) &&
           std::regex_search(lines[static_cast<std::size_t>(access.line)], directive);
}

std::string cause_of(const Access& written) {
    const std::vector<std::string> lines = lines_of(written.file);
    if (written.line <= 0 || written.line >= static_cast<int>(lines.size())) return "";
    const std::string static_one = static_variable(lines, written.line);
    if (!static_one.empty()) return static_one;
    const std::string index = shared_index(lines, written.line);
    const auto [name, is_element, adds] =
        index.empty() ? changed_by(lines[static_cast<std::size_t>(written.line)])
                      : Changed{.name = index};
    if (name.empty()) return "";
    const std::string both = "both threads access `" + name + "`";
    const int declaration = declaration_of(lines, name, written.line);
    if (declaration == 0) return both;
    if (declaration == written.line) return "";  // a loop's own variable
    const std::string in_line =
        " (line " + std::to_string(declaration) + "), so all threads share it: ";
    const int directive = directive_above(lines, written.line);
    if (directive == 0) return both;
    if (declaration > directive) return is_element ? both : "";  // a thread's own
    const std::string outside = "`" + name + "` is declared outside the parallel region" + in_line;
    if (is_element) {
        return outside + "give each thread one of its own, or reduction(+ : " + name + "[:size])";
    }
    return outside + "declare it inside, or make it private(" + name + ")" +
           (adds ? "; for a total of all threads, reduction(+ : " + name + ")" : "");
}

}  // namespace races
