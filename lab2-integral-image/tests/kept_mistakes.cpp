#include "mistakes.hpp"
#include "pass_mistakes.hpp"

namespace mistakes {
namespace {

constexpr int most_threads = 8;

/// True if each sum contains the one that its thread had computed before it, or begins anew, as
/// seldom as a thread or a line does. The sum before is `step` pixels before in the order of the
/// loop over lines, or at the end of one of the lines before.
template <class Sum>
bool contain_those_before(const cv::Mat& right, const cv::Mat& out, bool down_columns, int step) {
    const int lines = down_columns ? right.cols : right.rows;
    const int length = down_columns ? right.rows : right.cols;
    const auto at = [=](const cv::Mat& sums, int number) {
        const int line = number / length;
        const int place = number % length;
        const Sum* row = reinterpret_cast<const Sum*>(sums.ptr(down_columns ? place : line));
        return static_cast<std::uint64_t>(row[down_columns ? line : place]);
    };
    int kept = 0;
    int new_ones = 0;
    for (int number = 0; number < lines * length; ++number) {
        const std::uint64_t own = at(right, number);
        const std::uint64_t got = at(out, number);
        const auto contains = [&](int before) {
            return before >= 0 && static_cast<Sum>(own + at(out, before)) == static_cast<Sum>(got);
        };
        bool found = contains(number - step);
        for (int back = 0; step == 1 && number % length == 0 && back < most_threads; ++back) {
            found = found || contains(number - 1 - back * length);
        }
        if (!found && own != got) return false;
        ++(found ? kept : new_ones);
    }
    return kept >= new_ones;
}

bool are_kept(const cv::Mat& right, const cv::Mat& out) {
    for (const bool down_columns : {false, true}) {
        for (int step = 1; step <= most_threads; ++step) {
            const bool found =
                right.type() == CV_32SC1
                    ? contain_those_before<std::int32_t>(right, out, down_columns, step)
                    : contain_those_before<std::int64_t>(right, out, down_columns, step);
            if (found) return true;
        }
    }
    return false;
}

}  // namespace

harness::KnownMistake of_kept_sums(const cv::Mat& right) {
    return {
        "the sum is not set to 0 for each pixel: it contains that of the pixel which the thread "
        "has computed before",
        [right](const cv::Mat& out) { return are_kept(right, out); }, definition};
}

}  // namespace mistakes
