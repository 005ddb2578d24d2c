#include "harness/testing_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace harness {
namespace {

using Numbers = std::vector<std::int64_t>;

/// A scan in place by one thread per value of a whole segment, with the distances 1, 2, 4, ...
void scan_segment(std::span<std::int64_t> values, std::size_t whole, const ScanRules& rules) {
    const std::size_t size = values.size();
    const std::size_t together =
        rules.lockstep > 0 ? static_cast<std::size_t>(rules.lockstep) : size;
    for (std::size_t distance = 1; distance < whole; distance *= 2) {
        if (distance == static_cast<std::size_t>(rules.missing_distance)) continue;
        for (std::size_t begin = 0; begin < size; begin += together) {
            const Numbers before(values.begin(), values.end());
            const std::size_t end = std::min(begin + together, size);
            for (std::size_t i = begin; i < end; ++i) {
                if (i >= distance + (rules.strict ? 1 : 0)) {
                    values[i] += before[i - distance];
                } else if (rules.adds_own) {
                    values[i] += before[i];
                }
            }
        }
    }
}

/// True if the sums of a segment do not depend on the steps of its scan.
bool is_in_order(const ScanRules& rules) {
    return rules.missing_distance == 0 && rules.lockstep == 0 && !rules.adds_own && !rules.strict;
}

std::size_t segments(std::size_t length, const ScanRules& rules) {
    if (rules.segment == 0) return static_cast<std::size_t>(rules.parts);
    return (length - 1) / static_cast<std::size_t>(rules.segment) + 1;
}

std::size_t begin_of(std::size_t index, std::size_t length, const ScanRules& rules) {
    if (rules.segment == 0) return length * index / static_cast<std::size_t>(rules.parts);
    return std::min(index * static_cast<std::size_t>(rules.segment), length);
}

/// The value with which the sums of the next segment begin.
std::int64_t next_carry(std::int64_t carry, std::int64_t total, std::int64_t first_sum,
                        std::int64_t last_value, const ScanRules& rules) {
    switch (rules.carry) {
        case ScanRules::all:
            return carry + total;
        case ScanRules::previous:
            return total;
        case ScanRules::value:
            return carry + last_value;
        case ScanRules::first:
            return carry + first_sum;
        case ScanRules::twice:
            // It doubles with each segment. The remainder has the same lower 32 bits, and sums of
            // thousands of such values do not overflow.
            return 2 * (carry % (std::int64_t{1} << 48)) + total;
        case ScanRules::none:
            break;
    }
    return 0;
}

/// The scan with rules.part_of_thread.
Numbers scanned_by_parts(Numbers values, const ScanRules& rules) {
    const auto segment = static_cast<std::size_t>(rules.segment);
    const auto part = static_cast<std::size_t>(rules.part_of_thread);
    Numbers carries(segment / part);
    std::int64_t sum = 0;
    std::int64_t before_part = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i % segment == 0) sum = 0;
        if (i % part == 0) before_part = sum;
        std::int64_t& carry = carries[i % segment / part];
        sum += values[i];
        values[i] = carry + sum;
        if ((i + 1) % part == 0) carry += sum - (rules.carries_own_part ? before_part : 0);
    }
    return values;
}

}  // namespace

Numbers scanned(Numbers values, const ScanRules& rules) {
    if (rules.part_of_thread > 0) return scanned_by_parts(std::move(values), rules);
    const Numbers given = values;
    std::int64_t carry = 0;
    for (std::size_t s = 0; s < segments(values.size(), rules); ++s) {
        const std::size_t begin = begin_of(s, values.size(), rules);
        const std::size_t end = begin_of(s + 1, values.size(), rules);
        if (begin == end) continue;
        const std::span<std::int64_t> part(values.data() + begin, end - begin);
        if (is_in_order(rules)) {
            std::partial_sum(part.begin(), part.end(), part.begin());
        } else {
            const auto whole = static_cast<std::size_t>(rules.segment);
            scan_segment(part, whole > 0 ? whole : part.size(), rules);
        }
        const std::int64_t total = part.back();
        for (std::size_t i = begin; i < end; ++i) {
            values[i] += carry - (rules.exclusive ? given[i] : 0);
        }
        carry = next_carry(carry, total, given[begin], given[end - 1], rules);
    }
    return values;
}

namespace {

/// Adds wrong carries from one segment to the next. `of` describes a segment.
void add_wrong_carries(std::vector<WrongScan>& all, const std::string& of, const ScanRules& rules) {
    const std::string into = "the carry into a " + of;
    const std::pair<ScanRules::Carry, const char*> carries[]{
        {ScanRules::previous, " is the total of the one before it only, not of all before it"},
        {ScanRules::value, " is the last value of the one before it, not its last sum"},
        {ScanRules::first,
         " is the first sum of the one before it, not the last (lane 0 for the last lane)"},
        {ScanRules::twice,
         " is added twice: the last sum of the one before it contains it already"}};
    for (const auto& [carry, text] : carries) {
        // Into the second part, these are right.
        const bool needs_third = carry == ScanRules::previous || carry == ScanRules::twice;
        if (rules.parts == 2 && needs_third) continue;
        all.push_back({into + text, rules});
        all.back().rules.carry = carry;
    }
}

}  // namespace

std::vector<WrongScan> wrong_scans() {
    std::vector<WrongScan> all{
        {"the scan is exclusive: a value is not counted in its own sum", {.exclusive = true}},
        {"the scan lacks a barrier between reading and writing", {.lockstep = 32}},
        {"the first step of the scan is missing (distance 1)", {.missing_distance = 1}}};
    for (int threads = 2; threads <= 8; ++threads) {
        all.push_back({"the sum of one thread's part is not carried into the next thread's",
                       {.parts = threads, .carry = ScanRules::none}});
        add_wrong_carries(all, "part of a thread", {.parts = threads});
    }
    for (int segment = 2; segment <= 1024; segment *= 2) {
        const std::string of = fmt::format("segment of {} values", segment);
        all.push_back(
            {fmt::format("the carry is lost: the sum begins again every {} values", segment),
             {.segment = segment, .carry = ScanRules::none}});
        add_wrong_carries(all, of, {.segment = segment});
        for (int part = 1; part < segment && part <= 16; part *= 2) {
            all.push_back({"a thread's carry into the next " + of +
                               " has the totals of the threads up to this one only, not of all",
                           {.segment = segment, .part_of_thread = part}});
            all.push_back({"a thread's carry into the next " + of +
                               " has the totals of this thread only, not of all",
                           {.segment = segment, .part_of_thread = part, .carries_own_part = true}});
        }
        for (const auto carry : {ScanRules::all, ScanRules::none}) {
            if (segment <= 32) {  // of a warp
                all.push_back(
                    {"lanes below the distance add their own value: lane >= distance is "
                     "not tested",
                     {.segment = segment, .carry = carry, .adds_own = true}});
            }
            all.push_back(
                {"the lane whose left value is in lane 0 does not add it (lane > distance "
                 "for >=)",
                 {.segment = 2 * segment, .carry = carry, .strict = true}});
            all.push_back({"the first step of the scan is missing (distance 1)",
                           {.segment = 2 * segment, .carry = carry, .missing_distance = 1}});
            all.push_back(
                {fmt::format("the last step of the scan is missing (distance {})", segment),
                 {.segment = 2 * segment, .carry = carry, .missing_distance = segment}});
        }
    }
    return all;
}

}  // namespace harness
