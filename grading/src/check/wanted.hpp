#pragma once

// Reads from the rules how a variant is timed and counted.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "check/settings.hpp"

namespace grading {

/// The speeds in `points` (points.json, or null), and one against the simplest loop or kernel,
/// which results.json shows whatever the tasks want.
std::vector<nlohmann::json> speeds_of(const LabFacts& lab, const std::string& variant,
                                      const nlohmann::json& points);

/// The variant of a task in `points`; "" for one with answers only. Throws BadUsage if there is no
/// such task.
std::string variant_of_task(const std::string& id, const nlohmann::json& points);

/// True if a task in `points` is about this variant.
bool is_of_a_task(const std::string& variant, const nlohmann::json& points);

/// The counters in `points`, and those that a task requires, which have no points.
nlohmann::json counters_of(const std::string& variant, const nlohmann::json& points);

/// The measurements that the rules `points` ask for, without limits and points. Two sets of rules
/// with equal measurements share their facts.
nlohmann::json measured_of(const LabFacts& lab, const std::string& variant,
                           const nlohmann::json& points, bool with_speeds);

/// The names of the files of the tasks.
std::vector<std::string> expected_names(const nlohmann::json& points);

}  // namespace grading
