#include "sandbox/sandbox.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <string_view>

#include "sandbox/filter.hpp"
#include "sandbox/landlock.hpp"

namespace grading {
namespace {

constexpr char bubblewrap[] = "/usr/bin/bwrap";

/// Threads sleep at a barrier: on cores that they share with others, one that waits in a loop keeps
/// another from running.
const std::vector<std::string> environment{"PATH=/usr/bin:/bin", "LC_ALL=C",
                                           "OMP_WAIT_POLICY=passive", "CUDA_CACHE_DISABLE=1"};

std::string name_of(Walls walls) {
    return walls == Walls::bubblewrap ? "bubblewrap" : "landlock";
}

CgroupPlace cgroups_named(const std::string& name) {
    for (CgroupPlace& place : CgroupPlace::candidates()) {
        if (place.name == name) return place;
    }
    throw common::Failed("there is no " + name + " here");
}

}  // namespace

Sandbox::Sandbox(Walls walls, CgroupPlace cgroups, std::optional<uid_t> user)
    : walls_(walls),
      user_(user),
      cgroups_(std::move(cgroups)),
      filter_(std::make_shared<const Descriptor>(base_filter(false))),
      gpu_filter_(std::make_shared<const Descriptor>(base_filter(true))) {}

Sandbox::Sandbox(const nlohmann::json& found)
    : Sandbox(found.at("walls") == "bubblewrap" ? Walls::bubblewrap : Walls::landlock,
              cgroups_named(found.at("limits")),
              found.at("user").is_null() ? std::nullopt
                                         : std::optional(found.at("user").get<uid_t>())) {}

nlohmann::json Sandbox::description() const {
    return {{"walls", name_of(walls_)},
            {"limits", cgroups_.name},
            {"user", user_ ? nlohmann::json(*user_) : nlohmann::json(nullptr)}};
}

Sandbox Sandbox::find(std::optional<uid_t> user) {
    const char* wanted = std::getenv("LABS_GRADE_WALLS");
    for (const Walls walls : {Walls::bubblewrap, Walls::landlock}) {
        if (wanted != nullptr && name_of(walls) != wanted) continue;
        for (const CgroupPlace& place : CgroupPlace::candidates()) {
            Sandbox sandbox(walls, place, user);
            if (sandbox.works()) return sandbox;
        }
    }
    throw common::Failed(
        "no sandbox: bubblewrap starts nothing here (is it installed, and may users make "
        "namespaces?), and this kernel has no Landlock");
}

bool Sandbox::works() const {
    if (walls_ == Walls::bubblewrap && access(bubblewrap, X_OK) != 0) return false;
    if (walls_ == Walls::landlock && !has_landlock()) return false;
    const auto libraries = libraries_of("/usr/bin/true");
    try {
        const auto process = start({.arguments = {"/usr/bin/true"},
                                    .folder = "/",
                                    .readable = libraries,
                                    .limits = {.memory_bytes = 64 << 20, .processes = 64}});
        return process->wait(Clock::now() + std::chrono::seconds(10)) && process->status() == 0;
    } catch (const common::Failed&) {  // the control group
        return false;
    }
}

std::unique_ptr<Process> Sandbox::start(const Confined& confined) const {
    Program program{.arguments = confined.arguments,
                    .environment = environment,
                    .folder = confined.folder,
                    .descriptors = confined.descriptors,
                    .limits = confined.limits,
                    .cgroups = cgroups_,
                    .cores = confined.cores,
                    .first = confined.first,
                    .user = user_};
    const std::string temporary = confined.writable.empty() ? "/tmp" : confined.writable.front();
    program.environment.push_back("TMPDIR=" + temporary);
    if (!confined.library_path.empty()) {
        program.environment.push_back("LD_LIBRARY_PATH=" + confined.library_path);
    }
    if (walls_ == Walls::bubblewrap) return start_in_bubblewrap(std::move(program), confined);
    std::vector<std::filesystem::path> writable = confined.writable;
    writable.emplace_back("/dev/null");
    const Descriptor rules = landlock_rules(confined.readable, writable, confined.devices);
    program.landlock = &rules;
    program.filter = &filter_of(confined);
    return std::make_unique<Process>(program);
}

std::unique_ptr<Process> Sandbox::start_in_bubblewrap(Program program,
                                                      const Confined& confined) const {
    const std::string filter = std::to_string(3 + confined.descriptors.size());
    program.descriptors.push_back(filter_of(confined).get());
    program.folder = "/";
    // No --new-session: the process group tells which orphans are this program's, see end().
    std::vector<std::string> words{
        bubblewrap,   "--unshare-all", "--unshare-user", "--die-with-parent",
        "--cap-drop", "ALL",           "--seccomp",      filter,
        "--proc",     "/proc",         "--size",         "67108864",
        "--tmpfs",    "/tmp"};
    for (const auto& path : confined.readable) {
        words.insert(words.end(), {"--ro-bind-try", path, path});
    }
    for (const auto& path : confined.writable) words.insert(words.end(), {"--bind", path, path});
    for (const auto& path : confined.devices) {
        words.insert(words.end(), {"--dev-bind", path, path});
    }
    words.insert(words.end(), {"--chdir", confined.folder, "--"});
    words.insert(words.end(), confined.arguments.begin(), confined.arguments.end());
    program.arguments = std::move(words);
    lseek(filter_of(confined).get(), 0, SEEK_SET);  // bubblewrap reads it from where it stands
    return std::make_unique<Process>(program);
}

std::vector<std::filesystem::path> libraries_of(const std::filesystem::path& program) {
    Process ldd({.arguments = {"/usr/bin/ldd", program}, .environment = environment});
    if (!ldd.wait(Clock::now() + std::chrono::seconds(10)) || ldd.status() != 0) {
        throw common::Failed("ldd " + program.string() + ": " + ldd.text());
    }
    std::vector<std::filesystem::path> files{program};
    std::istringstream words(ldd.text());
    for (std::string word; words >> word;) {
        if (word.starts_with('/')) files.emplace_back(word);
    }
    return files;
}

}  // namespace grading
