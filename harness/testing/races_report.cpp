#include "races_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "races_order.hpp"
#include "races_source.hpp"

extern "C" {
// ThreadSanitizer's runtime has these.
int __tsan_get_report_data(void* report, const char** description, int* count, int* stacks,
                           int* accesses, int* locations, int* mutexes, int* threads,
                           int* unique_threads, void** sleep_trace, unsigned long trace_size);
int __tsan_get_report_mop(void* report, unsigned long index, int* thread, void** address, int* size,
                          int* is_write, int* is_atomic, void** trace, unsigned long trace_size);
void __sanitizer_symbolize_pc(void* address, const char* format, char* text, std::size_t size);
}

namespace races {
namespace {

bool is_of_lab(const std::string& file, const std::string& module_source) {
    return file == module_source || file.find("/ladder/") != std::string::npos ||
           file.find("/expert/") != std::string::npos ||
           file.find("/problem/") != std::string::npos;
}

/// The places of a frame in the source, that of the innermost inlined function first.
std::vector<Access> places_of(void* frame) {
    char text[4096] = {};
    // A frame is where a call returns to, which can be the next line.
    __sanitizer_symbolize_pc(static_cast<char*>(frame) - 1, "%s|%l", text, sizeof text - 1);
    std::vector<Access> places;
    for (const char* at = text; *at != '\0'; at += std::strlen(at) + 1) {
        const std::string where = at;
        const std::size_t bar = where.find('|');
        if (bar == std::string::npos) continue;
        places.push_back({where.substr(0, bar), std::atoi(where.c_str() + bar + 1), false});
    }
    return places;
}

/// The places in the lab, or else the innermost of all.
Chain chain_of(const Report& report, int index, const std::string& module_source) {
    Chain chain;
    Access innermost;
    const bool is_write = report.accesses[index].is_write;
    for (void* frame : report.accesses[index].stack) {
        if (frame == nullptr) break;
        for (const Access& place : places_of(frame)) {
            // An access of a view or of std::vector is where it was called.
            if (is_of_lab(place.file, module_source)) {
                chain.push_back({place.file, place.line, is_write});
            }
            if (innermost.line == 0) innermost = {place.file, place.line, is_write};
        }
    }
    if (chain.empty()) chain.push_back(innermost);
    return chain;
}

std::string shortened(const std::string& path, const std::string& module_source) {
    if (path == module_source) return path.substr(path.rfind('/') + 1);
    for (const char* folder : {"/ladder/", "/expert/", "/problem/"}) {
        const std::size_t at = path.find(folder);
        if (at != std::string::npos) return path.substr(at + 1);
    }
    return path;
}

std::string described(const Access& access, const std::string& module_source) {
    return fmt::format("{} ({}:{})", access.is_write ? "writes" : "reads",
                       shortened(access.file, module_source), access.line);
}

/// The variable and the order that is missing: one of them, where the other does not matter.
std::string joined(const std::string& variable, const std::string& order) {
    if (order.empty() || variable.empty()) return variable + order;
    const bool is_shared = variable.find("so all threads share it") != std::string::npos;
    if (!is_shared) return variable + ": " + order;
    // A shared variable is wrong in itself, unless it is an array, or the construct is for one
    // thread at a time.
    const bool is_array = variable.find("[:size]") != std::string::npos;
    const bool has_own_block = order.starts_with("`");
    const bool is_of_one = std::ranges::any_of(
        std::array{"of `single`", "`critical`", "`atomic`", "`master`", "`masked`"},
        [&](const char* one) { return order.find(one) != std::string::npos; });
    if (!is_of_one && !(is_array && has_own_block)) return variable;
    const std::size_t name = variable.find('`');
    return "both threads access " + variable.substr(name, variable.find('`', name + 1) - name + 1) +
           ": " + order;
}

}  // namespace

Report copy_of(void* report) {
    Report copy = {};
    const char* description = "";
    int stacks = 0, locations = 0, mutexes = 0, threads = 0, unique = 0;
    void* sleep[1] = {};
    __tsan_get_report_data(report, &description, &copy.count, &stacks, &copy.count, &locations,
                           &mutexes, &threads, &unique, sleep, 1);
    for (int i = 0; i < 2 && i < copy.count; ++i) {
        void* address = nullptr;
        int thread = 0, size = 0, is_write = 0, is_atomic = 0;
        __tsan_get_report_mop(report, static_cast<unsigned long>(i), &thread, &address, &size,
                              &is_write, &is_atomic, copy.accesses[i].stack, Report::depth);
        copy.accesses[i].is_write = is_write != 0;
    }
    return copy;
}

std::string text_of(const Report& report, const std::string& module_source) {
    if (report.count < 2) return "";
    const Chain chains[] = {chain_of(report, 0, module_source), chain_of(report, 1, module_source)};
    const Access& first = chains[0].front();
    const Access& second = chains[1].front();
    const Access& written = first.is_write ? first : second;
    if (is_copied_by_directive(written)) return "";
    const std::string cause = joined(cause_of(written), missing_order(chains[0], chains[1]));
    std::string text =
        fmt::format("race: one thread {}, another {}, and nothing makes one wait for the other{}{}",
                    described(first, module_source), described(second, module_source),
                    cause.empty() ? "" : "; looks like: ", cause);
    const std::vector<std::string> lines = lines_of(written.file);
    if (written.line > 0 && written.line < static_cast<int>(lines.size())) {
        text += fmt::format("\n    {}: {}", written.line,
                            lines[static_cast<std::size_t>(written.line)]);
    }
    return text;
}

}  // namespace races
