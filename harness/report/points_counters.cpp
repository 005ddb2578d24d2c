// Reads the output of `run --explain`.

#include <fmt/format.h>

#include <map>
#include <regex>
#include <sstream>

#include "common/error.hpp"
#include "points.hpp"

namespace harness::summary {

using namespace common;
namespace {

using Counts = std::map<std::string, double>;

const std::string loads = "l1tex__t_requests_pipe_lsu_mem_global_op_ld";
const std::string load_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld";
const std::string stores = "l1tex__t_requests_pipe_lsu_mem_global_op_st";
const std::string store_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st";
const std::string atomics = "l1tex__t_requests_pipe_lsu_mem_global_op_atom";
const std::string shared_loads = "smsp__inst_executed_op_shared_ld";
const std::string shared_stores = "smsp__inst_executed_op_shared_st";
const std::string shared_atomics = "smsp__inst_executed_op_shared_atom";
const std::string conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_";

/// The sums over the kernels whose counts are wanted, or nothing if there is none.
std::optional<Counts> read_counts(const std::string& text, const std::string& kernel) {
    static const std::regex heading(R"(^kernel ([^ :<(]+).*: (\d+) launch.*)");
    static const std::regex size(R"(^(\d+) blocks?, (\d+) warps?; per block ([\d.]+) barriers?.*)");
    static const std::regex metric(R"(^(\w+)\.sum +(\d+)$)");
    Counts counts;
    bool found = false;
    bool wanted = false;
    std::istringstream lines(text);
    std::smatch match;
    for (std::string line; std::getline(lines, line);) {
        if (std::regex_match(line, match, heading)) {
            wanted = kernel.empty() || match[1] == kernel;
            found = found || wanted;
            if (wanted) counts["launches"] += std::stod(match[2]);
        } else if (wanted && std::regex_match(line, match, size)) {
            counts["blocks"] += std::stod(match[1]);
            counts["warps"] += std::stod(match[2]);
            counts["barriers"] += std::stod(match[1]) * std::stod(match[3]);
        } else if (wanted && std::regex_match(line, match, metric)) {
            counts[match[1]] += std::stod(match[2]);
        }
    }
    return found ? std::optional(counts) : std::nullopt;
}

double ratio(double count, double of) {
    return of == 0 ? 0 : count / of;
}

}  // namespace

std::optional<double> counter_in(const std::string& explanation, const std::string& name,
                                 const std::string& kernel) {
    auto counts = read_counts(explanation, kernel);
    const auto count = [&](const std::string& key) { return counts ? (*counts)[key] : 0; };
    const std::map<std::string, double> known{
        {"launches", count("launches")},
        {"blocks", count("blocks")},
        {"warps", count("warps")},
        {"barriers/block", ratio(count("barriers"), count("blocks"))},
        {"load requests", count(loads)},
        {"load sectors", count(load_sectors)},
        {"load sectors/request", ratio(count(load_sectors), count(loads))},
        {"store requests", count(stores)},
        {"store sectors", count(store_sectors)},
        {"store sectors/request", ratio(count(store_sectors), count(stores))},
        {"atomic requests", count(atomics)},
        {"shared load requests", count(shared_loads)},
        {"shared store requests", count(shared_stores)},
        {"shared atomic requests", count(shared_atomics)},
        {"bank conflicts",
         count(conflicts + "ld") + count(conflicts + "st") + count(conflicts + "atom")}};
    const auto found = known.find(name);
    if (found == known.end() && name.find("__") == std::string::npos) {
        std::string names;
        for (const auto& [one, value] : known) names += (names.empty() ? "" : ", ") + one;
        throw BadUsage(
            fmt::format("there is no counter '{}'; there are: {}, and the names of "
                        "Nsight Compute",
                        name, names));
    }
    if (!counts) return std::nullopt;
    return found == known.end() ? count(name) : found->second;
}

}  // namespace harness::summary
