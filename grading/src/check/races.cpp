// Looks for data races in a submitted OpenMP variant, with the program that the labs' tests use
// (harness/testing/races_main.cpp). It trusts nothing that the variant prints but a race, which
// costs points.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>

#include "check/files.hpp"
#include "check/workshop.hpp"

namespace grading {
namespace {

namespace fs = std::filesystem;

constexpr auto races_time = std::chrono::seconds(20);
constexpr std::uint64_t races_memory = std::uint64_t{3} << 30;  // shadow memory is most of it
constexpr std::uint64_t most_module = 64 << 20;

constexpr std::size_t longest_told = 800;
// Parts of the messages by which races_main.cpp names a variant of one thread.
constexpr std::array of_one_thread{": no parallel region was started", ": one thread wrote "};

/// The line of `text` that tells of a race in the variant, or that it has one thread, without
/// "WRONG NAME". The variant may have written it itself, so it is cut, and quoted where it is
/// shown.
std::string race_told(const std::string& text, const std::string& variant) {
    const std::string start = "WRONG " + variant + " ";
    for (auto at = text.find(start); at != std::string::npos; at = text.find(start, at + 1)) {
        const std::string line = text.substr(at, text.find('\n', at) - at);
        if (line.find(": race: ") == std::string::npos && !is_of_one_thread(line)) continue;
        const std::string told = line.substr(start.size());
        const std::string cut = printable(told, longest_told);
        return fmt::format("the check says \"{}{}\"", cut, cut.size() < told.size() ? " ..." : "");
    }
    return "";
}

/// The text after `mark` in its line, or "".
std::string after(const std::string& text, const std::string& mark) {
    const auto at = text.find(mark);
    if (at == std::string::npos) return "";
    const auto start = at + mark.size();
    return text.substr(start, text.find('\n', start) - start);
}

RaceFound found_by(const RaceRun& run, const std::string& variant) {
    const std::string text = printable(run.text);
    const std::string race = race_told(text, variant);
    if (!race.empty() || !after(text, "no race: " + variant).empty()) return {.race = race};
    if (!run.in_time) return {.not_checked = "no result in time under ThreadSanitizer"};
    const std::string reason = printable(after(text, "not checked: "), longest_told);
    if (!reason.empty()) return {.not_checked = reason};
    const std::string said = printable(after(text, "ThreadSanitizer"), longest_told);
    return {.not_checked =
                fmt::format("ThreadSanitizer ended with {}{}", describe_status(run.status),
                            said.empty() ? "" : ": " + said)};
}

}  // namespace

bool is_of_one_thread(const std::string& race) {
    return std::ranges::any_of(
        of_one_thread, [&](const char* said) { return race.find(said) != std::string::npos; });
}

void Workshop::prepare_races() {
    const fs::path program = settings_.races(lab_.number);
    if (!fs::exists(program)) return;
    fs::copy_file(program, folder_ / "bin/races");
    races_libraries_ = libraries_of(folder_ / "bin/races");
}

RaceRun Workshop::run_races(const std::string& variant, const fs::path& module,
                            const fs::path& source_folder, Clock::time_point deadline) const {
    std::vector<fs::path> readable = races_libraries_;
    readable.insert(readable.end(), {module, source_folder});
    const auto process = sandbox_.start(
        {.arguments = {folder_ / "bin/races", variant, module, source_folder / (variant + ".cpp")},
         .folder = source_folder,
         .readable = readable,
         .limits = {.memory_bytes = races_memory, .file_bytes = 1, .processes = 64},
         .fixed_addresses = true});
    const bool in_time = process->wait(std::min(deadline, Clock::now() + races_time));
    return {process->text(), in_time, process->status()};
}

RaceFound Workshop::race_in(const SubmittedFile& file, Clock::time_point deadline) const {
    if (file.on_device) return {};
    if (races_libraries_.empty()) return {.not_checked = "grade was built without the check"};
    const Folders folders = make_folders(file, deadline);
    const fs::path module = made_of(file.variant, ".races.so");
    std::vector<std::string> compiler{
        settings_.compiler,  "-std=c++20", "-pipe", "-fPIC", "-fopenmp", "-Og", "-g1",
        "-fsanitize=thread", "-w"};
    const std::vector<std::string> unseen = options_of_unseen();
    compiler.insert(compiler.end(), unseen.begin(), unseen.end());
    const fs::path& out = folders.out;
    RaceFound found{.not_checked = "it does not compile with -fsanitize=thread"};
    if (compile_text(file, folders, compiler).ok() &&
        run({settings_.compiler, "-shared", "-fopenmp", "-fsanitize=thread",
             "-fno-use-linker-plugin", out / "variant.o", "-o", out / "races.so"},
            folders)
            .ok() &&
        take_over(out / "variant.o", made_of(file.variant, ".o"), most_module) &&
        take_over(out / "dump", made_of(file.variant, ".dump"), most_module) &&
        take_over(out / "races.so", module, most_module)) {
        found = found_by(run_races(file.variant, module, folders.in, deadline), file.variant);
        if (found.race.empty() && found.not_checked.empty()) {
            found.not_checked = unseen_in(file, folders);
        }
    }
    std::error_code ignored;
    fs::remove_all(folders.out.parent_path(), ignored);
    return found;
}

}  // namespace grading
