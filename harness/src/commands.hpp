#pragma once

// The subcommands of a lab's program, with parsed arguments.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "common/error.hpp"
#include "harness/lab.hpp"
#include "harness/machine.hpp"

namespace harness {

using namespace common;

struct Arguments {
    std::set<std::string> given{};  ///< options of `run`, as "--threads"
    bool json = false;
    std::string input;
    std::string output;
    std::string save_input;
    std::string variant;
    bool verify = false;
    bool explain = false;
    std::string against;
    int threads = cpu_cores();
    int ranks = 2;
    std::string block;
    std::int64_t memory_mib = 0;  // 0: the picture is loaded at once
    bool resume = false;
    int repeats = 0;  // 0: the subcommand's own default
    std::uint64_t seed = 1;
    std::vector<std::string> experiments;
    std::vector<std::string> variants;
    std::vector<std::string> exclude;
    bool quick = false;
    bool full = false;
    std::string csv_dir = ".";

    RunOptions options() const {
        RunOptions options{.threads = threads, .ranks = ranks, .block = {}};
        if (!block.empty()) options.block = parse_block(block);
        return options;
    }
};

/// Prints the variants, and why those that cannot run here cannot.
void list(const Lab& lab, bool as_json);

/// Runs the variant that was named, or the fastest one that is done.
void run(const Lab& lab, const Arguments& arguments);

/// `argc` and `argv` are for the processes that measure.
ExitCode bench(const Lab& lab, const Arguments& arguments, int argc, const char* const* argv);

}  // namespace harness
