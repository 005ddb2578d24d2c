#include "mistakes.hpp"

#include <fmt/format.h>

#include <cstring>

#include "counting_mistakes.hpp"
#include "harness/ranks.hpp"

namespace mistakes {
namespace {

namespace oracle = equalize::oracle;
using common::Block;
using harness::ScanRules;
using oracle::Counts;
using oracle::Table;

const std::string min_line = problem + "cdf_min cdf of the darkest level that occurs";
const std::string lut = problem + "lut[i] (cdf[i] - cdf_min) * scale, as a float, rounded";
const std::string constant_line =
    problem +
    "A picture of a single level has no contrast to gain (the divisor would be 0) and is "
    "returned as it is.";
const std::string merge = "docs/mpi.md, \"Several GPUs with NCCL\": the table needs all";
const std::string rounding_line =
    problem + "a float product that is exactly half-way between two integers is rounded";
const std::string overflow_line =
    problem + "`count * 255` overflows a signed 32-bit integer from 8.4 million pixels on.";

std::vector<Named> table_mistakes(const cv::Mat& image) {
    const auto with_look_up = [](auto look_up) {
        Rules rules;
        rules.look_up = look_up;
        return rules;
    };
    const auto at = [](const Table& table, int level) {
        return table[static_cast<std::size_t>(std::clamp(level, 0, 255))];
    };
    const std::int64_t width = image.cols;
    const std::int64_t height = image.rows;
    return {
        {"cdf_min is hist[0], and not the count of the darkest level that occurs",
         min_line,
         {.cdf_min = Rules::first}},
        {"cdf_min is the smallest count, and not the count of the darkest level that occurs",
         min_line,
         {.cdf_min = Rules::smallest}},
        {"cdf_min is the darkest level itself, not its cdf", min_line, {.cdf_min = Rules::level}},
        {"cdf_min is the cdf of the second darkest level", min_line, {.cdf_min = Rules::next}},
        {"the CDF is divided by N, and cdf_min is not subtracted", lut, {.cdf_min = Rules::zero}},
        {"the divisor is N, and not N - cdf_min", lut, {.divisor = Rules::all}},
        {"the divisor is N - 1, and not N - cdf_min", lut, {.divisor = Rules::all_but_one}},
        {"N is width * width", lut, {.divisor = Rules::other_total, .total = width * width}},
        {"N is height * height", lut, {.divisor = Rules::other_total, .total = height * height}},
        {"the factor is 256, not 255", lut, {.scale = 256}},
        {"values are truncated instead of rounded", lut, {.rounding = Rules::down}},
        {"values are rounded up instead of to nearest", lut, {.rounding = Rules::up}},
        {"half-way cases are rounded up instead of to the even neighbour",
         rounding_line,
         {.rounding = Rules::half_up}},
        {"the division comes last, and half-way cases are rounded up: a quotient is rounded, not a "
         "product with 255 / (N - cdf_min)",
         rounding_line,
         {.rounding = Rules::exactly_half_up}},
        {"the division comes last: a quotient is rounded, not a product with 255 / (N - cdf_min)",
         rounding_line,
         {.rounding = Rules::exactly}},
        {"the division is one of integers: (cdf - cdf_min) / (N - cdf_min) is 0 or 1 before it is "
         "multiplied",
         lut,
         {.truncated_first = Rules::quotient}},
        {"the division is one of integers: 255 / (N - cdf_min) is truncated before it is "
         "multiplied",
         lut,
         {.truncated_first = Rules::factor}},
        {"the divisions are of integers, by N: cdf / N is 0 or 1 before it is multiplied",
         lut,
         {.cdf_min = Rules::zero, .truncated_first = Rules::quotient}},
        {"values are stretched between the darkest level and the brightest one: the minimum and "
         "the maximum in place of the CDF",
         cdf_line,
         {.stretches = true}},
        {"values are stretched between the darkest level and the brightest one, and truncated",
         cdf_line,
         {.rounding = Rules::down, .stretches = true}},
        {"a 32-bit overflow of count * 255", overflow_line, {.bits_of_product = 32}},
        {"the look-up is missing: the output is the input", lut,
         with_look_up([](const Table&, int level) { return level; })},
        {"the values are inverted: 255 minus the right one", lut,
         with_look_up([](const Table& table, int level) {
             return 255 - table[static_cast<std::size_t>(level)];
         })},
        {"the look-up takes the value of the next brighter level", lut,
         with_look_up([at](const Table& table, int level) { return at(table, level + 1); })},
        {"the look-up takes the value of the next darker level", lut,
         with_look_up([at](const Table& table, int level) { return at(table, level - 1); })},
        {"the table is looked up twice", lut, with_look_up([at](const Table& table, int level) {
             return at(table, at(table, level));
         })}};
}

harness::KnownMistake known(const std::string& name, const std::string& passage, const Rules& rules,
                            const cv::Mat& from) {
    return {name,
            [from, rules](const cv::Mat& out) {
                const std::optional<Table> values = table_in(from, out);
                return values ? ways(*values, from, rules) : 0;
            },
            passage};
}

/// Mistakes in the merge of the ranks' counts: each rank has a table of its own.
std::vector<harness::KnownMistake> merge_mistakes(const cv::Mat& image, int ranks) {
    const std::vector<int> first = harness::first_rows_of_ranks(image.rows, 0, ranks);
    std::vector<harness::KnownMistake> all;
    if (first.size() < 3) return all;  // one rank
    using Rank = std::size_t;
    const auto add_rules = [&](const std::string& name, auto rules_of) {
        const auto explains = [=](const cv::Mat& out) {
            auto of_all = ~harness::Ways{0};
            for (Rank rank = 0; rank + 1 < first.size(); ++rank) {
                const auto own = [&](const cv::Mat& of) {
                    return of.rowRange(first[rank], first[rank + 1]);
                };
                const std::optional<Table> values = table_in(own(image), own(out));
                of_all &= values ? ways(*values, image, rules_of(rank)) : 0;
            }
            return of_all;
        };
        all.push_back({name, explains, merge});
    };
    /// `counts(rank, of)`: whether the table of `rank` has the counts of rank `of`.
    const auto add = [&](const std::string& name, auto counts) {
        add_rules(name, [=](Rank rank) {
            Rules rules;
            rules.counts = [=](const cv::Mat&, int, int y) {
                const auto next = std::ranges::upper_bound(first, y);
                return counts(rank, static_cast<std::size_t>(next - first.begin()) - 1);
            };
            return rules;
        });
    };
    add_rules("N is the number of pixels in the rank's own rows, and not in the whole image",
              [=, width = std::int64_t{image.cols}](Rank rank) {
                  return Rules{.divisor = Rules::other_total,
                               .total = width * (first[rank + 1] - first[rank])};
              });
    /// Counts halves `from` to `to` - 1 of each rank's rows once per rank.
    const auto add_repeated = [&](const std::string& part, int from, int to) {
        add_rules(part +
                      " counts once per rank: counts that MPI has added up are sent again, as "
                      "those of one rank (MPI_IN_PLACE)",
                  [=](Rank) {
                      Rules rules;
                      rules.counts = [=](const cv::Mat&, int, int y) {
                          const auto next = std::ranges::upper_bound(first, y);
                          const int size = *next - *(next - 1);
                          const int row = y - *(next - 1);
                          const bool is_repeated =
                              row >= size / 2 * from && (row < size / 2 || to == 2);
                          return is_repeated ? ranks : 1;
                      };
                      return rules;
                  });
    };
    add_repeated("the first half of a rank's rows", 0, 1);
    add_repeated("the last half of a rank's rows", 1, 2);
    add_repeated("each pixel", 0, 2);
    add("rank 0 has the counts of all, the others their own: MPI_Reduce in place of MPI_Allreduce",
        [](Rank rank, Rank of) { return rank == 0 || of == rank; });
    add("rank 0 has the counts of all, the others none: MPI_Reduce in place of MPI_Allreduce",
        [](Rank rank, Rank) { return rank == 0; });
    add("each rank has the counts of its own rows only",
        [](Rank rank, Rank of) { return of == rank; });
    add("each rank has the counts of its own rows and of those above: MPI_Scan in place of "
        "MPI_Allreduce",
        [](Rank rank, Rank of) { return of <= rank; });
    add("all ranks have the counts of rank 0 only", [](Rank, Rank of) { return of == 0; });
    add("rank 0 is missing from the sum", [](Rank, Rank of) { return of > 0; });
    add("the last rank is missing from the sum",
        [last = first.size() - 2](Rank, Rank of) { return of < last; });
    return all;
}

/// The output of a variant that joins 8 values to a word and shifts each as an integer of 32 bits,
/// with or without a sign, before it converts it to 64 bits. A CPU takes the shift modulo 32; other
/// code has 0 from 32 on.
template <class Int32>
cv::Mat shifted_in_32_bits(const cv::Mat& right, bool modulo) {
    cv::Mat out = right.clone();
    for (int y = 0; y < out.rows; ++y) {
        uchar* row = out.ptr(y);
        for (int x = 0; x + 8 <= out.cols; x += 8) {
            std::uint64_t word = 0;
            for (int i = 0; i < 8; ++i) {
                if (i > 3 && !modulo) continue;
                const auto bits = static_cast<std::uint32_t>(row[x + i]) << (8 * (i % 4));
                word |= static_cast<std::uint64_t>(std::int64_t{static_cast<Int32>(bits)});
            }
            std::memcpy(row + x, &word, sizeof word);
        }
    }
    return out;
}

/// Adds to `rules` what `others` changes in the table, but not the look-up. Returns false if
/// `others` changes nothing, or something that `rules` changes too.
bool take_table(Rules& rules, const Rules& others) {
    const Rules right;
    int taken = 0;
    bool twice = false;
    const auto take = [&](auto... member) {
        const auto one = [&](auto part) {
            if (others.*part == right.*part) return;
            twice = twice || rules.*part != right.*part;
            rules.*part = others.*part;
            ++taken;
        };
        (one(member), ...);
    };
    take(&Rules::cdf_min, &Rules::divisor, &Rules::total, &Rules::scale, &Rules::rounding,
         &Rules::bits_of_product, &Rules::truncated_first, &Rules::stretches);
    return taken > 0 && !twice;
}

}  // namespace

std::vector<harness::KnownMistake> pairs_of(const cv::Mat& image, std::optional<Block> block) {
    if (image.channels() != 1) return {};
    std::vector<harness::KnownMistake> all;
    const std::vector<Named> in_table = table_mistakes(image);
    const auto add = [&](const Named& a, const Named& b, const Rules& rules) {
        all.push_back(known(a.name + "; and " + b.name, a.passage, rules, image));
    };
    for (const Named& a : in_table) {
        for (const Named& b : counting_mistakes(block)) {
            Rules rules = b.rules;
            take_table(rules, a.rules);
            rules.look_up = a.rules.look_up;
            add(a, b, rules);
        }
        for (const Named& b : in_table) {
            Rules rules = a.rules;
            if (&a < &b && take_table(rules, b.rules)) add(a, b, rules);
        }
    }
    return all;
}

std::vector<harness::KnownMistake> of(const cv::Mat& image, std::optional<Block> block, int ranks) {
    if (image.channels() != 1) return {};
    std::vector<harness::KnownMistake> all = merge_mistakes(image, ranks);
    const auto add = [&](const std::string& name, const std::string& passage, const Rules& rules) {
        all.push_back(known(name, passage, rules, image));
    };
    // Mistakes that only constant images show. The most specific mistake comes first, as it is the
    // one that is named.
    const cv::Mat right = oracle::equalized(image);
    const bool constant =
        cv::norm(image, cv::Mat(image.size(), image.type(), image.at<uchar>(0)), cv::NORM_INF) == 0;
    for (const int value : {0, 255}) {
        all.push_back(
            {fmt::format("a constant image becomes {}, and is not returned as it is", value),
             harness::is([=] {
                 return constant ? cv::Mat(image.size(), CV_8UC1, cv::Scalar(value)) : right;
             }),
             constant_line});
    }
    for (const auto& mistakes :
         {table_mistakes(image), counting_mistakes(block), layout_mistakes(block)}) {
        for (const Named& one : mistakes) add(one.name, one.passage, one.rules);
    }
    for (const harness::WrongScan& scan : harness::wrong_scans()) {
        add("the CDF: " + scan.name, cdf_line, {.scan = scan.rules});
    }
    for (const auto& shifted :
         {shifted_in_32_bits<std::int32_t>, shifted_in_32_bits<std::uint32_t>}) {
        for (const bool modulo : {true, false}) {
            all.push_back(
                {"8 values are joined to a word, and each is shifted as an integer of 32 bits "
                 "and converted to 64 after that: a shift by 32 or more (undefined); convert "
                 "before the shift",
                 harness::is([=] { return shifted(right, modulo); }), lut});
        }
    }
    all.push_back(known(
        "rows are read as if they had no padding: row y begins y * pitch values after row 0, not y "
        "* width",
        "common/include/common/view.hpp", {}, harness::read_without_pitch(image)));
    return all;
}

}  // namespace mistakes
