// Faults as text, with names of functions and lines from the program's debug information.

#include "fault.hpp"

#include <backtrace.h>
#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <vector>

namespace emulation {
namespace {

struct Frame {
    std::string file;
    int line = 0;
    std::string function;
};

std::string demangled(const char* name) {
    int status = 0;
    char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
    const std::string result = status == 0 ? text : name;
    std::free(text);  // NOLINT: allocated with malloc by __cxa_demangle
    return result;
}

/// "walk_down" of "void lab::walk_down<true>(View, int)".
std::string short_name(std::string name) {
    const std::string_view nameless = "(anonymous namespace)::";
    for (auto at = name.find(nameless); at != std::string::npos; at = name.find(nameless)) {
        name.erase(at, nameless.size());
    }
    int depth = 0;
    std::string plain;  // without template arguments
    for (const char c : name) {
        if (c == '<') ++depth;
        if (depth == 0) plain += c;
        if (c == '>') --depth;
    }
    plain = plain.substr(0, plain.find('('));
    const auto begin = plain.find_last_of(" :");
    return begin == std::string::npos ? plain : plain.substr(begin + 1);
}

int add_frame(void* data, std::uintptr_t, const char* file, int line, const char* function) {
    if (file == nullptr) return 0;
    static_cast<std::vector<Frame>*>(data)->push_back(
        {file, line, function == nullptr ? "" : short_name(demangled(function))});
    return 0;
}

void ignore_error(void*, const char*, int) {}

std::mutex symbols_mutex;
thread_local bool looks_up = false;

/// While it exists, this thread alone looks up symbols.
class LookUp {
  public:
    LookUp() { looks_up = true; }
    ~LookUp() { looks_up = false; }
    LookUp(const LookUp&) = delete;
    LookUp& operator=(const LookUp&) = delete;

  private:
    std::lock_guard<std::mutex> lock_{symbols_mutex};
};

backtrace_state* symbols() {
    static backtrace_state* state = backtrace_create_state(nullptr, 1, ignore_error, nullptr);
    return state;
}

/// The functions at an address, of which the later ones are those that the earlier were inlined in.
std::vector<Frame> frames_at(std::uintptr_t address) {
    const LookUp look_up;
    std::vector<Frame> frames;
    // The address is where the call returns to; the call itself is before it.
    backtrace_pcinfo(symbols(), address - 1, add_frame, ignore_error, &frames);
    return frames;
}

bool is_of_program(const Frame& frame) {
    const std::string_view file = frame.file;
    return file.find("/emulation/include/") == std::string_view::npos &&
           file.find("/emulation/src/") == std::string_view::npos &&
           file.find("/include/c++/") == std::string_view::npos;
}

/// Some names of lambdas stay mangled; they begin with _ZZ.
bool is_lambda(const Frame& frame) {
    return frame.function.find("operator") != std::string::npos ||
           frame.function.starts_with("_ZZ");
}

std::string line_of(const Frame& frame) {
    return fmt::format("{}:{}", frame.file.substr(frame.file.find_last_of('/') + 1), frame.line);
}

/// The kernel and what it has called; not the lambda around the kernel, in which a launch calls it.
std::vector<Frame> frames_of(const CallStack& stack) {
    std::vector<Frame> all;
    for (int i = 0; i < stack.count; ++i) {
        for (const Frame& frame : frames_at(stack.addresses[static_cast<std::size_t>(i)])) {
            if (is_of_program(frame)) all.push_back(frame);
        }
    }
    while (!all.empty() && (all.back().function.empty() || is_lambda(all.back()))) all.pop_back();
    return all;
}

/// "in load_words, called by load_inside, walk_down, convolve".
std::string calls(const std::vector<Frame>& frames) {
    std::string text;
    std::string last;
    for (const Frame& frame : frames) {
        if (frame.function.empty() || is_lambda(frame) || frame.function == last) continue;
        text += text.empty()                          ? " in "
                : last.empty()                        ? ""
                : text.find(',') == std::string::npos ? ", called by "
                                                      : ", ";
        text += frame.function;
        last = frame.function;
    }
    return text;
}

void add_callers(CallStack& stack, std::uintptr_t frame, std::uintptr_t end) {
    while (frame + 2 * sizeof(std::uintptr_t) <= end && frame % sizeof(std::uintptr_t) == 0 &&
           stack.count < static_cast<int>(stack.addresses.size())) {
        const auto* words = reinterpret_cast<const std::uintptr_t*>(frame);
        stack.addresses[static_cast<std::size_t>(stack.count++)] = words[1];
        if (words[0] <= frame) break;
        frame = words[0];
    }
}

}  // namespace

CallStack call_stack(std::uintptr_t end) {
    CallStack stack;
    add_callers(stack, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)), end);
    return stack;
}

