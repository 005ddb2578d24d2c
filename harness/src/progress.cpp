#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace harness {

std::string duration_text(double seconds) {
    const long whole = std::lround(std::ceil(seconds));
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

Progress::Progress(std::string title)
    : title_(std::move(title)),
      visible_(isatty(STDERR_FILENO) == 1),
      last_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
    if (visible_) fmt::print(stderr, "\r\033[K");
}

void Progress::plan(const std::string& kind, double work) {
    kinds_[kind].planned += work;
}

void Progress::done(const std::string& kind, double work, const std::string& what) {
    const auto now = std::chrono::steady_clock::now();
    Kind& entry = kinds_[kind];
    entry.done += work;
    entry.seconds += std::chrono::duration<double>(now - last_).count();
    last_ = now;
    if (!visible_) return;

    const double left = seconds_left();
    const double part = seconds_spent() / std::max(seconds_spent() + left, 1e-9);
    const int filled = static_cast<int>(part * 24);
    fmt::print(stderr, "\r\033[K{} [{:#<{}}{:.<{}}] {:3.0f}%  about {} left  {}", title_, "",
               filled, "", 24 - filled, 100 * part, duration_text(left), what);
    std::fflush(stderr);
}

double Progress::seconds_spent() const {
    double seconds = 0;
    for (const auto& [name, kind] : kinds_) seconds += kind.seconds;
    return seconds;
}

/// Extrapolates each kind of work by its own speed so far, and a kind that has not begun by the
/// mean speed.
double Progress::seconds_left() const {
    double all_done = 0;
    for (const auto& [name, kind] : kinds_) all_done += kind.done;
    double left = 0;
    for (const auto& [name, kind] : kinds_) {
        const double pace =
            kind.done > 0 ? kind.seconds / kind.done : seconds_spent() / std::max(all_done, 1e-9);
        left += pace * std::max(kind.planned - kind.done, 0.0);
    }
    return left;
}

}  // namespace harness
