#include "mistakes.hpp"

#include <functional>
#include <utility>

#include "harness/ranks.hpp"
#include "pass_mistakes.hpp"
#include "problem/oracle.hpp"
#include "problem/sums.hpp"

namespace mistakes {
namespace {

using common::Block;
using harness::KnownMistake;
using Value = std::function<std::int64_t(int x, int y)>;

const std::string inclusive =
    problem + "It is inclusive: the pixel itself, its row and its column count.";
const std::string exscan =
    "docs/mpi.md, \"A task\": The sums of all ranks above are added to every row.";
const std::string size = problem + "If that fits 32 bits, the sums have 32 bits, otherwise 64";

std::int64_t at(const cv::Mat& sums, int x, int y) {
    if (x < 0 || y < 0 || x >= sums.cols || y >= sums.rows) return 0;
    return sums.type() == CV_32SC1 ? sums.ptr<std::int32_t>(y)[x] : sums.ptr<std::int64_t>(y)[x];
}

/// Sums of the type and size of `right`. Values beyond 32 bits wrap around.
cv::Mat made_of(const cv::Mat& right, const Value& value) {
    cv::Mat sums(right.size(), right.type());
    for (int y = 0; y < sums.rows; ++y) {
        for (int x = 0; x < sums.cols; ++x) set(sums, x, y, value(x, y));
    }
    return sums;
}

/// S(x, y) = along(x, y) + `left` S(x-1, y) + `up` S(x, y-1) + `corner` S(x-1, y-1)
cv::Mat recurrence(const cv::Mat& right, const Value& along, int left, int up, int corner) {
    cv::Mat sums(right.size(), right.type());
    for (int y = 0; y < sums.rows; ++y) {
        for (int x = 0; x < sums.cols; ++x) {
            const auto term = [&](std::int64_t factor, int i, int j) {  // may wrap around
                return static_cast<std::uint64_t>(factor) *
                       static_cast<std::uint64_t>(at(sums, i, j));
            };
            const std::uint64_t sum = static_cast<std::uint64_t>(along(x, y)) +
                                      term(left, x - 1, y) + term(up, x, y - 1) +
                                      term(corner, x - 1, y - 1);
            set(sums, x, y, static_cast<std::int64_t>(sum));
        }
    }
    return sums;
}

/// The sums of an image whose last, partial tiles in x and y count as zero.
cv::Mat without_partial_tiles(const cv::Mat& image, Block tile) {
    cv::Mat kept = image.clone();
    kept.colRange(image.cols / tile.width * tile.width, image.cols).setTo(0);
    kept.rowRange(image.rows / tile.height * tile.height, image.rows).setTo(0);
    return integral::integral_image(kept);
}

class Mistakes {
  public:
    Mistakes(const cv::Mat& image, std::optional<Block> block, int ranks)
        : image_(image), right_(integral::integral_image(image)), block_(block), ranks_(ranks) {}

    std::vector<KnownMistake> all() {
        add_ranges();
        add_recurrences();
        add_types();
        all_.push_back(of_kept_sums(right_));
        for (KnownMistake& mistake : of_32_bit_sums(image_)) all_.push_back(std::move(mistake));
        for (KnownMistake& mistake : of_float_sums(image_)) all_.push_back(std::move(mistake));
        const auto add_reading = [this](const std::string& name, const std::string& passage,
                                        cv::Mat (*read)(const cv::Mat&)) {
            all_.push_back({name, harness::is([=, image = image_, right = right_] {
                                return two_passes(read(image), right.type(), {}, {});
                            }),
                            passage});
        };
        add_reading("x and y are exchanged where the input is read", definition,
                    harness::read_exchanged);
        add_reading(
            "rows are read as if they had no padding: row y begins y * pitch values after "
            "row 0, not y * width",
            "common/include/common/view.hpp", harness::read_without_pitch);
        for (const NamedPass& wrong : wrong_passes()) add_passes(wrong.name, wrong.pass);
        if (block_) add_tiles();
        if (ranks_ > 1) add_ranks();
        return all_;
    }

  private:
    cv::Mat image_;
    cv::Mat right_;
    std::optional<Block> block_;
    int ranks_;
    std::vector<KnownMistake> all_;

    void add(const std::string& name, const std::string& passage, const Value& value) {
        all_.push_back({name,
                        harness::is([right = right_, value] { return made_of(right, value); }),
                        passage});
    }

