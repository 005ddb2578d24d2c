#include "sandbox/cgroup.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

namespace grading {
namespace {

namespace fs = std::filesystem;

constexpr char prefix[] = "labs-grade-";

std::string content_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

bool has_word(const std::string& text, const std::string& wanted, char separator) {
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, separator);) {
        if (word == wanted) return true;
    }
    return false;
}

/// A hierarchy of control groups in the file system: v2, or that of a controller of v1.
struct Mount {
    fs::path point;
    std::string root;  ///< the group that `point` shows

    static Mount of(const std::string& controller) {
        std::ifstream mounts("/proc/self/mountinfo");
        for (std::string line; std::getline(mounts, line);) {
            const auto dash = line.find(" - ");
            if (dash == std::string::npos) continue;
            std::string number, parent, device, root, point, type, source, options;
            std::istringstream(line) >> number >> parent >> device >> root >> point;
            std::istringstream(line.substr(dash + 3)) >> type >> source >> options;
            if (controller.empty() ? type == "cgroup2"
                                   : type == "cgroup" && has_word(options, controller, ',')) {
                return {point, root};
            }
        }
        return {};
    }
};

/// The folder of this process's group, or "".
fs::path own_folder(const Mount& mount, const std::string& controller) {
    if (mount.point.empty()) return {};
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {  // number:controllers:/group
        const auto first = line.find(':');
        const auto second = line.find(':', first + 1);
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (controller.empty() ? !controllers.empty() : !has_word(controllers, controller, ',')) {
            continue;
        }
        std::string group = line.substr(second + 1);
        if (mount.root != "/" && group.starts_with(mount.root)) group.erase(0, mount.root.size());
        return (mount.point / fs::path(group).relative_path()).lexically_normal();
    }
    return {};
}

/// The nearest group of v2, from this process's upwards, that delegates the controllers of memory
/// and processes to its children. A group with processes of its own cannot.
fs::path folder_of_v2() {
    const Mount mount = Mount::of("");
    for (fs::path folder = own_folder(mount, ""); !folder.empty(); folder = folder.parent_path()) {
        std::string controllers = content_of(folder / "cgroup.subtree_control");
        std::replace(controllers.begin(), controllers.end(), '\n', ' ');
        if (has_word(controllers, "memory", ' ') && has_word(controllers, "pids", ' ')) {
            return folder;
        }
        if (folder == mount.point || folder == folder.parent_path()) break;
    }
    return {};
}

fs::path folder_of_v1(const std::string& controller) {
    return own_folder(Mount::of(controller), controller);
}

/// A limit that this kind of group does not have is passed over.
bool set(const fs::path& file, const std::string& value) {
    if (access(file.c_str(), F_OK) != 0) return true;
    std::ofstream stream(file);
    return static_cast<bool>((stream << value).flush());
}

void kill_members(const fs::path& group) {
    for (int i = 0; i < 1000; ++i) {
        bool any = false;
        std::ifstream members(group / "cgroup.procs");
        for (pid_t member = 0; members >> member && member > 0; any = true) kill(member, SIGKILL);
        if (!any) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

/// A member of the group may take a moment to leave after it was killed.
void remove_group(const fs::path& group) {
    for (int i = 0; i < 100 && rmdir(group.c_str()) != 0 && errno == EBUSY; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

/// Ends the groups of graders that were killed. The kernel has ended most of their members; a child
/// of bubblewrap that still waits for its parent to set up the namespace waits for ever.
void end_leftovers(const fs::path& folder) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename();
        if (!name.starts_with(prefix)) continue;
        const pid_t maker = std::atoi(name.c_str() + sizeof prefix - 1);
        if (kill(maker, 0) == 0 || errno != ESRCH) continue;
        kill_members(entry.path());
        remove_group(entry.path());
    }
}

std::string new_name() {
    static std::atomic<int> count{0};
    return prefix + std::to_string(getpid()) + "-" + std::to_string(count++);
}

}  // namespace

CgroupPlace CgroupPlace::find() {
    if (const fs::path v2 = folder_of_v2(); !v2.empty()) return {"cgroup v2", {v2}};
    const fs::path memory = folder_of_v1("memory");
    const fs::path processes = folder_of_v1("pids");
    if (memory.empty() || processes.empty()) {
        throw common::Failed("no control groups for memory and processes are delegated to it");
    }
    CgroupPlace place{"cgroup v1", {memory}};
    if (processes != memory) place.folders.push_back(processes);
    return place;
}

/// Delegates, so that the destructor runs if this throws.
Cgroup::Cgroup(const CgroupPlace& place, std::uint64_t memory_bytes, std::uint64_t processes)
    : Cgroup() {
    const std::string name = new_name();
    const std::string memory = std::to_string(memory_bytes);
    for (const fs::path& folder : place.folders) {
        end_leftovers(folder);
        const fs::path group = folder / name;
        checked(mkdir(group.c_str(), 0755), group.string());
        folders_.push_back(group);
        doors_.emplace_back(
            checked(open((group / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC), group.string()));
        if (memory_bytes > 0) {
            for (const char* file : {"memory.max", "memory.limit_in_bytes"}) {
                if (!set(group / file, memory)) fail((group / file).string());
            }
            set(group / "memory.swap.max", "0");  // of a kernel that counts swapped pages
            set(group / "memory.memsw.limit_in_bytes", memory);
        }
        if (processes > 0 && !set(group / "pids.max", std::to_string(processes))) {
            fail((group / "pids.max").string());
        }
    }
}

bool Cgroup::join() const {
    return std::all_of(doors_.begin(), doors_.end(),
                       [](const Descriptor& door) { return write(door.get(), "0", 1) == 1; });
}

bool Cgroup::ran_out_of_memory() const {
    for (const fs::path& folder : folders_) {
        for (const char* file : {"memory.events", "memory.oom_control"}) {
            std::ifstream stream(folder / file);
            std::string name;
            for (long count = 0; stream >> name >> count;) {
                if (name == "oom_kill" && count > 0) return true;
            }
        }
    }
    return false;
}

void Cgroup::kill_all() const {
    for (const fs::path& folder : folders_) set(folder / "pids.max", "0");  // no new ones
    for (const fs::path& folder : folders_) kill_members(folder);
}

Cgroup::~Cgroup() {
    kill_all();
    doors_.clear();
    for (const fs::path& folder : folders_) remove_group(folder);
}

}  // namespace grading
