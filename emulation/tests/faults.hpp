#pragma once

// Kernels with a mistake, and what the emulation has to say of it.

#include <cuda_runtime.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "device_memory.hpp"

/// The message of what has gone wrong since the last call, or "".
inline std::string last_message() {
    const cudaError_t error = cudaGetLastError();
    return error == cudaSuccess ? "" : cudaGetErrorString(error);
}

/// The source lines that a message names: of a race, both.
std::vector<std::string> named_lines(const std::string& message, const std::string& file);

/// The message says `what`, and names the lines of the test's file that contain these texts.
void expect_fault(const std::string& message, const std::string& what,
                  const std::vector<std::string>& texts,
                  const std::string& file = __builtin_FILE());

/// All lines that the message names end with the comment "fault".
void expect_marked_lines(const std::string& message, const std::string& file);

// A macro for the name of the file.
#define EXPECT_FAULT(...)                                  \
    do {                                                   \
        const std::string message = last_message();        \
        EXPECT_THAT(message, testing::AllOf(__VA_ARGS__)); \
        expect_marked_lines(message, __FILE__);            \
    } while (false)
