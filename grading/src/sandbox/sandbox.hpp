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
    bool fixed_addresses = false;  ///< ThreadSanitizer does not start with some random ones
};

/// bubblewrap: namespaces of its own for files, processes, network and the rest, a control group
/// for each program, and a seccomp filter. gradescope: the container of Gradescope gives neither
/// namespaces nor control groups. There another user id, resource limits, the process group and the
/// filter have to do, and Landlock for files: a submission may not read the reference variants that
/// workers of the same user id load. In both, as root, a user id of its own.
enum class Mode { bubblewrap, gradescope };

class Sandbox {
  public:
    /// Gradescope's if LABS_GRADE_MODE says so, otherwise bubblewrap's. Throws Failed, with what is
    /// missing and how to get it, if no program starts in it. It never takes the other one.
    static Sandbox find(std::optional<uid_t> user);

    /// Makes the sandbox as another program of the grading found it.
    explicit Sandbox(const nlohmann::json& found);
    nlohmann::json description() const;

    std::unique_ptr<Process> start(const Confined& confined) const;

  private:
    Mode mode_;
    std::optional<uid_t> user_;
    CgroupPlace cgroups_;
    std::shared_ptr<const Descriptor> filter_;
    std::shared_ptr<const Descriptor> gpu_filter_;  ///< for programs with devices

    Sandbox(Mode mode, std::optional<uid_t> user);
    void require_to_work() const;
    const Descriptor& filter_of(const Confined& confined) const {
        return confined.devices.empty() ? *filter_ : *gpu_filter_;
    }
    std::unique_ptr<Process> start_in_bubblewrap(Program program, const Confined& confined) const;
};

/// Files of the system that a program needs to run: its loader and its shared libraries.
std::vector<std::filesystem::path> libraries_of(const std::filesystem::path& program);

}  // namespace grading