CallStack call_stack(std::uintptr_t address, std::uintptr_t frame, std::uintptr_t end) {
    CallStack stack;
    stack.addresses[0] = address;
    stack.count = 1;
    add_callers(stack, frame, end);
    return stack;
}

CallStack words_of_stack(std::uintptr_t begin, std::uintptr_t end) {
    CallStack words;
    for (std::uintptr_t at = begin; at + sizeof(at) <= end; at += sizeof(at)) {
        if (words.count == static_cast<int>(words.addresses.size())) break;
        words.addresses[static_cast<std::size_t>(words.count++)] =
            *reinterpret_cast<const std::uintptr_t*>(at);
    }
    return words;
}

std::string variable_name(std::uintptr_t address) {
    std::string name;
    const auto keep = [](void* data, std::uintptr_t, const char* symbol, std::uintptr_t,
                         std::uintptr_t) {
        if (symbol == nullptr) return;
        const std::string whole = demangled(symbol);  // "kernel(int const*)::kept"
        const auto scope = whole.rfind("::");
        *static_cast<std::string*>(data) = whole.substr(scope == whole.npos ? 0 : scope + 2);
    };
    const LookUp look_up;
    backtrace_syminfo(symbols(), address, keep, ignore_error, &name);
    return name;
}

bool is_line_of_program(std::uintptr_t address) {
    if (looks_up) return false;  // called by a look-up, whose functions have checks too
    const std::vector<Frame> frames = frames_at(address);
    return std::any_of(frames.begin(), frames.end(), is_of_program);
}

std::string source_line(std::uintptr_t address) {
    for (const Frame& frame : frames_at(address)) {
        if (is_of_program(frame)) return line_of(frame);
    }
    return "an unknown place";
}

Place place_of(std::uintptr_t address) {
    const std::vector<Frame> frames = frames_at(address);
    Place place;
    for (const Frame& frame : frames) {
        if (frame.file.ends_with("/emulation/texture.hpp")) place.is_in_texture = true;
    }
    for (const Frame& frame : frames) {
        if (!is_of_program(frame)) continue;
        const bool is_common = frame.file.find("/common/include/") != std::string::npos;
        if (is_common && !place.file.empty()) continue;
        place.file = frame.file;
        place.line = frame.line;
        if (!is_common) break;
    }
    return place;
}

std::string kernel_name(const CallStack& stack) {
    const std::vector<Frame> frames = frames_of(stack);
    return frames.empty() ? "a kernel without accesses" : frames.back().function;
}

std::string to_string(uint3 index) {
    return fmt::format("({},{},{})", index.x, index.y, index.z);
}

std::string to_string(const Fault& fault) {
    std::vector<Frame> frames = frames_of(fault.stack);
    if (frames.empty()) frames = frames_of(fault.words);
    std::string text = fault.what;
    const std::string place = !fault.place.empty() ? fault.place
                              : frames.empty()     ? ""
                                                   : line_of(frames.front());
    if (!place.empty()) text += " in " + place;
    const std::string kernel = frames.empty() ? "" : frames.back().function;
    if (!kernel.empty()) text += ", kernel " + kernel;
    text += fmt::format(", thread {} of block {}", to_string(fault.thread), to_string(fault.block));
    if (!fault.where.empty()) text += "; at " + fault.where;
    if (!fault.other.empty()) text += "; " + fault.other;
    if (frames.size() > 1) text += ";" + calls(frames);
    if (!fault.cause.empty()) text += ". Usual cause: " + fault.cause;
    return text;
}

}  // namespace emulation
