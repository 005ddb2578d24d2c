#include "pass_mistakes.hpp"

#include <fmt/format.h>

#include <utility>

#include "mistakes.hpp"
#include "problem/sums.hpp"

namespace mistakes {
namespace {

/// Scans `lines` in place.
void run(const Pass& pass, std::vector<Values>& lines) {
    const auto number = static_cast<int>(lines.size());
    const int kept = pass.left_out > 0 ? number / pass.left_out * pass.left_out : number;
    const auto starts_part = [&](int line) {  // the first lines of threads that share them evenly
        const int n = pass.goes_on_in;
        const int more = number % n * (number / n + 1);
        return line < more ? line % (number / n + 1) == 0 : (line - more) % (number / n) == 0;
    };
    std::int64_t before = 0;
    for (int i = 0; i < kept; ++i) {
        Values& line = lines[static_cast<std::size_t>(i)];
        line = harness::scanned(std::move(line), pass.scan);
        if (pass.goes_on_in == 0) continue;
        if (starts_part(i)) before = 0;
        for (std::int64_t& sum : line) sum += before;
        before = line.back();
    }
}

}  // namespace

void set(cv::Mat& sums, int x, int y, std::int64_t value) {
    if (sums.type() == CV_32SC1) {
        sums.ptr<std::int32_t>(y)[x] = static_cast<std::int32_t>(value);
    } else {
        sums.ptr<std::int64_t>(y)[x] = value;
    }
}

cv::Mat two_passes(const cv::Mat& image, int type, const Pass& rows, const Pass& columns) {
    std::vector<Values> by_row;
    for (int y = 0; y < image.rows; ++y) {
        const std::int32_t* row = image.ptr<std::int32_t>(y);
        by_row.emplace_back(row, row + image.cols);
    }
    run(rows, by_row);
    std::vector<Values> by_column(static_cast<std::size_t>(image.cols));
    for (const Values& row : by_row) {
        for (std::size_t x = 0; x < row.size(); ++x) by_column[x].push_back(row[x]);
    }
    run(columns, by_column);
    cv::Mat result(image.size(), type);
    for (int x = 0; x < image.cols; ++x) {
        const Values& sums = by_column[static_cast<std::size_t>(x)];
        for (int y = 0; y < image.rows; ++y) set(result, x, y, sums[static_cast<std::size_t>(y)]);
    }
    return result;
}

std::vector<NamedPass> wrong_passes() {
    std::vector<NamedPass> all;
    for (const harness::WrongScan& scan : harness::wrong_scans()) {
        all.push_back({scan.name, {.scan = scan.rules}});
    }
    for (int n = 1; n <= 8; ++n) {
        all.push_back(
            {"a sum is not set to 0 at the beginning of a line: it goes on in the "
             "thread's next line",
             {.goes_on_in = n}});
        if (n > 1) {
            all.push_back({fmt::format("the last lines (their number % {}) are not added up", n),
                           {.left_out = n}});
        }
    }
    return all;
}

std::vector<harness::KnownMistake> pairs_of(const cv::Mat& image) {
    std::vector<harness::KnownMistake> all;
    if (image.total() > 5000) return all;  // takes seconds
    const int type = integral::sum_type(image);
    const std::vector<NamedPass> passes = wrong_passes();
    for (const NamedPass& rows : passes) {
        for (const NamedPass& columns : passes) {
            all.push_back(
                {"along the rows: " + rows.name + "; and along the columns: " + columns.name,
                 harness::is([=, x = rows.pass, y = columns.pass] {
                     return two_passes(image, type, x, y);
                 }),
                 definition});
        }
    }
    return all;
}

}  // namespace mistakes
