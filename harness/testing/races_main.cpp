// Runs an OpenMP variant that was compiled with ThreadSanitizer, once, and reports its first data
// race with both lines, the variable and the cause.
//
//     LAB-VARIANT-races VARIANT [MODULE SOURCE]
//
// Exit code 0: no race; 1: a race; 77: no such variant. MODULE is a shared object with the variant,
// compiled from SOURCE; otherwise the variant is in the program.
//
// ThreadSanitizer does not see how libgomp's threads wait for each other, so it would report
// everything that one thread writes and another reads after a barrier. The functions of libgomp
// that synchronise are replaced here by ones that tell ThreadSanitizer, and then call libgomp's.
// This file itself is compiled without ThreadSanitizer.

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "tests/races.hpp"

extern "C" {
// Of ThreadSanitizer's runtime.
void __tsan_acquire(void* address);
void __tsan_release(void* address);
int __tsan_get_report_data(void* report, const char** description, int* count, int* stacks,
                           int* accesses, int* locations, int* mutexes, int* threads,
                           int* unique_threads, void** sleep_trace, unsigned long trace_size);
int __tsan_get_report_mop(void* report, unsigned long index, int* thread, void** address, int* size,
                          int* is_write, int* is_atomic, void** trace, unsigned long trace_size);
void __sanitizer_symbolize_pc(void* address, const char* format, char* text, std::size_t size);
}

