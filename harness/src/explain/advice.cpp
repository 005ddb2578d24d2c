// Sentences about counts that are far from the ideal. What they say of lanes describes one example
// request, which they name.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "explain/parts.hpp"

namespace harness {

using emulation::AccessCounts;
using emulation::BankWord;
using emulation::Example;
using emulation::KernelCounts;
using emulation::LineCounts;
using emulation::Operation;
using emulation::Part;
using emulation::Request;
using emulation::Space;

namespace {

constexpr double far_from_ideal = 1.25;  ///< sectors over ideal sectors
constexpr double many_conflicts = 0.1;   ///< per request
constexpr double few_lanes = 0.75;       ///< of those of the warp
constexpr double worth_saying = 0.05;    ///< of the kernel's requests
constexpr std::size_t width = 100;

/// The line for which `excess` is the largest, if it is more than 0 there. Lines with few requests
/// are not worth a sentence.
template <class Excess>
const LineCounts* worst(const KernelCounts& kernel, Excess excess) {
    std::uint64_t requests = 0;
    for (const LineCounts& line : kernel.lines) requests += line.counts.requests;
    const LineCounts* found = nullptr;
    for (const LineCounts& line : kernel.lines) {
        if (static_cast<double>(line.counts.requests) <
            worth_saying * static_cast<double>(requests)) {
            continue;
        }
        if (excess(line) > (found == nullptr ? 0 : excess(*found))) found = &line;
    }
    return found;
}

std::string where(const LineCounts& line) {
    const Example& example = line.counts.example;
    return fmt::format("in warp {} of block {}", example.warp, to_string(example.block_index));
}

/// The distance in bytes between neighbouring active lanes, if it is the same for all of them.
std::optional<std::int64_t> distance(const Request& request) {
    std::optional<std::int64_t> found;
    std::optional<unsigned> last;
    for (unsigned lane = 0; lane < emulation::lanes_of_warp; ++lane) {
        if (!request.has(lane)) continue;
        if (last) {
            const auto here = static_cast<std::int64_t>(request.address[lane]) -
                              static_cast<std::int64_t>(request.address[*last]);
            if (found.value_or(here) != here) return std::nullopt;
            found = here;
        }
        last = lane;
    }
    return found;
}

/// The number of ranges of contiguous bytes that the lanes access.
unsigned ranges(const Request& request) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> sorted;
    for (unsigned lane = 0; lane < emulation::lanes_of_warp; ++lane) {
        const std::uint64_t begin = request.address[lane];
        if (request.has(lane)) sorted.emplace_back(begin, begin + request.bytes[lane]);
    }
    std::sort(sorted.begin(), sorted.end());
    unsigned count = 0;
    std::uint64_t end = 0;
    for (const auto& range : sorted) {
        if (count == 0 || range.first > end) ++count;
        end = std::max(end, range.second);
    }
    return count;
}

std::uint64_t first_address(const Request& request) {
    return request.address[static_cast<unsigned>(std::countr_zero(request.active))];
}

std::string pattern(const LineCounts& line) {
    const Request& request = line.counts.example.request;
    const auto apart = distance(request);
    const unsigned bytes = request.bytes[static_cast<unsigned>(std::countr_zero(request.active))];
    if (!apart) return fmt::format("the lanes access {} separate ranges of bytes", ranges(request));
    if (std::abs(*apart) == bytes) {
        return fmt::format("the first lane's address is {} bytes after a multiple of 32",
                           first_address(request) % emulation::sector_bytes);
    }
    return fmt::format("the lanes are {} bytes apart and access {} byte{} each", std::abs(*apart),
                       bytes, bytes == 1 ? "" : "s");
}

std::string about_sectors(const LineCounts& line) {
    return fmt::format(
        "{}: {:.2f} sectors per request, {:.2f} if the bytes were contiguous and "
        "aligned. For example, {} {}.",
        short_place(line), per_request(line.counts.sectors, line.counts),
        per_request(line.counts.ideal_sectors, line.counts), where(line), pattern(line));
}

/// The words that lanes access in the bank with the largest conflict, in one part of the request.
std::vector<BankWord> busiest_bank(const Request& request) {
    std::vector<BankWord> busiest;
    for (const Part& part : emulation::parts_of(request)) {
        for (unsigned bank = 0; bank < emulation::banks; ++bank) {
            std::vector<BankWord> words;
            std::copy_if(part.words.begin(), part.words.end(), std::back_inserter(words),
                         [bank](const BankWord& word) { return word.bank() == bank; });
            if (words.size() > busiest.size()) busiest = std::move(words);
        }
    }
    return busiest;
}

std::string about_conflicts(const LineCounts& line) {
    const auto words = busiest_bank(line.counts.example.request);
    return fmt::format(
        "{}: {:.2f} bank conflicts per request. For example, {} the lanes access {} "
        "different words of bank {}, lanes {} and {} among them.",
        short_place(line), per_request(line.counts.conflicts, line.counts), where(line),
        words.size(), words[0].bank(), std::countr_zero(words[0].lanes),
        std::countr_zero(words[1].lanes));
}

std::string about_lanes(const LineCounts& line) {
    return fmt::format(
        "{}: on average {:.1f} of {:.1f} lanes take part in a request. The others "
        "took another branch, left a loop earlier, or have returned.",
        short_place(line), per_request(line.counts.lanes, line.counts),
        per_request(line.counts.live_lanes, line.counts));
}

std::string about_atomics(const LineCounts& line) {
    return fmt::format(
        "{}: up to {} lanes of a request change the same address. The GPU performs "
        "these changes one after the other.",
        short_place(line), line.counts.most_on_one_address);
}

double excess_sectors(const LineCounts& line) {
    const auto sectors = static_cast<double>(line.counts.sectors);
    const auto ideal = static_cast<double>(line.counts.ideal_sectors);
    return line.space == Space::global && sectors > far_from_ideal * ideal ? sectors - ideal : 0;
}

double excess_conflicts(const LineCounts& line) {
    const auto conflicts = static_cast<double>(line.counts.conflicts);
    return conflicts > many_conflicts * static_cast<double>(line.counts.requests) ? conflicts : 0;
}

double missing_lanes(const LineCounts& line) {
    const auto lanes = static_cast<double>(line.counts.lanes);
    const auto live = static_cast<double>(line.counts.live_lanes);
    return lanes < few_lanes * live ? live - lanes : 0;
}

double same_address(const LineCounts& line) {
    const bool meets = line.operation == Operation::atomic && line.counts.most_on_one_address > 1;
    return meets ? static_cast<double>(line.counts.requests) : 0;
}

/// Broken into lines of at most `width` columns.
std::string wrapped(const std::string& text) {
    std::string result;
    std::size_t column = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        if (column > 0 && column + 1 + end - begin > width) {
            result += "\n  ";
            column = 2;
        } else if (column > 0) {
            result += ' ';
            ++column;
        }
        result += text.substr(begin, end - begin);
        column += end - begin;
        begin = end + 1;
    }
    return result + "\n";
}

}  // namespace

std::vector<std::string> advice(const KernelCounts& kernel) {
    std::vector<std::string> sentences;
    const auto add = [&](auto excess, auto sentence) {
        const LineCounts* line = worst(kernel, excess);
        if (line != nullptr) sentences.push_back(wrapped(sentence(*line)));
    };
    add(excess_sectors, about_sectors);
    add(excess_conflicts, about_conflicts);
    add(missing_lanes, about_lanes);
    add(same_address, about_atomics);
    return sentences;
}

}  // namespace harness
