#include "races_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

namespace races {
namespace {

using Lines = std::vector<std::string>;

const std::string& line_at(const Lines& lines, int number) {
    return lines[static_cast<std::size_t>(number)];
}

bool is_directive(const std::string& line) {
    const std::size_t first = line.find_first_not_of(' ');
    return first != std::string::npos && line[first] == '#';
}

/// The line in which the statement ends that begins in line `first`.
int end_of_statement(const Lines& lines, int first) {
    int depth = 0;
    int blocks = 0;
    for (int number = first; number < static_cast<int>(lines.size()); ++number) {
        const std::string& line = line_at(lines, number);
        if (is_directive(line)) continue;
        for (const char c : line.substr(0, line.find("//"))) {
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            blocks += c == '{' ? 1 : c == '}' ? -1 : 0;
            const bool is_over = (c == ';' || c == '}') && depth == 0 && blocks == 0;
            if (is_over) return number;
        }
    }
    return 0;
}

/// A directive with its lines joined, and the statement that it is for.
struct Construct {
    int line = 0;
    std::string text{};  ///< what follows `omp`
    int first = 0;
    int last = 0;

    bool is(const char* directive) const {
        return std::regex_search(text, std::regex("^" + std::string(directive) + R"(\b)"));
    }
    bool has(const char* clause) const {
        return std::regex_search(text, std::regex(R"(\b)" + std::string(clause) + R"(\b)"));
    }
    std::string name() const { return text.substr(0, text.find_first_of(" (")); }
};

std::vector<Construct> constructs_of(const Lines& lines) {
    static const std::regex directive(R"(^\s*#\s*pragma\s+omp\s+(.*))");
    std::vector<Construct> all;
    for (int number = 1; number < static_cast<int>(lines.size()); ++number) {
        std::smatch found;
        if (!std::regex_search(line_at(lines, number), found, directive)) continue;
        Construct one{.line = number, .text = found[1]};
        while (one.text.ends_with('\\') && number + 1 < static_cast<int>(lines.size())) {
            one.text.back() = ' ';
            one.text += line_at(lines, ++number);
        }
        one.first = number + 1;
        one.last = end_of_statement(lines, one.first);
        all.push_back(one);
    }
    return all;
}

bool is_alone(const Construct& one) {  // no statement belongs to it
    return one.is("barrier") || one.is("taskwait") || one.is("flush") ||
           one.is("ordered +depend") || one.is("declare") || one.is("simd");
}

/// An access as its thread came to it: the line in the function with the parallel region.
struct Position {
    int line = 0;
    const Construct* region = nullptr;  ///< the parallel construct
    const Construct* inner = nullptr;  ///< the innermost other construct; null: every thread's code
};

/// The innermost of the constructs around a line that `is_wanted`.
template <class Condition>
const Construct* around(const std::vector<Construct>& all, int line, Condition is_wanted) {
    const Construct* found = nullptr;
    for (const Construct& one : all) {
        const bool is_inside = line >= one.line && line <= one.last && !is_alone(one);
        if (is_inside && is_wanted(one)) found = &one;
    }
    return found;
}

Position position_of(const std::vector<Construct>& all, const Chain& chain,
                     const std::string& file) {
    for (const Access& place : chain) {
        if (place.file != file) continue;
        const auto* region =
            around(all, place.line, [](const Construct& one) { return one.has("parallel"); });
        if (region == nullptr) continue;
        const auto* inner = around(all, place.line, [region](const Construct& one) {
            return one.line > region->line && !one.has("parallel");
        });
        if (inner == nullptr && region->has("for")) inner = region;
        return {place.line, region, inner};
    }
    return {};
}

std::string in_line(const Construct& one) {
    return fmt::format("`{}` (line {})", one.name(), one.line);
}

/// The variable of the loop in a line, or "".
std::string variable_of_loop(const std::string& line) {
    std::smatch found;
    static const std::regex loop(R"(\bfor \([\w:<>]+ (\w+) =)");
    return std::regex_search(line, found, loop) ? found[1].str() : "";
}

/// The mistake in the `depend` clauses of one loop with `ordered(n)`; "" if there is none.
std::string wrong_depend(const Lines& lines, const std::vector<Construct>& all, const Position& one,
                         const Position& other) {
    const Construct& loop = *one.inner;
    if (!loop.has("ordered")) return "";
    const std::string variable = variable_of_loop(line_at(lines, loop.first));
    std::string unchanged;
    bool has_other = false;
    for (const Construct& depend : all) {
        const bool is_inside = depend.line > loop.line && depend.line <= loop.last;
        if (!is_inside || !depend.is("ordered +depend")) continue;
        if (depend.has("source") && depend.line < std::max(one.line, other.line)) {
            return fmt::format(
                "`depend(source)` (line {}) comes before line {}: who waits for it "
                "does not wait for that line",
                depend.line, std::max(one.line, other.line));
        }
        if (!depend.has("sink")) continue;
        if (depend.line > std::min(one.line, other.line)) {
            return fmt::format("`depend(sink)` (line {}) comes after line {}: it waits too late",
                               depend.line, std::min(one.line, other.line));
        }
        static const std::regex vector(R"(sink *: *(\w+) *([,)+-]))");
        std::smatch found;
        const bool is_same = std::regex_search(depend.text, found, vector) &&
                             found[1] == variable && (found[2] == "," || found[2] == ")");
        has_other = has_other || !is_same;
        unchanged = fmt::format(
            "{} (line {}) waits for iterations of the same `{}` only, which one thread executes in "
            "order: an iteration of another `{}` is not waited for ({} - 1?)",
            depend.text.substr(depend.text.find("depend")), depend.line, variable, variable,
            variable);
    }
    if (has_other) return "";
    return unchanged.empty() ? "no depend(sink: ...) makes an iteration wait for another one"
                             : unchanged;
}

/// The block around one of two accesses that does not exclude the other access; "" if none does.
std::string without_block(const Position& one, const Position& other) {
    for (const auto& [inside, outside] : {std::pair{one, other}, {other, one}}) {
        const bool is_block =
            inside.inner != nullptr && (inside.inner->is("critical") || inside.inner->is("atomic"));
        if (!is_block || inside.inner == outside.inner) continue;
        const bool both =
            outside.inner != nullptr && outside.inner->is(inside.inner->name().c_str());
        if (both)
            return fmt::format("{} and {} have different names, and do not exclude each other",
                               in_line(*inside.inner), in_line(*outside.inner));
        return fmt::format("{} protects its own statement only: line {} is not in it",
                           in_line(*inside.inner), outside.line);
    }
    return "";
}

/// Why what follows a construct does not wait for it.
std::string no_barrier_after(const Position& before, const Position& after) {
    const std::string later = fmt::format("line {} does not wait for it", after.line);
    if (before.inner == nullptr) {
        return fmt::format("no barrier between line {}, which every thread executes, and line {}",
                           before.line, after.line);
    }
    const Construct& one = *before.inner;
    if (one.is("master") || one.is("masked")) {
        return fmt::format("{} has no barrier at its end (`single` has one): {}", in_line(one),
                           later);
    }
    if (one.has("nowait")) {
        return fmt::format("`nowait` removes the barrier at the end of {}: {}", in_line(one),
                           later);
    }
    if (one.is("task") || one.is("taskloop")) {
        return fmt::format("no `taskwait` after {}: {}", in_line(one), later);
    }
    if (one.is("section") && after.inner != nullptr && after.inner->is("section")) {
        return fmt::format("{} and {} run at the same time", in_line(one), in_line(*after.inner));
    }
    return "";
}

}  // namespace

std::string missing_order(const Chain& one, const Chain& other) {
    if (one.empty() || other.empty()) return "";
    // The region is in the file of the outermost line of either stack.
    const std::string& file = one.back().file;
    const Lines lines = lines_of(file);
    const std::vector<Construct> all = constructs_of(lines);
    Position first = position_of(all, one, file);
    Position second = position_of(all, other, file);
    if (first.region == nullptr || first.region != second.region) return "";
    const std::string block = without_block(first, second);
    if (!block.empty()) return block;
    if (first.inner == second.inner && first.inner != nullptr) {
        return wrong_depend(lines, all, first, second);
    }
    if (first.inner == nullptr && second.inner == nullptr && first.line == second.line) {
        return fmt::format(
            "every thread executes line {}, which no `for` and no `single` is around", first.line);
    }
    if (first.line > second.line) std::swap(first, second);
    const bool has_barrier = std::any_of(all.begin(), all.end(), [&](const Construct& between) {
        return (between.is("barrier") || between.is("taskwait")) && between.line > first.line &&
               between.line < second.line;
    });
    return has_barrier ? "" : no_barrier_after(first, second);
}

}  // namespace races
