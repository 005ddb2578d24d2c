#include "testing_halos.hpp"

#include <algorithm>
#include <utility>

#include "harness/ranks.hpp"

namespace harness {
namespace {

/// The halo of a side: `halo` rows, of which each is a row of the image or of the first fill.
struct Side {
    enum From {
        neighbour,
        absent,    ///< as at the edge of the image
        unfilled,  ///< what the harness put there
        own_edge,
        far_end,  ///< the neighbour's first rows for its last ones, or the other way round
        other_side
    } from = neighbour;
    int shift = 0;                  ///< the rows lie so many farther from the rank's own
    bool reversed = false;          ///< they lie in reversed order
    int most = 1 << 30;             ///< bytes that arrive, from the first one in memory on
    bool only_nearest_row = false;  ///< arrives
    /// The content of the halo at the edge of the image, cut by `most` and `only_nearest_row`.
    enum { as_defined, nothing, zeros, edge_row } at_edge = as_defined;
};

struct WrongHalo {
    std::string name;
    Side above{}, below{};
};

/// The same mistake on both sides, and on one.
void add_sides(std::vector<WrongHalo>& all, const std::string& name, const Side& side) {
    all.push_back({"each halo: " + name, side, side});
    all.push_back({"the halo above: " + name, side, {}});
    all.push_back({"the halo below: " + name, {}, side});
}

std::vector<WrongHalo> all_wrong(int halo, const cv::Mat& in) {
    std::vector<WrongHalo> all;
    const int row = in.cols * static_cast<int>(in.elemSize());
    add_sides(all,
              "it is not used; rows beside another rank's are computed as at the edge of the image",
              {.from = Side::absent});
    add_sides(all,
              "nothing has arrived there when it is read: a message, or a wait for it, is missing",
              {.from = Side::unfilled});
    all.push_back(
        {"the halos are swapped: the rows of the rank below lie above, and the other way "
         "round",
         {.from = Side::other_side},
         {.from = Side::other_side}});
    add_sides(all, "it repeats the rank's own edge row", {.from = Side::own_edge});
    add_sides(all, "it has the neighbour's rows at the other end: its first for its last ones",
              {.from = Side::far_end});
    add_sides(all, "its rows lie one too near, the first is the rank's own", {.shift = -1});
    add_sides(all, "its rows lie one too far, the nearest is left out", {.shift = 1});
    add_sides(all, "nothing is put there at the edge of the image", {.at_edge = Side::nothing});
    // On an image of one channel, or with a halo of one row, the others change nothing.
    const std::string few = "only one row arrives, where the radius needs more";
    add_sides(all, "its rows are in reversed order", {.reversed = true});
    for (const auto at_edge : {Side::as_defined, Side::zeros, Side::edge_row}) {
        const Side nearest{.only_nearest_row = true, .at_edge = at_edge};
        const Side first{.most = row, .at_edge = at_edge};
        add_sides(all, few, first);
        add_sides(all, few, nearest);
        all.push_back({"each halo: " + few, nearest, first});
        add_sides(all, "only part of it arrives: the number of bytes lacks the channels",
                  {.most = halo * in.cols, .at_edge = at_edge});
    }
    return all;
}

/// A rank's rows with those around them.
class RowsOfRank {
  public:
    RowsOfRank(cv::Mat in, const std::vector<int>& starts, std::size_t rank, int halo)
        : in_(std::move(in)),
          before_(rank > 0 ? starts[rank - 1] : 0),
          first_(starts[rank]),
          end_(starts[rank + 1]),
          after_(rank + 2 < starts.size() ? starts[rank + 2] : end_),
          halo_(halo) {}

    cv::Mat above(const Side& side) const {
        return first_ == 0 ? edge(side, true) : made(side, true);
    }
    cv::Mat below(const Side& side) const {
        return end_ == in_.rows ? edge(side, false) : made(side, false);
    }

  private:
    cv::Mat in_;
    int before_, first_, end_, after_;  ///< the first rows of the rank above, this one, and so on
    int halo_;

    cv::Mat edge(const Side& side, bool is_above) const {
        if (side.at_edge == Side::as_defined) return in_.rowRange(0, 0);
        const cv::Mat zeros = cv::Mat::zeros(1, in_.cols, in_.type());
        const cv::Mat own = in_.row(is_above ? first_ : end_ - 1);
        return filled(side, is_above, [&](int) {
            return side.at_edge == Side::zeros     ? zeros
                   : side.at_edge == Side::nothing ? cv::Mat()
                                                   : own;
        });
    }

    /// The room with the rows that `row_at(distance)` gives, as far as they arrive.
    template <class RowAt>
    cv::Mat filled(const Side& side, bool is_above, RowAt row_at) const {
        cv::Mat rows(halo_, in_.cols, in_.type());
        const auto bytes = static_cast<std::size_t>(in_.cols) * in_.elemSize();
        std::fill_n(rows.data, rows.total() * rows.elemSize(), first_fill);
        for (int i = 0; i < halo_; ++i) {
            const int place = is_above ? halo_ - i : i + 1;
            const cv::Mat row = row_at(side.reversed ? halo_ + 1 - place : place);
            if (row.empty() || (side.only_nearest_row && place > 1)) continue;
            const auto before = static_cast<std::size_t>(i) * bytes;
            const auto most = static_cast<std::size_t>(side.most);
            std::copy_n(row.data, before < most ? std::min(bytes, most - before) : 0, rows.ptr(i));
        }
        return rows;
    }

