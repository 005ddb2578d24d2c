#include "check/wanted.hpp"

#include <algorithm>

#include "common/error.hpp"

namespace grading {
namespace {

using nlohmann::json;

/// The speed that results.json shows, whatever the tasks want.
json usual_speed(const LabFacts& lab, const std::string& variant, const json& points) {
    const json rules = points.is_object() ? points.value("compare", json::array()) : json::array();
    for (const json& rule : rules) {
        const json& variants = rule.at("variants");
        if (std::find(variants.begin(), variants.end(), variant) == variants.end()) continue;
        return {{"against", rule.at("against")}, {"where", rule.value("where", json::object())}};
    }
    const bool is_kernel = variant.starts_with("cuda_");
    return {{"against", is_kernel ? lab.first_kernel : lab.first_loop}, {"where", json::object()}};
}

}  // namespace

std::vector<json> speeds_of(const LabFacts& lab, const std::string& variant, const json& points) {
    std::vector<json> speeds;
    if (points.is_object()) {
        for (const json& task : points.at("tasks")) {
            if (task.value("variant", "") != variant || !task.contains("speed")) continue;
            speeds.push_back({{"against", task["speed"].value("against", "seq")},
                              {"where", task["speed"].value("where", json::object())}});
            for (const char* name : {"floor", "full", "points"}) {
                speeds.back()[name] = task["speed"].at(name);
            }
        }
    }
    const json usual = usual_speed(lab, variant, points);
    const bool has_usual = std::ranges::any_of(
        speeds, [&](const json& speed) { return speed.at("against") == usual.at("against"); });
    if (!has_usual) speeds.push_back(usual);
    return speeds;
}

std::string variant_of_task(const std::string& id, const json& points) {
    std::string known;
    for (const json& task : points.value("tasks", json::array())) {
        if (task.value("id", "") == id) return task.value("variant", "");
        known += " " + task.value("id", "");
    }
    throw common::BadUsage("--task " + id + ": there is no such task; there are:" + known);
}

bool is_of_a_task(const std::string& variant, const json& points) {
    return points.is_object() && std::ranges::any_of(points.at("tasks"), [&](const json& task) {
               return task.value("variant", "") == variant;
           });
}

std::vector<std::string> expected_names(const json& points) {
    std::vector<std::string> names{"answers.txt"};
    if (!points.is_object()) return names;
    for (const json& task : points.value("tasks", json::array())) {
        const std::string variant = task.value("variant", "");
        const char* extension = variant.starts_with("cuda_") ? ".cu" : ".cpp";
        if (!variant.empty()) names.push_back(variant + extension);
    }
    return names;
}

json counters_of(const std::string& variant, const json& points) {
    json counters = json::array();
    if (!points.is_object()) return counters;
    for (const json& task : points.at("tasks")) {
        if (task.value("variant", "") != variant) continue;
        for (const char* list : {"counters", "requires"}) {
            for (const json& rule : task.value(list, json::array())) counters.push_back(rule);
        }
    }
    return counters;
}

json measured_of(const LabFacts& lab, const std::string& variant, const json& points,
                 bool with_speeds) {
    json measured{{"is_of_a_task", is_of_a_task(variant, points)},
                  {"counters", json::array()},
                  {"speeds", json::array()}};
    for (const json& rule : counters_of(variant, points)) {
        measured["counters"].push_back({{"counter", rule.at("counter")},
                                        {"input", rule.at("input")},
                                        {"options", rule.value("options", "")},
                                        {"kernel", rule.value("kernel", "")}});
    }
    if (!with_speeds) return measured;
    for (const json& speed : speeds_of(lab, variant, points)) {
        measured["speeds"].push_back({{"against", speed.at("against")},
                                      {"where", speed.at("where")},
                                      {"has_points", speed.contains("points")}});
    }
    return measured;
}

}  // namespace grading
