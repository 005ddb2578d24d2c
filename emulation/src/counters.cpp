// From requests to counts: sectors of global memory, wavefronts of shared memory.

#include "emulation/counters.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

namespace emulation {
namespace {

/// Addresses of the active lanes with their sizes, sorted.
using Ranges = std::vector<std::pair<std::uint64_t, std::uint8_t>>;

Ranges ranges_of(const Request& request) {
    Ranges ranges;
    ranges.reserve(lanes_of_warp);
    for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
        if (request.has(lane)) ranges.emplace_back(request.address[lane], request.bytes[lane]);
    }
    std::sort(ranges.begin(), ranges.end());
    return ranges;
}

std::uint64_t distinct_bytes(const Ranges& ranges) {
    std::uint64_t sum = 0;
    std::uint64_t end = 0;
    for (const auto& [begin, bytes] : ranges) {
        const std::uint64_t own_end = begin + bytes;
        if (own_end > end) sum += own_end - std::max(begin, end);
        end = std::max(end, own_end);
    }
    return sum;
}

std::vector<std::uint64_t> sectors_of(const Ranges& ranges) {
    std::vector<std::uint64_t> sectors;
    sectors.reserve(ranges.size());
    // An access is a multiple of its size from the beginning, so that it lies in one sector.
    for (const auto& range : ranges) sectors.push_back(range.first / sector_bytes);
    std::sort(sectors.begin(), sectors.end());
    sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
    return sectors;
}

/// Lanes that change the same address do so one after the other: the first lane of each address,
/// then the second one of each, and so on.
std::vector<Ranges> turns_of(const Ranges& ranges) {
    std::vector<Ranges> turns;
    std::size_t turn = 0;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        turn = i > 0 && ranges[i].first == ranges[i - 1].first ? turn + 1 : 0;
        if (turn == turns.size()) turns.emplace_back();
        turns[turn].push_back(ranges[i]);
    }
    return turns;
}

/// Each turn of an atomic function accesses its sectors.
std::uint64_t sectors_in_turns(const std::vector<Ranges>& turns) {
    std::uint64_t sum = 0;
    for (const Ranges& turn : turns) sum += sectors_of(turn).size();
    return sum;
}

unsigned width_of(const Request& request) {
    return *std::max_element(request.bytes.begin(), request.bytes.end());
}

Part part_of(const Request& request, unsigned first, unsigned lanes) {
    Part part;
    for (unsigned lane = first; lane < first + lanes; ++lane) {
        if (!request.has(lane)) continue;
        const std::uint64_t last = (request.address[lane] + request.bytes[lane] - 1) / bank_bytes;
        for (std::uint64_t word = request.address[lane] / bank_bytes; word <= last; ++word) {
            const auto known = std::find_if(part.words.begin(), part.words.end(),
                                            [&](const BankWord& w) { return w.word == word; });
            if (known != part.words.end()) {
                known->lanes |= 1u << lane;
            } else {
                part.words.push_back({word, 1u << lane});
            }
        }
    }
    std::array<unsigned, banks> words_in{};
    for (const BankWord& word : part.words) {
        part.wavefronts = std::max(part.wavefronts, ++words_in[word.bank()]);
    }
    return part;
}

}  // namespace

std::vector<std::uint64_t> sectors_of(const Request& request) {
    return sectors_of(ranges_of(request));
}

std::vector<Part> parts_of(const Request& request) {
    const unsigned words = std::max(width_of(request) / bank_bytes, 1u);
    const unsigned lanes = lanes_of_warp / words;
    std::vector<Part> parts;
    for (unsigned first = 0; first < lanes_of_warp; first += lanes) {
        Part part = part_of(request, first, lanes);
        if (part.wavefronts > 0) parts.push_back(std::move(part));
    }
    return parts;
}

bool Example::better_than(const Example& other) const {
    if (other.request.active == 0) return true;
    const auto rank = [](const Example& e) {
        return std::tuple(e.interior, e.cost, std::popcount(e.request.active));
    };
    if (rank(*this) != rank(other)) return rank(*this) > rank(other);
    return std::tie(block, warp) < std::tie(other.block, other.warp);
}

void AccessCounts::add(const Example& seen, std::uint32_t live, Space space, Operation operation) {
    const Request& request = seen.request;
    const Ranges ranges = ranges_of(request);
    ++requests;
    lanes += ranges.size();
    live_lanes += static_cast<unsigned>(std::popcount(live | request.active));
    for (const auto& range : ranges) bytes += range.second;
    width = std::max(width, width_of(request));
    const auto turns = operation == Operation::atomic ? turns_of(ranges) : std::vector<Ranges>{};
    most_on_one_address = std::max(most_on_one_address, static_cast<unsigned>(turns.size()));
    Example candidate = seen;
    if (space == Space::shared) {
        for (const Part& part : parts_of(request)) {
            wavefronts += part.wavefronts;
            conflicts += part.wavefronts - 1;
            candidate.cost += part.wavefronts;
        }
    } else {
        candidate.cost = sectors_of(ranges).size();
        if (operation == Operation::atomic) candidate.cost = sectors_in_turns(turns);
        sectors += candidate.cost;
        ideal_sectors += (distinct_bytes(ranges) + sector_bytes - 1) / sector_bytes;
    }
    if (candidate.better_than(example)) example = candidate;
}

void AccessCounts::add(const AccessCounts& other) {
    requests += other.requests;
    lanes += other.lanes;
    live_lanes += other.live_lanes;
    bytes += other.bytes;
    sectors += other.sectors;
    ideal_sectors += other.ideal_sectors;
    wavefronts += other.wavefronts;
    conflicts += other.conflicts;
    width = std::max(width, other.width);
    most_on_one_address = std::max(most_on_one_address, other.most_on_one_address);
    if (other.example.request.active != 0 && other.example.better_than(example)) {
        example = other.example;
    }
}

}  // namespace emulation
