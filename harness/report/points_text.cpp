// Points as text and as JSON.

#include <fmt/format.h>

#include <algorithm>

#include "points.hpp"
#include "words.hpp"

namespace harness::summary {
namespace {

constexpr double all_points = 100;  // of a lab
constexpr std::size_t most_text = 160;

std::string shortened(const std::string& text) {
    return text.size() <= most_text ? text : printable(text.substr(0, most_text)) + " ...";
}

/// The points that the table does not contain.
std::string other_points(const LabScore& lab) {
    std::string text;
    if (lab.by_teacher() > 0) {
        std::string names;
        for (const TaskScore& task : lab.tasks) {
            if (task.by_teacher() > 0) names += (names.empty() ? "" : ", ") + task.id;
        }
        text += fmt::format(
            "Up to {:g} more for explanations and answers ({}): your teacher grades "
            "these.\n",
            lab.by_teacher(), names);
    }
    const double hidden = all_points - lab.of() - lab.by_teacher();
    if (hidden > 0) text += fmt::format("{:g} more for tests that you do not see.\n", hidden);
    return text;
}

}  // namespace

std::string points_as_text(const LabScore& lab) {
    const std::string heading = "Points of " + lab.lab;
    std::size_t width = heading.size();
    for (const TaskScore& task : lab.tasks) width = std::max(width, task.title.size());
    const auto row = [width](const std::string& id, const std::string& title,
                             const std::string& points, const std::string& next) {
        std::string line = fmt::format("{:2} {:{}} {:>12}  {}", id, title, width, points, next);
        line.erase(line.find_last_not_of(' ') + 1);
        return line + "\n";
    };
    const auto out_of = [](double points, double of) {
        return of > 0 ? fmt::format("{:g} of {:g}", points, of) : std::string("-");
    };
    std::string text = row("", heading, "", "missing for the next point");
    for (const TaskScore& task : lab.tasks) {
        text += row(task.id, task.title, out_of(task.points(), task.of()),
                    (task.noisy() ? "noisy; " : "") + shortened(task.next()));
    }
    text += row("", "total", out_of(lab.points(), lab.of()), "");
    return text + other_points(lab);
}

nlohmann::ordered_json points_as_json(const LabScore& lab) {
    nlohmann::ordered_json json{{"points", lab.points()},
                                {"of", lab.of()},
                                {"by_teacher", lab.by_teacher()},
                                {"tasks", nlohmann::ordered_json::array()}};
    for (const TaskScore& task : lab.tasks) {
        nlohmann::ordered_json scores = nlohmann::ordered_json::array();
        for (const Score& score : task.scores) {
            scores.push_back({{"what", score.what},
                              {"points", score.points},
                              {"of", score.of},
                              {"by_teacher", score.by_teacher},
                              {"noisy", score.noisy},
                              {"missing", printable(score.missing)}});
        }
        json["tasks"].push_back({{"id", task.id},
                                 {"title", task.title},
                                 {"points", task.points()},
                                 {"of", task.of()},
                                 {"by_teacher", task.by_teacher()},
                                 {"scores", scores}});
    }
    return json;
}

}  // namespace harness::summary