    void add_passes(const std::string& name, const Pass& pass) {
        const auto with = [this](const Pass& rows, const Pass& columns) {
            return harness::is([image = image_, type = right_.type(), rows, columns] {
                return two_passes(image, type, rows, columns);
            });
        };
        const std::string passage = pass.scan.exclusive ? inclusive : definition;
        all_.push_back({"along the rows: " + name, with(pass, {}), passage});
        all_.push_back({"along the columns: " + name, with({}, pass), passage});
        // Exchanged bounds only show in one of the two passes.
        if (pass.other_number > 0 || pass.other_length) return;
        all_.push_back({"along rows and columns: " + name, with(pass, pass), passage});
    }

    void add_ranges() {
        const auto sum = [right = right_](int x, int y) { return at(right, x, y); };
        const auto pixel = [image = image_](int x, int y) { return at(image, x, y); };
        const int last_x = image_.cols - 1;
        const int last_y = image_.rows - 1;
        const auto row = [=](int x, int y) { return sum(x, y) - sum(x, y - 1); };
        const auto column = [=](int x, int y) { return sum(x, y) - sum(x - 1, y); };
        add("the sums run over the rows only: the pass over the columns is missing", definition,
            row);
        add("the sums run over the columns only: the pass over the rows is missing", definition,
            column);
        add("the sums run from the pixel to the end of the image", definition, [=](int x, int y) {
            return sum(last_x, last_y) - sum(x - 1, last_y) - sum(last_x, y - 1) +
                   sum(x - 1, y - 1);
        });
        add("the sums run from the pixel to the end of its row, in the rows above too", definition,
            [=](int x, int y) { return sum(last_x, y) - sum(x - 1, y); });
        add("the sums run from the pixel's row to the last row", definition,
            [=](int x, int y) { return sum(x, last_y) - sum(x, y - 1); });
        add("the sums run over whole rows (i < width for i <= x)", definition,
            [=](int, int y) { return sum(last_x, y); });
        add("the sums run over whole columns (j < height for j <= y)", definition,
            [=](int x, int) { return sum(x, last_y); });
        add("the pixel itself is not counted", inclusive,
            [=](int x, int y) { return sum(x, y) - pixel(x, y); });
        add("the output is the input: nothing is added up", definition, pixel);
        add("x and y are exchanged", definition, [=](int x, int y) { return sum(y, x); });
        add("row 0 and column 0 are not counted", definition,
            [=](int x, int y) { return sum(x, y) - sum(x, 0) - sum(0, y) + sum(0, 0); });
        add("row 0 is not counted", definition,
            [=](int x, int y) { return sum(x, y) - sum(x, 0); });
        add("column 0 is not counted", definition,
            [=](int x, int y) { return sum(x, y) - sum(0, y); });
        add("row 0 is not added to the rows below it (the pass over the columns begins too late)",
            definition, [=](int x, int y) { return y == 0 ? sum(x, 0) : sum(x, y) - sum(x, 0); });
        add("column 0 is not added to the columns right of it (the pass over the rows begins too "
            "late)",
            definition, [=](int x, int y) { return x == 0 ? sum(0, y) : sum(x, y) - sum(0, y); });
        add("only the row above is added, not its sum: row y is row y - 1 plus row y", definition,
            [=](int x, int y) { return row(x, y) + (y > 0 ? row(x, y - 1) : 0); });
        add("the last row is left as the pass over the rows wrote it", definition,
            [=](int x, int y) { return y == last_y ? row(x, y) : sum(x, y); });
        add("the last column is left as the pass over the rows wrote it", definition,
            [=](int x, int y) { return x == last_x ? row(x, y) : sum(x, y); });
        add("the sums are those of the row above", definition,
            [=](int x, int y) { return sum(x, y - 1); });
    }

