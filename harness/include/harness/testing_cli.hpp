#pragma once

// For the tests of a lab's command line: runs the real executable, LAB_EXECUTABLE.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "harness/testing.hpp"

namespace harness {

/// The result of a command.
struct Ran {
    int exit_code = -1;
    std::string out;
    std::string err;

    /// Notes ("note: …") are not counted: they report no failure.
    long error_lines() const {
        std::istringstream lines(err);
        long count = 0;
        for (std::string line; std::getline(lines, line);) count += !line.starts_with("note:");
        return count;
    }
};

/// A test with a folder of its own, in which the executable runs.
class Cli : public testing::Test {
  protected:
    const std::filesystem::path folder_ = test_folder();
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    std::string read(const std::string& name) const {
        std::ifstream in(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    /// Runs `before; EXECUTABLE arguments` in bash. The executable's path may contain any
    /// character.
    Ran run(const std::string& arguments, const std::string& before = "true") const {
        setenv("LAB_EXECUTABLE", LAB_EXECUTABLE, 1);
        const std::string command = fmt::format(
            "LABS_TIME_UNOPTIMISED=1 bash -c '{}; exec \"$LAB_EXECUTABLE\" {}' >{} 2>{}", before,
            arguments, path("stdout"), path("stderr"));
        const int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("stdout"), read("stderr")};
    }

    void expect_refused(const std::string& arguments, const std::string& complaint, int code = 2) {
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.exit_code, code) << arguments << "\n" << ran.err;
        EXPECT_EQ(ran.error_lines(), 1) << arguments << "\n" << ran.err;
        EXPECT_THAT(ran.err, testing::HasSubstr(complaint)) << arguments;
        EXPECT_FALSE(std::filesystem::exists(path("out.png"))) << arguments;
    }

    std::string to_out() const { return " --output " + path("out.png"); }
};

}  // namespace harness
