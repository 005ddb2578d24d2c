#pragma once

// Kernels with a mistake, and what the emulation has to say of it.

#include <cuda_runtime.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <string>

#include "device_memory.hpp"

/// The message of what has gone wrong since the last call, or "".
inline std::string last_message() {
    const cudaError_t error = cudaGetLastError();
    return error == cudaSuccess ? "" : cudaGetErrorString(error);
}

/// The source line that a message names.
inline std::string named_line(const std::string& message, const std::string& file) {
    const std::string name = file.substr(file.find_last_of('/') + 1);
    std::smatch found;
    if (!std::regex_search(message, found, std::regex(name + ":([0-9]+)"))) return "no line named";
    std::ifstream source(file);
    std::string line;
    for (int i = 0; i < std::stoi(found[1]); ++i) std::getline(source, line);
    return line;
}

// A macro for the name of the file. The line at fault ends with the comment "fault".
#define EXPECT_FAULT(...)                                                                     \
    do {                                                                                      \
        const std::string message = last_message();                                           \
        EXPECT_THAT(message, testing::AllOf(__VA_ARGS__));                                    \
        EXPECT_THAT(named_line(message, __FILE__), testing::EndsWith("// fault")) << message; \
    } while (false)