    void add_recurrences() {
        const Value pixel = [image = image_](int x, int y) { return at(image, x, y); };
        const Value row = [right = right_](int x, int y) {
            return at(right, x, y) - at(right, x, y - 1);
        };
        const auto add_one = [&](const std::string& name, const Value& along, int left, int up,
                                 int corner) {
            all_.push_back({name, harness::is([=, right = right_] {
                                return recurrence(right, along, left, up, corner);
                            }),
                            definition});
        };
        add_one("S(x-1, y-1) is not subtracted from S(x-1, y) + S(x, y-1)", pixel, 1, 1, 0);
        add_one("S(x-1, y-1) is added, not subtracted", pixel, 1, 1, 1);
        add_one("S(x-1, y-1) is subtracted twice", pixel, 1, 1, -2);
        add_one("S(x-1, y) is added where the sum along the row already holds it", row, 1, 1, 0);
        add_one("the sum above is subtracted, not added", row, 0, -1, 0);
        add_one("the sum above left is added, not the sum above", row, 0, 0, 1);
        // The sum along the row goes on in the next row.
        Values running;
        std::int64_t sum = 0;
        for (int y = 0; y < image_.rows; ++y) {
            for (int x = 0; x < image_.cols; ++x) running.push_back(sum += pixel(x, y));
        }
        const Value on = [running, width = image_.cols](int x, int y) {
            return running[static_cast<std::size_t>(y * width + x)];
        };
        add_one("the sum along a row is not set to 0 at the beginning of a row", on, 0, 1, 0);
        add("the sum along a row is not set to 0 at the beginning of a row", definition, on);
    }

    void add_types() {
        const auto sum = [right = right_](int x, int y) { return at(right, x, y); };
        add("an 8-bit overflow: sums wrap around at 256", size,
            [=](int x, int y) { return sum(x, y) & 0xff; });
        add("a 16-bit overflow: sums wrap around at 65536", size,
            [=](int x, int y) { return sum(x, y) & 0xffff; });
        add("a 16-bit overflow: sums wrap around at 32768", size,
            [=](int x, int y) { return std::int64_t{static_cast<std::int16_t>(sum(x, y))}; });
        if (right_.type() == CV_32SC1) return;
        add("a 32-bit overflow: sums are added up in 32 bits and wrap around", size,
            [=](int x, int y) { return std::int64_t{static_cast<std::int32_t>(sum(x, y))}; });
        add("a 32-bit overflow: sums are added up in unsigned 32 bits and wrap around", size,
            [=](int x, int y) { return std::int64_t{static_cast<std::uint32_t>(sum(x, y))}; });
        const Value row = [=](int x, int y) {
            return std::int64_t{static_cast<std::int32_t>(sum(x, y) - sum(x, y - 1))};
        };
        all_.push_back(
            {"a 32-bit overflow: the sum along a row has 32 bits",
             harness::is([=, right = right_] { return recurrence(right, row, 0, 1, 0); }), size});
    }

