#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace grading {

/// The paths of the build, from settings.json beside the program.
struct Settings {
    std::filesystem::path source;  ///< of the repository
    std::filesystem::path build;
    std::filesystem::path compiler;
    std::filesystem::path translator;                 ///< CUDA to C++ for the emulation
    std::vector<std::string> kernel_options;          ///< of the compiler for emulated kernels
    std::filesystem::path nvcc{};                     ///< empty: CUDA was not found
    std::map<std::string, std::string> namespaces{};  ///< of the labs, by their folders

    static Settings read();

    std::filesystem::path worker(int lab) const {
        return build / ("grade_worker_lab" + std::to_string(lab));
    }
    std::filesystem::path gpu_worker(int lab) const {
        return build / ("grade_gpu_worker_lab" + std::to_string(lab));
    }
    /// The program that runs a variant under ThreadSanitizer. There is none for compilers but g++.
    std::filesystem::path races(int lab) const {
        return build / ("grade_races_lab" + std::to_string(lab));
    }
    /// The headers that students have.
    std::filesystem::path api(int lab) const {
        return build / "api" / ("lab" + std::to_string(lab));
    }
    std::filesystem::path judge(int lab) const {
        return build / ("grade_judge_lab" + std::to_string(lab));
    }
};

/// The facts of a lab that grading needs.
struct LabFacts {
    int number;
    std::string folder;

    /// The simplest variants: they are compiled to try the tools, and speeds are shown against
    /// them.
    std::string first_loop{};
    std::string first_kernel{};

    /// The folder with points, starter and key of the lab.
    std::filesystem::path assignment() const {
        return std::filesystem::path(folder) / "assignment";
    }
    std::filesystem::path points() const { return assignment() / "points.json"; }
    std::filesystem::path key() const { return assignment() / "key/answers.txt"; }
};

/// Throws BadUsage if there is no such lab.
LabFacts lab_numbered(int number, const std::filesystem::path& source);

}  // namespace grading
