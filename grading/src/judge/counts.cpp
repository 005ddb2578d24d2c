#include "judge/counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <string_view>

#include "common/error.hpp"

namespace grading {
namespace {

enum Space : std::size_t { global, shared, texture };
enum Operation : std::size_t { load, store, atomic };

/// The worker may have written anything.
std::string_view name_of(const CountedKernel& kernel) {
    return {kernel.name.data(),
            static_cast<std::size_t>(std::ranges::find(kernel.name, '\0') - kernel.name.begin())};
}

void add(AccessSums& sum, const AccessSums& other) {
    sum.requests += other.requests;
    sum.sectors += other.sectors;
    sum.wavefronts += other.wavefronts;
    sum.conflicts += other.conflicts;
    sum.bytes += other.bytes;
}

/// The sums over the kernels of this name, or over all.
CountedKernel total(const Counts& counts, const std::string& name) {
    CountedKernel sum;
    const auto known = std::min<std::size_t>(counts.kernels, counts.kernel.size());
    for (const CountedKernel& kernel : std::span(counts.kernel).first(known)) {
        if (!name.empty() && name_of(kernel) != name) continue;
        sum.launches += kernel.launches;
        sum.blocks += kernel.blocks;
        sum.warps += kernel.warps;
        sum.barriers += kernel.barriers;
        sum.most_stored += kernel.most_stored;
        for (std::size_t space = 0; space < sum.accesses.size(); ++space) {
            for (std::size_t operation = 0; operation < sum.accesses[space].size(); ++operation) {
                add(sum.accesses[space][operation], kernel.accesses[space][operation]);
            }
        }
    }
    return sum;
}

double ratio(std::uint64_t count, std::uint64_t of) {
    return of == 0 ? 0 : static_cast<double>(count) / static_cast<double>(of);
}

std::map<std::string, double> values_of(const CountedKernel& kernel) {
    std::map<std::string, double> values;
    const auto set = [&](const std::string& name, std::uint64_t value) {
        values[name] = static_cast<double>(value);
    };
    set("launches", kernel.launches);
    set("blocks", kernel.blocks);
    set("warps", kernel.warps);
    values["barriers/block"] = ratio(kernel.barriers, kernel.blocks);
    const char* const names[] = {"load", "store", "atomic"};
    const char* const suffixes[] = {"ld", "st", "atom"};
    std::uint64_t conflicts = 0;
    for (const std::size_t operation : {load, store, atomic}) {
        const std::string name = names[operation];
        const std::string suffix = suffixes[operation];
        const AccessSums& in_global = kernel.accesses[global][operation];
        const AccessSums& in_shared = kernel.accesses[shared][operation];
        // An atomic function loads and stores: without these, it would take the place of both.
        AccessSums with_atomics = in_global;
        if (operation != atomic) add(with_atomics, kernel.accesses[global][atomic]);
        set(name + " requests", with_atomics.requests);
        set(name + " sectors", with_atomics.sectors);
        values[name + " sectors/request"] = ratio(with_atomics.sectors, with_atomics.requests);
        set("shared " + name + " requests", in_shared.requests);
        set("l1tex__t_requests_pipe_lsu_mem_global_op_" + suffix, in_global.requests);
        set("l1tex__t_sectors_pipe_lsu_mem_global_op_" + suffix, in_global.sectors);
        set("smsp__inst_executed_op_shared_" + suffix, in_shared.requests);
        set("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" + suffix, in_shared.wavefronts);
        set("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" + suffix, in_shared.conflicts);
        conflicts += in_shared.conflicts;
    }
    set("bank conflicts", conflicts);
    return values;
}

}  // namespace

bool is_counter(const std::string& name) {
    return values_of({}).contains(name);
}

double counter_value(const Counts& counts, const std::string& counter, const std::string& kernel) {
    const auto values = values_of(total(counts, kernel));
    const auto found = values.find(counter);
    if (found == values.end()) throw common::BadUsage("there is no counter '" + counter + "'");
    return found->second;
}

std::uint64_t most_stored(const Counts& counts) {
    return total(counts, "").most_stored;
}

std::string why_implausible(const Counts& counts, const std::string& kernel, std::size_t bytes_in,
                            std::size_t bytes_out) {
    const CountedKernel all = total(counts, "");
    const CountedKernel named = total(counts, kernel);
    if (named.launches == 0) {
        return kernel.empty() ? "no kernel was launched" : "no kernel " + kernel + " was launched";
    }
    const auto& memory = named.accesses[global];
    const std::uint64_t read = memory[load].bytes + named.accesses[texture][load].bytes;
    const std::uint64_t written =
        all.accesses[global][store].bytes + all.accesses[global][atomic].bytes;
    if (read < bytes_in) {
        return fmt::format("{} loaded {} bytes, the input has {}",
                           kernel.empty() ? "the kernels" : kernel, read, bytes_in);
    }
    if (written < bytes_out) {
        return fmt::format("the kernels stored {} bytes, the output has {}", written, bytes_out);
    }
    const std::uint64_t most_of_request = 32 * 16;  // bytes
    if (memory[load].requests * most_of_request < memory[load].bytes ||
        memory[store].requests * most_of_request < memory[store].bytes) {
        return "fewer requests than the bytes need";
    }
    // Sectors are of 32 bytes, and each byte of the input is in one.
    if (named.accesses[texture][load].bytes == 0 && memory[load].sectors * 32 < bytes_in) {
        return "fewer sectors than the input has";
    }
    return "";
}

}  // namespace grading