    /// Adds mistakes in the row that a rank adds to its own sums.
    void add_ranks() {
        const std::vector<int> first = harness::first_rows_of_ranks(image_.rows, 0, ranks_);
        std::vector<std::size_t> rank_of;
        for (std::size_t rank = 0; rank + 1 < first.size(); ++rank) {
            rank_of.insert(rank_of.end(), static_cast<std::size_t>(first[rank + 1] - first[rank]),
                           rank);
        }
        const int bytes = static_cast<int>(right_.elemSize());
        add("only the first part of the row from above is added: as many bytes as there are values "
            "(sizeof)",
            exscan, [=, right = right_](int x, int y) {
                const int top = first[rank_of[static_cast<std::size_t>(y)]];
                return at(right, x, y) - (x < right.cols / bytes ? 0 : at(right, x, top - 1));
            });
        // As many 32-bit numbers as there are sums: each half of a sum is added up by itself.
        const auto half_from = [=, right = right_](std::size_t rank, int x, int half) {
            if (2 * x + half >= right.cols) return std::int64_t{0};
            std::uint32_t sum = 0;
            for (std::size_t above = 0; above < rank; ++above) {
                const std::int64_t own =
                    at(right, x, first[above + 1] - 1) - at(right, x, first[above] - 1);
                sum += static_cast<std::uint32_t>(own >> (32 * half));
            }
            return static_cast<std::int64_t>(std::uint64_t{sum} << (32 * half));
        };
        if (bytes == 8) {
            add("the MPI datatype has 32 bits (MPI_INT), the sums have 64", exscan,
                [=, right = right_](int x, int y) {
                    const std::size_t rank = rank_of[static_cast<std::size_t>(y)];
                    return at(right, x, y) - at(right, x, first[rank] - 1) + half_from(rank, x, 0) +
                           half_from(rank, x, 1);
                });
        }
        const std::size_t last = first.size() - 1;
        const auto add_one = [&](const std::string& name, auto above) {
            add(name, exscan, [=, right = right_](int x, int y) {
                const std::size_t rank = rank_of[static_cast<std::size_t>(y)];
                const auto sum_before = [&](std::size_t other) {  // the rows above that rank
                    return at(right, x, first[other] - 1);
                };
                return at(right, x, y) - sum_before(rank) + above(rank, sum_before);
            });
        };
        using Rank = std::size_t;
        add_one("each rank has its own sums only: nothing of the ranks above is added",
                [](Rank, const auto&) { return std::int64_t{0}; });
        const auto add_above = [&](const std::string& name, auto above) {
            add_one(name, [=](Rank rank, const auto& before) {
                return rank == 0 ? std::int64_t{0} : above(rank, before);
            });
        };
        add_above("only the last row of the rank directly above is added, not those of all above",
                  [](Rank rank, const auto& before) { return before(rank) - before(rank - 1); });
        add_above("only the last row of rank 0 is added, not those of all ranks above",
                  [](Rank, const auto& before) { return before(1); });
        add_above("rank 0 is not among the ranks above",
                  [](Rank rank, const auto& before) { return before(rank) - before(1); });
        // Rank 0, above which nothing is, may add the sums, too.
        const auto add_both = [&](const std::string& name, auto sum) {
            add_one(name, sum);
            add_above(name, sum);
        };
        add_both("a rank adds its own last row, too: MPI_Scan in place of MPI_Exscan",
                 [](Rank rank, const auto& before) { return before(rank + 1); });
        add_both("a rank adds its own last row in place of those above",
                 [](Rank rank, const auto& before) { return before(rank + 1) - before(rank); });
        add_both("a rank adds the last rows of all ranks: MPI_Allreduce in place of MPI_Exscan",
                 [last](Rank, const auto& before) { return before(last); });
    }

    void add_tiles() {
        const Block tile = *block_;
        const cv::Mat partial = without_partial_tiles(image_, tile);
        add("the last, partial tiles are dropped", definition,
            [=](int x, int y) { return at(partial, x, y); });
        const auto sum = [right = right_](int x, int y) { return at(right, x, y); };
        const auto from = [=](int x, int y, int first_x, int first_y) {
            return sum(x, y) - sum(first_x - 1, y) - sum(x, first_y - 1) +
                   sum(first_x - 1, first_y - 1);
        };
        add("only the block's own tile is added up, not those left of it and above", definition,
            [=](int x, int y) {
                return from(x, y, x / tile.width * tile.width, y / tile.height * tile.height);
            });
        add("the tiles left of the block are not added", definition,
            [=](int x, int y) { return from(x, y, x / tile.width * tile.width, 0); });
        add("the tiles above the block are not added", definition,
            [=](int x, int y) { return from(x, y, 0, y / tile.height * tile.height); });
        const auto in_earlier_tiles = [=](int x, int y, bool whole_x, bool whole_y) {
            return [=](int i, int j) {
                const bool own_x = i / tile.width == x / tile.width;
                const bool own_y = j / tile.height == y / tile.height;
                return (own_x || !whole_x ? i % tile.width <= x % tile.width : true) &&
                       (own_y || !whole_y ? j % tile.height <= y % tile.height : true);
            };
        };
        const auto add_counted = [&](const std::string& name, bool whole_x, bool whole_y) {
            add(name, definition, [=, image = image_](int x, int y) {
                const auto counts = in_earlier_tiles(x, y, whole_x, whole_y);
                std::int64_t total = 0;
                for (int j = 0; j <= y; ++j) {
                    for (int i = 0; i <= x; ++i) total += counts(i, j) ? at(image, i, j) : 0;
                }
                return total;
            });
        };
        add_counted("of the tiles left of the block, only the columns up to the thread's own count",
                    false, true);
        add_counted("of the tiles above the block, only the rows up to the thread's own count",
                    true, false);
        add_counted("of earlier tiles, only the columns and rows up to the thread's own count",
                    false, false);
    }
};

}  // namespace

std::vector<KnownMistake> of(const cv::Mat& image, std::optional<Block> block, int ranks) {
    return Mistakes(image, block, ranks).all();
}

}  // namespace mistakes
