#include "sandbox/sandbox.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
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

std::string name_of(Mode mode) {
    return mode == Mode::bubblewrap ? "bubblewrap" : "gradescope";
}

Mode mode_named(const std::string& name) {
    for (const Mode mode : {Mode::bubblewrap, Mode::gradescope}) {
        if (name_of(mode) == name) return mode;
    }
    throw common::Failed("LABS_GRADE_MODE: bubblewrap or gradescope is expected, not '" + name +
                         "'");
}

std::string mode_wanted() {
    const char* const wanted = std::getenv("LABS_GRADE_MODE");
    return wanted == nullptr ? "bubblewrap" : wanted;
}

bool setting_is(const std::string& name, long value) {
    std::ifstream file("/proc/sys/" + name);
    long found = 0;
    return file >> found && found == value;
}

/// Ubuntu's rule from 23.10 on. docs/grading.md has the same lines.
constexpr char apparmor[] = R"(AppArmor keeps user namespaces from it. As root, give it a profile:

cat >/etc/apparmor.d/bwrap <<'END'
abi <abi/4.0>,
include <tunables/global>

profile bwrap /usr/bin/bwrap flags=(unconfined) {
  userns,
  include if exists <local/bwrap>
}
END
apparmor_parser -r /etc/apparmor.d/bwrap

no sandbox: AppArmor has no profile for /usr/bin/bwrap: see the lines above, and docs/grading.md)";

/// The reason why bubblewrap does not work, and the remedy. `said` is bubblewrap's message.
std::string advice(const std::string& said) {
    if (setting_is("user/max_user_namespaces", 0)) {
        return "set user.max_user_namespaces above 0 (sysctl)";
    }
    if (setting_is("kernel/unprivileged_userns_clone", 0)) {
        return "set kernel.unprivileged_userns_clone to 1 (sysctl)";
    }
    if (setting_is("kernel/apparmor_restrict_unprivileged_userns", 1)) {
        return apparmor;
    }
    return "it has to be allowed to make user namespaces, which most containers are not; it "
           "says: " +
           printable(said, 300);
}

constexpr char how_to_get_groups[] =
    "; grade as root, or by 'systemd-run --user --scope -p Delegate=yes grading/grade ...'";

}  // namespace

Sandbox::Sandbox(Mode mode, std::optional<uid_t> user)
    : mode_(mode),
      user_(user),
      filter_(std::make_shared<const Descriptor>(base_filter(false))),
      gpu_filter_(std::make_shared<const Descriptor>(base_filter(true))) {
    try {
        if (mode == Mode::bubblewrap) cgroups_ = CgroupPlace::find();
    } catch (const common::Failed& failed) {
        throw common::Failed(std::string("no sandbox: ") + failed.what() + how_to_get_groups);
    }
}

Sandbox::Sandbox(const nlohmann::json& found)
    : Sandbox(mode_named(found.at("mode")), found.at("user").is_null()
                                                ? std::nullopt
                                                : std::optional(found.at("user").get<uid_t>())) {}

nlohmann::json Sandbox::description() const {
    return {{"mode", name_of(mode_)},
            {"limits", mode_ == Mode::bubblewrap ? cgroups_.name : "rlimits"},
            {"user", user_ ? nlohmann::json(*user_) : nlohmann::json(nullptr)}};
}

Sandbox Sandbox::find(std::optional<uid_t> user) {
    const Mode mode = mode_named(mode_wanted());
    if (mode == Mode::bubblewrap && access(bubblewrap, X_OK) != 0) {
        throw common::Failed("no sandbox: there is no bubblewrap (apt-get install bubblewrap)");
    }
    if (mode == Mode::gradescope && (!has_landlock() || !user)) {
        throw common::Failed(
            "no sandbox: LABS_GRADE_MODE=gradescope needs root, and Landlock in "
            "the kernel");
    }
    Sandbox sandbox(mode, user);
    sandbox.require_to_work();
    return sandbox;
}

void Sandbox::require_to_work() const {
    std::unique_ptr<Process> process;
    try {
        process = start({.arguments = {"/usr/bin/true"},
                         .folder = "/",
                         .readable = libraries_of("/usr/bin/true"),
                         .limits = {.memory_bytes = 64 << 20, .processes = 64}});
    } catch (const common::Failed& failed) {
        throw common::Failed(std::string("no sandbox: no control group can be made: ") +
                             failed.what() + how_to_get_groups);
    }
    if (process->wait(Clock::now() + std::chrono::seconds(10)) && process->status() == 0) return;
    if (WIFEXITED(process->status()) && WEXITSTATUS(process->status()) == 126) {
        throw common::Failed(std::string("no sandbox: the control group cannot be joined") +
                             how_to_get_groups);
    }
    throw common::Failed("no sandbox: " +
                         (mode_ == Mode::bubblewrap
                              ? "bubblewrap starts nothing: " + advice(process->text())
                              : "no program starts with Landlock"));
}

std::unique_ptr<Process> Sandbox::start(const Confined& confined) const {
    Program program{.arguments = confined.arguments,
                    .environment = environment,
                    .folder = confined.folder,
                    .descriptors = confined.descriptors,
                    .limits = confined.limits,
                    .cgroups = cgroups_,
                    .cores = confined.cores,
                    .fixed_addresses = confined.fixed_addresses,
                    .user = user_};
    const std::string temporary = confined.writable.empty() ? "/tmp" : confined.writable.front();
    program.environment.push_back("TMPDIR=" + temporary);
    if (!confined.library_path.empty()) {
        program.environment.push_back("LD_LIBRARY_PATH=" + confined.library_path);
    }
    if (mode_ == Mode::bubblewrap) return start_in_bubblewrap(std::move(program), confined);
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
