#include "testing_groups.hpp"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <optional>

namespace harness {
namespace {

/// An order of the values of a group: `place` is the position of value `i` of `n`.
struct Order {
    const char* name;
    int (*place)(int i, int n);
    int least;  ///< values of a group: with fewer, another order is the same
};

constexpr Order orders[] = {
    {"in reverse order (the first of a word is in its lowest byte)",
     [](int i, int n) { return n - 1 - i; }, 2},
    {"with its halves exchanged", [](int i, int n) { return (i + n / 2) % n; }, 4},
    {"with each two neighbours exchanged", [](int i, int) { return i ^ 1; }, 4},
    {"one place too far right, the last one first", [](int i, int n) { return (i + 1) % n; }, 4},
    {"one place too far left, the first one last", [](int i, int n) { return (i + n - 1) % n; },
     4}};

/// The output in the right order, if all whole groups of a row are in this one.
cv::Mat reordered(const cv::Mat& out, int n, const Order& order) {
    cv::Mat sorted = out.clone();
    const std::size_t bytes = out.elemSize1();
    for (int y = 0; y < out.rows; ++y) {
        for (int first = 0; first + n <= out.cols * out.channels(); first += n) {
            for (int i = 0; i < n; ++i) {
                const auto from = static_cast<std::size_t>(first + order.place(i, n)) * bytes;
                const auto to = static_cast<std::size_t>(first + i) * bytes;
                std::memcpy(sorted.ptr(y) + to, out.ptr(y) + from, bytes);
            }
        }
    }
    return sorted;
}

}  // namespace

std::vector<KnownMistake> wrong_groups(const VariantCall& variant_call, const cv::Mat& in) {
    std::vector<KnownMistake> all;
    const auto right =
        std::make_shared<std::optional<Check>>();  // takes time, and is mostly unused
    const auto is_right = [right, in, definition = variant_call.definition](const cv::Mat& out) {
        if (!*right) *right = definition(in);
        return (**right)(out, {}).ok();
    };
    for (const int n : {2, 4, 8, 16}) {
        for (const Order& order : orders) {
            if (n < order.least) continue;
            all.push_back({fmt::format("each group of {} values is stored {}", n, order.name),
                           [=](const cv::Mat& out) { return is_right(reordered(out, n, order)); }});
        }
    }
    return all;
}

}  // namespace harness