namespace races {
namespace {

std::atomic<int> parallel_regions = 0;
std::atomic<bool> reported = false;
const char* running_variant = "";
std::string source_of_module;

struct Access {
    std::string file{};
    int line = 0;
    bool is_write = false;
};

bool is_of_lab(const std::string& file) {
    return file == source_of_module || file.find("/ladder/") != std::string::npos ||
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

Access access_of(void* report, unsigned long index) {
    constexpr unsigned long depth = 16;
    void* trace[depth] = {};
    void* address = nullptr;
    int thread = 0, size = 0, is_write = 0, is_atomic = 0;
    __tsan_get_report_mop(report, index, &thread, &address, &size, &is_write, &is_atomic, trace,
                          depth);
    Access found;
    found.is_write = is_write != 0;
    // The first place in the lab: an access of a view or of std::vector is where it was called.
    for (void* frame : trace) {
        if (frame == nullptr) break;
        for (const Access& place : places_of(frame)) {
            if (found.line == 0 || is_of_lab(place.file)) {
                found = {place.file, place.line, found.is_write};
            }
            if (is_of_lab(place.file)) return found;
        }
    }
    return found;
}

std::vector<std::string> lines_of(const std::string& path) {
    std::vector<std::string> lines{""};  // lines count from 1
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

/// The variable that a line changes.
struct Changed {
    std::string name{};       ///< "" if it is not a plain variable or an array
    bool is_element = false;  ///< of an array
    bool adds = false;
};

/// What follows the head of a loop in its line, or the line.
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

/// A static variable of the function of a line, which the compiler may access in any line of it.
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

std::string cause_of(const Access& access) {
    const std::vector<std::string> lines = lines_of(access.file);
    if (access.line <= 0 || access.line >= static_cast<int>(lines.size())) return "";
    const std::string static_one = static_variable(lines, access.line);
    if (!static_one.empty()) return static_one;
    const std::string index = shared_index(lines, access.line);
    const auto [name, is_element, adds] =
        index.empty() ? changed_by(lines[static_cast<std::size_t>(access.line)])
                      : Changed{.name = index};
    if (name.empty()) return "";
    const std::string both = "both threads access `" + name + "`";
    const int declaration = declaration_of(lines, name, access.line);
    if (declaration == 0) return both;
    if (declaration == access.line) return "";  // a loop's own variable
    const std::string in_line =
        " (line " + std::to_string(declaration) + "), so all threads share it: ";
    const int directive = directive_above(lines, access.line);
    if (directive == 0) return both;
    if (declaration > directive) return is_element ? both : "";  // a thread's own
    const std::string outside = "`" + name + "` is declared outside the parallel region" + in_line;
    if (is_element) {
        return outside + "give each thread one of its own, or reduction(+ : " + name + "[:size])";
    }
    return outside + "declare it inside, or make it private(" + name + ")" +
           (adds ? "; for a total of all threads, reduction(+ : " + name + ")" : "");
}

std::string shortened(const std::string& path) {
    if (path == source_of_module) return path.substr(path.rfind('/') + 1);
    for (const char* folder : {"/ladder/", "/expert/", "/problem/"}) {
        const std::size_t at = path.find(folder);
        if (at != std::string::npos) return path.substr(at + 1);
    }
    return path;
}

void print(void* report) {
    const char* description = "";
    int count = 0, stacks = 0, accesses = 0, locations = 0, mutexes = 0, threads = 0, unique = 0;
    void* sleep[1] = {};
    __tsan_get_report_data(report, &description, &count, &stacks, &accesses, &locations, &mutexes,
                           &threads, &unique, sleep, 1);
    if (accesses < 2) return;
    const Access first = access_of(report, 0);
    const Access second = access_of(report, 1);
    const Access& written = first.is_write ? first : second;
    const std::string cause = cause_of(written);
    std::printf(
        "WRONG %s on %s (threads=%d): race: one thread %s (%s:%d), another %s (%s:%d), and "
        "nothing makes one wait for the other%s%s\n",
        running_variant, input(), team, first.is_write ? "writes" : "reads",
        shortened(first.file).c_str(), first.line, second.is_write ? "writes" : "reads",
        shortened(second.file).c_str(), second.line,
        cause.empty() ? "" : "; looks like: ", cause.c_str());
    const std::vector<std::string> lines = lines_of(written.file);
    if (written.line > 0 && written.line < static_cast<int>(lines.size())) {
        std::printf("    %d: %s\n", written.line,
                    lines[static_cast<std::size_t>(written.line)].c_str());
    }
    std::fflush(stdout);
}

/// libgomp's function of that name.
template <class Function>
Function* real(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// Of the barriers and ends of all teams: what happened before is seen after.
char barrier_clock;
char region_clock;
char critical_clock;
char ordered_clock;

void wait_with(void (*real)()) {
    __tsan_release(&barrier_clock);
    real();
    __tsan_acquire(&barrier_clock);
}

void enter_with(void (*real)()) {
    real();
    __tsan_acquire(&critical_clock);
}

void leave_with(void (*real)()) {
    __tsan_release(&critical_clock);
    real();
}

struct Region {
    void (*body)(void*);
    void* data;
};

void run_region(void* data) {
    const Region region = *static_cast<Region*>(data);
    __tsan_acquire(&region_clock);
    region.body(region.data);
    __tsan_release(&barrier_clock);
}

/// A task, in front of its data: who creates it writes these, who runs it reads them.
struct Task {
    void (*body)(void*);
    void (*copy)(void*, void*);
    void* data;
    long size;
    long offset;  ///< of the data, from here
};

void copy_task(void* to, void* from) {
    const Task task = *static_cast<Task*>(from);
    std::memcpy(to, &task, sizeof task);
    char* const data = static_cast<char*>(to) + task.offset;
    if (task.copy != nullptr) {
        task.copy(data, task.data);
    } else {
        std::memcpy(data, task.data, static_cast<std::size_t>(task.size));
    }
    __tsan_release(to);
}

void run_task(void* block) {
    __tsan_acquire(block);
    const Task task = *static_cast<Task*>(block);
    task.body(static_cast<char*>(block) + task.offset);
    __tsan_release(&barrier_clock);
}

}  // namespace
}  // namespace races

extern "C" {

/// Called by ThreadSanitizer.
void __tsan_on_report(void* report) {
    if (races::reported.exchange(true)) return;
    races::print(report);
    _exit(1);  // a race at each pixel would be reported for minutes
}

const char* __tsan_default_options() {
    return "report_bugs=1:exitcode=0:history_size=7:ignore_noninstrumented_modules=1";
}

void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags) {
    static auto* const real =
        races::real<void(void (*)(void*), void*, unsigned, unsigned)>("GOMP_parallel");
    ++races::parallel_regions;
    races::Region region{body, data};
    __tsan_release(&races::region_clock);
    real(races::run_region, &region, threads, flags);
    __tsan_acquire(&races::barrier_clock);
}

unsigned GOMP_parallel_reductions(void (*body)(void*), void* data, unsigned threads,
                                  unsigned flags) {
    // libgomp reads the reductions from `data`, so the body's argument cannot be replaced.
    static auto* const real = races::real<unsigned(void (*)(void*), void*, unsigned, unsigned)>(
        "GOMP_parallel_reductions");
    ++races::parallel_regions;
    __tsan_release(&races::region_clock);
    const unsigned result = real(body, data, threads, flags);
    __tsan_acquire(&races::barrier_clock);
    return result;
}

void GOMP_barrier() {
    static auto* const real = races::real<void()>("GOMP_barrier");
    races::wait_with(real);
}
void GOMP_loop_end() {
    static auto* const real = races::real<void()>("GOMP_loop_end");
    races::wait_with(real);
}
void GOMP_sections_end() {
    static auto* const real = races::real<void()>("GOMP_sections_end");
    races::wait_with(real);
}
void GOMP_task(void (*body)(void*), void* data, void (*copy)(void*, void*), long size,
               long alignment, bool deferred, unsigned flags, void** depend, int priority,
               void* detach) {
    static auto* const real =
        races::real<void(void (*)(void*), void*, void (*)(void*, void*), long, long, bool, unsigned,
                         void**, int, void*)>("GOMP_task");
    const long aligned = std::max<long>(alignment, alignof(races::Task));
    const long offset = (long{sizeof(races::Task)} + aligned - 1) / aligned * aligned;
    races::Task task{body, copy, data, size, offset};
    real(races::run_task, &task, races::copy_task, offset + size, aligned, deferred, flags, depend,
         priority, detach);
}
void GOMP_taskwait() {
    static auto* const real = races::real<void()>("GOMP_taskwait");
    races::wait_with(real);
}
void GOMP_critical_start() {
    static auto* const real = races::real<void()>("GOMP_critical_start");
    races::enter_with(real);
}
void GOMP_critical_end() {
    static auto* const real = races::real<void()>("GOMP_critical_end");
    races::leave_with(real);
}
void GOMP_atomic_start() {
    static auto* const real = races::real<void()>("GOMP_atomic_start");
    races::enter_with(real);
}
void GOMP_atomic_end() {
    static auto* const real = races::real<void()>("GOMP_atomic_end");
    races::leave_with(real);
}
void GOMP_ordered_start() {
    static auto* const real = races::real<void()>("GOMP_ordered_start");
    races::enter_with(real);
}
void GOMP_ordered_end() {
    static auto* const real = races::real<void()>("GOMP_ordered_end");
    races::leave_with(real);
}
void GOMP_critical_name_start(void** lock) {
    static auto* const real = races::real<void(void**)>("GOMP_critical_name_start");
    real(lock);
    __tsan_acquire(lock);
}
void GOMP_critical_name_end(void** lock) {
    static auto* const real = races::real<void(void**)>("GOMP_critical_name_end");
    __tsan_release(lock);
    real(lock);
}
/// The end of a point of an ordered(n) loop: what this thread did is seen by those that wait for
/// it.
void GOMP_doacross_post(long* counts) {
    static auto* const real = races::real<void(long*)>("GOMP_doacross_post");
    __tsan_release(&races::ordered_clock);
    real(counts);
}
void GOMP_doacross_wait(long first, ...) {
    // libgomp takes as many numbers as the loop nest has levels; two are passed on.
    static auto* const real = races::real<void(long, ...)>("GOMP_doacross_wait");
    va_list more;
    va_start(more, first);
    const long second = va_arg(more, long);
    va_end(more);
    real(first, second);
    __tsan_acquire(&races::ordered_clock);
}
}

int main(int count, char** arguments) {
    if (count != 2 && count != 4) {
        std::fprintf(stderr, "usage: %s VARIANT [MODULE SOURCE]\n", arguments[0]);
        return 2;
    }
    if (count == 4) {
        races::source_of_module = arguments[3];
        if (dlopen(arguments[2], RTLD_NOW) == nullptr) {
            std::fprintf(stderr, "%s\n", dlerror());
            return 2;
        }
    }
    const std::string variant = arguments[1];
    races::running_variant = arguments[1];
    if (!races::run(variant)) {
        std::printf("no variant is called %s\n", variant.c_str());
        return 77;
    }
    if (!races::reported && races::parallel_regions == 0) {
        std::printf(
            "WRONG %s on %s: no parallel region was started, so one thread did all the work; "
            "looks like: a directive that the compiler ignores (#pragma omp parallel for is "
            "spelled wrongly, or it is not before a loop)\n",
            variant.c_str(), races::input());
        return 1;
    }
    if (!races::reported) std::printf("no race: %s on %s\n", variant.c_str(), races::input());
    std::fflush(stdout);
    _exit(races::reported ? 1 : 0);  // libgomp's threads are never joined, which is no leak
}
