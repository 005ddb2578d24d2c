#include "check/tools.hpp"

#include <algorithm>

namespace grading {

Compiled compiled_fairly(const std::function<Compiled()>& compile,
                         const std::function<void()>& check_tools) {
    Compiled first = compile();
    if (first.ok()) return first;
    check_tools();
    if (first.reached_its_time) return first;
    Compiled second = compile();
    if (!second.ok() && second.said != first.said) check_tools();
    return second;
}

double share_of(double seconds_left, std::size_t files, std::size_t at_once) {
    if (files == 0) return std::max(seconds_left, 0.0);
    const auto parallel = static_cast<double>(std::min(files, at_once));
    return std::max(seconds_left, 0.0) * parallel / static_cast<double>(files);
}

}  // namespace grading
