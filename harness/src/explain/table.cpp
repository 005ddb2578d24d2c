// The explanation of a kernel as text, at most 100 columns wide.

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "explain/parts.hpp"

namespace harness {

using emulation::AccessCounts;
using emulation::KernelCounts;
using emulation::LineCounts;
using emulation::Operation;
using emulation::Space;

namespace {

constexpr std::size_t columns = 100;

std::string dimensions(dim3 size) {
    return size.z == 1 ? fmt::format("{}x{}", size.x, size.y)
                       : fmt::format("{}x{}x{}", size.x, size.y, size.z);
}

std::string count(std::uint64_t number, const std::string& what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string per(std::uint64_t number, std::uint64_t of) {
    if (of == 0) return "0";
    const double each = static_cast<double>(number) / static_cast<double>(of);
    return number % of == 0 ? fmt::format("{}", number / of) : fmt::format("{:.1f}", each);
}

std::string name_of(Space space) {
    return space == Space::global ? "global" : space == Space::shared ? "shared" : "texture";
}

std::string heading(const KernelCounts& kernel) {
    const std::string barriers = per(kernel.barriers, kernel.blocks);
    const std::string operations = per(kernel.warp_operations, kernel.blocks);
    return fmt::format(
        "kernel {}: {}, grid {}{}, block {}, {} bytes of shared memory\n"
        "{}, {}; per block {} barrier{} and {} warp operation{}\n\n",
        kernel.name, count(kernel.launches, "launch") + (kernel.launches == 1 ? "" : "es"),
        dimensions(kernel.grid), kernel.same_grid ? "" : " and others", dimensions(kernel.block),
        kernel.shared_bytes, count(kernel.blocks, "block"), count(kernel.warps, "warp"), barriers,
        barriers == "1" ? "" : "s", operations, operations == "1" ? "" : "s");
}

std::string row(const LineCounts& line) {
    const AccessCounts& counts = line.counts;
    const auto each = [&](std::uint64_t number) {
        return fmt::format("{:.2f}", per_request(number, counts));
    };
    const bool is_shared = line.space == Space::shared;
    const std::string kind = fmt::format("{} {}, {}", to_string(line.operation),
                                         name_of(line.space), count(counts.width, "byte"));
    return fmt::format(
        "      {:<25}{:>11}{:>7.1f}{:>11}{:>8}{:>13}{:>8}{:>11}\n", kind, counts.requests,
        per_request(counts.lanes, counts), is_shared ? "-" : each(counts.sectors),
        is_shared ? "-" : each(counts.ideal_sectors), is_shared ? each(counts.wavefronts) : "-",
        is_shared ? each(counts.wavefronts - counts.conflicts) : "-",
        is_shared ? std::to_string(counts.conflicts) : "-");
}

std::string file_name(const LineCounts& line) {
    return line.file.substr(line.file.find_last_of('/') + 1);
}

std::string rows(const KernelCounts& kernel) {
    std::string text =
        fmt::format("{:<31}{:>11}{:>7}{:>11}{:>8}{:>13}{:>8}{:>11}\n", "per request:", "requests",
                    "lanes", "sectors", "ideal", "wavefronts", "ideal", "conflicts");
    const LineCounts* last = nullptr;
    for (const LineCounts& line : kernel.lines) {
        if (last == nullptr || last->file != line.file) text += file_name(line) + "\n";
        if (last == nullptr || last->file != line.file || last->line != line.line) {
            text += fmt::format("{:>4}  {}\n", line.line, source_text(line, columns - 6));
        }
        text += row(line);
        last = &line;
    }
    return text;
}

std::uint64_t sum(const Kernels& kernels, Space space, Operation operation,
                  std::uint64_t AccessCounts::*counter) {
    std::uint64_t result = 0;
    for (const KernelCounts& kernel : kernels) {
        for (const LineCounts& line : kernel.lines) {
            if (line.space == space && line.operation == operation) result += line.counts.*counter;
        }
    }
    return result;
}

}  // namespace

std::string to_string(Operation operation) {
    return operation == Operation::load    ? "load"
           : operation == Operation::store ? "store"
                                           : "atomic";
}

std::string to_string(const uint3& index) {
    return fmt::format("({},{},{})", index.x, index.y, index.z);
}

std::string short_place(const LineCounts& line) {
    return fmt::format("{}:{}", file_name(line), line.line);
}

std::string source_text(const LineCounts& line, std::size_t most) {
    std::ifstream in(line.file);
    std::string text;
    for (int i = 0; i < line.line && std::getline(in, text); ++i) {
    }
    if (!in) return "";
    const auto begin = text.find_first_not_of(" \t");
    text = begin == std::string::npos ? "" : text.substr(begin);
    return text.size() <= most ? text : text.substr(0, most - 4) + " ...";
}

std::vector<Metric> metrics_of(const Kernels& kernels) {
    const auto global = [&](Operation operation, auto counter) {
        return sum(kernels, Space::global, operation, counter);
    };
    const auto shared = [&](Operation operation, auto counter) {
        return sum(kernels, Space::shared, operation, counter);
    };
    const struct {
        Operation operation;
        std::string suffix;
    } operations[] = {
        {Operation::load, "ld"}, {Operation::store, "st"}, {Operation::atomic, "atom"}};
    std::vector<Metric> metrics;
    for (const auto& [operation, suffix] : operations) {
        metrics.push_back({"l1tex__t_requests_pipe_lsu_mem_global_op_" + suffix,
                           global(operation, &AccessCounts::requests)});
        metrics.push_back({"l1tex__t_sectors_pipe_lsu_mem_global_op_" + suffix,
                           global(operation, &AccessCounts::sectors)});
    }
    for (const auto& [operation, suffix] : operations) {
        metrics.push_back({"smsp__inst_executed_op_shared_" + suffix,
                           shared(operation, &AccessCounts::requests)});
        metrics.push_back({"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" + suffix,
                           shared(operation, &AccessCounts::wavefronts)});
        metrics.push_back({"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" + suffix,
                           shared(operation, &AccessCounts::conflicts)});
    }
    return metrics;
}

std::string table_of(const KernelCounts& kernel) {
    std::string text = heading(kernel) + rows(kernel) + "\n";
    for (const Metric& metric : metrics_of({kernel})) {
        if (metric.value > 0)
            text += fmt::format("{:<58}{:>12}\n", metric.name + ".sum", metric.value);
    }
    for (const std::string& sentence : advice(kernel)) text += '\n' + sentence;
    return text;
}

}  // namespace harness
