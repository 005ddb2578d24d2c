#include "check/wanted.hpp"

#include <algorithm>

#include "common/error.hpp"

namespace grading {
namespace {

using nlohmann::json;

/// The speed that results.json shows, whatever the tasks want.
json usual_speed(const LabFacts& lab, const std::string& variant) {
    if (variant.starts_with("cuda_")) {
        return {{"against", lab.first_kernel}, {"where", json::object()}};
    }
    const std::vector<std::string> quadratic{"omp_outer", "omp_inner", "omp_nested"};
    if (lab.number != 2 ||
        std::find(quadratic.begin(), quadratic.end(), variant) == quadratic.end()) {
        return {{"against", lab.first_loop}, {"where", json::object()}};
    }
    return {{"against", "seq_naive"}, {"where", {{"width", 100}, {"height", 100}}}};
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
    const json usual = usual_speed(lab, variant);
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

json counters_of(const std::string& variant, const json& points) {
    json counters = json::array();
    for (const json& task : points.value("tasks", json::array())) {
        if (task.value("variant", "") != variant) continue;
        for (const char* list : {"counters", "requires"}) {
            for (const json& rule : task.value(list, json::array())) counters.push_back(rule);
        }
    }
    return counters;
}

}  // namespace grading
