#pragma once

// Programs that must not be trusted: the compiler, which reads what a student wrote, and the
// worker, which contains it.

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/process.hpp"

namespace grading {

/// A program with all that it sees of this machine.
struct Confined {
    std::vector<std::string> arguments;
    std::filesystem::path folder;
    std::vector<std::filesystem::path> readable{};  ///< files, and folders with all in them
    std::vector<std::filesystem::path> writable{};  ///< folders
    std::vector<std::filesystem::path> devices{};
    std::string library_path{};      ///< where the loader looks for libraries first
    std::vector<int> descriptors{};  ///< 3, 4, … in the program
    Limits limits{};
    int cores = 0;
    bool first = false;
};

/// bubblewrap: namespaces of its own for files, processes, network and the rest. Landlock: rules
/// for files, where a container has no namespaces to give. In both a seccomp filter, limits (of a
/// control group where one can be made), and as root a user id of its own.
enum class Walls { bubblewrap, landlock };

class Sandbox {
  public:
    /// The better of the two that starts a program on this machine; LABS_GRADE_WALLS=landlock asks
    /// for the other one. Throws Failed if there is none.
    static Sandbox find(std::optional<uid_t> user);

    /// As another program of the grading found it.
    explicit Sandbox(const nlohmann::json& found);
    nlohmann::json description() const;

    std::unique_ptr<Process> start(const Confined& confined) const;

  private:
    Walls walls_;
    std::optional<uid_t> user_;
    CgroupPlace cgroups_;
    std::shared_ptr<const Descriptor> filter_;
    std::shared_ptr<const Descriptor> gpu_filter_;  ///< for programs with devices

    Sandbox(Walls walls, CgroupPlace cgroups, std::optional<uid_t> user);
    bool works() const;
    const Descriptor& filter_of(const Confined& confined) const {
        return confined.devices.empty() ? *filter_ : *gpu_filter_;
    }
    std::unique_ptr<Process> start_in_bubblewrap(Program program, const Confined& confined) const;
};

/// Files of the system that a program needs to run: its loader and its shared libraries.
std::vector<std::filesystem::path> libraries_of(const std::filesystem::path& program);

}  // namespace grading
