#pragma once

// A corpus of faulty kernels. Each is a kernel of a lab, made shorter, with one mistake of the kind
// that students make. The mistake is a template argument: with `none` the same kernel is right.
//
// A comment "fault: NAME", with the names of one case or several, stands above the line at fault. A
// race has two such lines.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/view.hpp"
#include "device_memory.hpp"

namespace corpus {

using common::DeviceView;

/// The checks of compute-sanitizer.
enum class Tool { memcheck, racecheck, initcheck, synccheck };

struct Case {
    std::string name;
    std::string from;        ///< the right kernel's file
    std::string kernel;      ///< its name here
    std::string mistake;     ///< in words
    std::string says;        ///< what the emulation's message has to contain
    Tool tool;               ///< that should find it
    cudaError_t (*wrong)();  ///< launches the kernel with the mistake
    cudaError_t (*right)();  ///< launches the kernel without
    std::string file{};      ///< of the kernel
};

std::vector<Case> lab1_cases();
std::vector<Case> lab2_cases();
std::vector<Case> lab2_expert_cases();
std::vector<Case> lab3_cases();
std::vector<Case> lab4_cases();
std::vector<Case> lab4_expert_cases();

inline std::vector<Case> with_file(std::vector<Case> cases, const char* file) {
    for (Case& one : cases) one.file = file;
    return cases;
}

/// The view of an image that a kernel takes.
template <class T>
DeviceView<T> view(const Padded<T>& image, int channels = 1) {
    return {image.data, image.width / channels, image.height, channels,
            static_cast<std::ptrdiff_t>(image.pitch / sizeof(T))};
}
template <class T>
DeviceView<const T> input(const Padded<T>& image, int channels = 1) {
    const DeviceView<T> all = view(image, channels);
    return {all.data, all.width, all.height, all.channels, all.pitch};
}

}  // namespace corpus
