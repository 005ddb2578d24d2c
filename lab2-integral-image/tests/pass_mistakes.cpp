#include "pass_mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "mistakes.hpp"
#include "problem/sums.hpp"

namespace mistakes {
namespace {

/// The number of lines that are scanned, from the first on.
int scanned_lines(const Pass& pass, int number, int length) {
    if (pass.left_out > 0) return number / pass.left_out * pass.left_out;
    if (pass.other_number == 0) return number;
    return std::min(number,
                    (length - 1) / pass.other_number * pass.other_number + pass.other_number);
}

/// The scan of a line up to a length. The values after it stay as they are.
Values scanned_to(std::size_t length, Values line, const harness::ScanRules& rules) {
    if (length >= line.size()) return harness::scanned(std::move(line), rules);
    const auto end = line.begin() + static_cast<std::ptrdiff_t>(length);
    std::ranges::copy(harness::scanned({line.begin(), end}, rules), line.begin());
    return line;
}

/// Scans `lines` in place.
void run(const Pass& pass, std::vector<Values>& lines) {
    const auto number = static_cast<int>(lines.size());
    const std::size_t length = lines.front().size();
    const int kept = scanned_lines(pass, number, static_cast<int>(length));
    const auto starts_part = [&](int line) {  // the first lines of threads that share them evenly
        const int n = pass.goes_on_in;
        const int more = number % n * (number / n + 1);
        return line < more ? line % (number / n + 1) == 0 : (line - more) % (number / n) == 0;
    };
    std::int64_t before = 0;
    for (int i = 0; i < kept; ++i) {
        Values& line = lines[static_cast<std::size_t>(i)];
        line = scanned_to(pass.other_length ? lines.size() : length, std::move(line), pass.scan);
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
    const std::string exchanged = ": width and height are exchanged";
    all.push_back(
        {"the bound of the lines is that of the other axis" + exchanged, {.other_number = 1}});
    for (int threads = 32; threads <= 1024; threads *= 2) {
        all.push_back({"the grid has a thread for each line of the other axis" + exchanged,
                       {.other_number = threads}});
    }
    all.push_back(
        {"a line ends where one of the other axis does" + exchanged, {.other_length = true}});
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
