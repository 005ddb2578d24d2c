#include "races_report.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

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

Access access_of(const Report& report, int index, const std::string& module_source) {
    Access found;
    found.is_write = report.accesses[index].is_write;
    // The first place in the lab: an access of a view or of std::vector is where it was called.
    for (void* frame : report.accesses[index].stack) {
        if (frame == nullptr) break;
        for (const Access& place : places_of(frame)) {
            if (found.line == 0 || is_of_lab(place.file, module_source)) {
                found = {place.file, place.line, found.is_write};
            }
            if (is_of_lab(place.file, module_source)) return found;
        }
    }
    return found;
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
    const Access first = access_of(report, 0, module_source);
    const Access second = access_of(report, 1, module_source);
    const Access& written = first.is_write ? first : second;
    if (is_copied_by_directive(written)) return "";
    const std::string cause = cause_of(written);
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