    /// The row of the image that belongs `distance` rows from the rank's own; it may be outside.
    int source(const Side& side, bool is_above, int distance) const {
        const int far = distance + side.shift;
        switch (side.from) {
            case Side::own_edge:
                return is_above ? first_ : end_ - 1;
            case Side::far_end:
                return is_above ? before_ + halo_ - far : after_ - 1 - halo_ + far;
            case Side::other_side:
                return is_above ? end_ + halo_ - far : first_ - 1 - halo_ + far;
            case Side::unfilled:
                return -1;
            default:
                return is_above ? first_ - far : end_ - 1 + far;
        }
    }

    cv::Mat made(const Side& side, bool is_above) const {
        if (side.from == Side::absent) return in_.rowRange(0, 0);
        return filled(side, is_above, [&](int distance) {
            const int y = source(side, is_above, distance);
            return y < 0 || y >= in_.rows ? cv::Mat() : in_.row(y);
        });
    }
};

/// The image that a rank sees, and its definition.
struct SeenByRank {
    int first, end;  ///< the rank's rows
    int above;       ///< rows above these in the image
    cv::Mat right;
    Check check;
};

SeenByRank seen_by(std::size_t rank, const VariantCall& call, const cv::Mat& in,
                   const std::vector<int>& starts, const WrongHalo& wrong) {
    const RowsOfRank rows(in, starts, rank, call.halo);
    const cv::Mat above = rows.above(wrong.above);
    const cv::Mat below = rows.below(wrong.below);
    cv::Mat image = in.rowRange(starts[rank], starts[rank + 1]).clone();
    if (!above.empty()) cv::vconcat(above, image, image);
    if (!below.empty()) cv::vconcat(image, below, image);
    return {starts[rank], starts[rank + 1], above.rows, call.expected(image),
            call.definition(image)};
}

bool explains_rows(const SeenByRank& one, const cv::Mat& out, int scale) {
    cv::Mat result = one.right.clone();
    const int rows = one.end - one.first;
    out.rowRange(one.first * scale, one.end * scale)
        .copyTo(result.rowRange(one.above * scale, (one.above + rows) * scale));
    return one.check(result, {}).ok();
}

/// The halos that wrong rows need: from above (1), from below (2); 0 if no row is wrong, 4 if
/// others are, too.
int halos_of_wrong_rows(const cv::Mat& out, const cv::Mat& right, const std::vector<int>& starts,
                        int halo, int scale) {
    int all = 0;
    for (std::size_t rank = 0; rank + 1 < starts.size(); ++rank) {
        for (int y = starts[rank] * scale; y < starts[rank + 1] * scale; ++y) {
            if (cv::norm(out.row(y), right.row(y), cv::NORM_INF) <= 1) continue;
            const bool above = rank > 0 && y < (starts[rank] + halo) * scale;
            const bool below = rank + 2 < starts.size() && y >= (starts[rank + 1] - halo) * scale;
            all |= above && below ? 0 : above ? 1 : below ? 2 : 4;
        }
    }
    return all;
}

/// The first row of each rank; empty for a variant without halos.
std::vector<int> starts_of(const VariantCall& call, const cv::Mat& in) {
    if (call.ranks < 2 || call.halo == 0 || !call.expected) return {};
    return first_rows_of_ranks(in.rows, call.halo, call.ranks);
}

int scale_of(const VariantCall& call) {
    return call.out.height / call.in.rows;
}

/// An output of which one of `wrong` explains the rows of each rank.
KnownMistake known(const std::string& name, const VariantCall& call, const cv::Mat& in,
                   const std::vector<int>& starts, const std::vector<WrongHalo>& wrong) {
    const auto explains = [=](const cv::Mat& out) {
        for (std::size_t rank = 0; rank + 1 < starts.size(); ++rank) {
            const bool explained = std::ranges::any_of(wrong, [&](const WrongHalo& one) {
                return explains_rows(seen_by(rank, call, in, starts, one), out, scale_of(call));
            });
            if (!explained) return false;
        }
        return true;
    };
    return {name, explains, "docs/mpi.md, \"What a variant sees\""};
}

}  // namespace

std::vector<KnownMistake> wrong_halos(const VariantCall& variant_call, const cv::Mat& in) {
    const std::vector<int> starts = starts_of(variant_call, in);
    std::vector<KnownMistake> all;
    if (starts.empty()) return all;
    for (const WrongHalo& wrong : all_wrong(variant_call.halo, in)) {
        all.push_back(known(wrong.name, variant_call, in, starts, {wrong}));
    }
    return all;
}

std::vector<KnownMistake> wrong_rows_of_ranks(const VariantCall& variant_call, const cv::Mat& in) {
    const std::vector<int> starts = starts_of(variant_call, in);
    std::vector<KnownMistake> all;
    if (starts.empty()) return all;
    constexpr Side late{.from = Side::unfilled};
    all.push_back(
        known("some halos have not arrived when they are read: a wait (MPI_Wait) or a "
              "message is missing",
              variant_call, in, starts, {{}, {"", late}, {"", {}, late}, {"", late, late}}));
    const auto wrong = [=, right = variant_call.expected(in)](const cv::Mat& out) {
        return halos_of_wrong_rows(out, right, starts, variant_call.halo, scale_of(variant_call));
    };
    const auto add = [&](const std::string& name, int halos) {
        all.push_back({name,
                       [wrong, halos](const cv::Mat& out) {
                           const int found = wrong(out);
                           return found == 0 || found == halos;
                       },
                       all.front().passage});
    };
    add("the first rows of a rank are wrong: its halo from above is missing, or is not the last "
        "rows of the rank above",
        1);
    add("the last rows of a rank are wrong: its halo from below is missing, or is not the first "
        "rows of the rank below",
        2);
    add("the first and the last rows of a rank are wrong: halos are missing, or are not those of "
        "the neighbours",
        3);
    return all;
}

}  // namespace harness
