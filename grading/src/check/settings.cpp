#include "check/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "common/error.hpp"

namespace grading {

Settings Settings::read() {
    const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    std::ifstream file(folder / "settings.json");
    if (!file) throw common::Failed((folder / "settings.json").string() + ": cannot be read");
    const auto from = nlohmann::json::parse(file);
    Settings settings{from.at("source").get<std::string>(),
                      folder,
                      // /etc/alternatives is not in the sandbox
                      std::filesystem::canonical(from.at("compiler").get<std::string>()),
                      from.at("translator").get<std::string>(),
                      {}};
    if (const std::string nvcc = from.at("nvcc"); !nvcc.empty()) {
        settings.nvcc = std::filesystem::canonical(nvcc);
    }
    settings.namespaces = from.at("namespaces");
    std::istringstream options(from.at("kernel_options").get<std::string>());
    for (std::string option; std::getline(options, option, ';');) {
        settings.kernel_options.push_back(option);
    }
    return settings;
}

namespace {

/// The kernel with the lowest number, "cuda_per_channel" of ladder/10_cuda_per_channel.cu; or "".
std::string lowest_kernel(const std::filesystem::path& ladder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(ladder)) {
        if (entry.path().extension() == ".cu") names.push_back(entry.path().stem());
    }
    const auto lowest = std::min_element(names.begin(), names.end());
    return lowest == names.end() ? "" : lowest->substr(lowest->find('_') + 1);
}

/// Those that the rules name, if they name any. A mistake in the rules is found by `read_rules`.
void take_simplest(LabFacts& lab, const std::filesystem::path& rules) {
    std::ifstream file(rules);
    const auto read = nlohmann::json::parse(file, nullptr, false);
    if (!read.is_object() || !read.contains("simplest")) return;
    const nlohmann::json& named = read["simplest"];
    if (!named.is_object()) return;
    const auto take = [&](const char* kind, std::string& variant) {
        if (named.contains(kind) && named[kind].is_string()) variant = named[kind];
    };
    take("loop", lab.first_loop);
    take("kernel", lab.first_kernel);
}

}  // namespace

LabFacts lab_numbered(int number, const std::filesystem::path& source) {
    const std::string begin = fmt::format("lab{}-", number);
    for (const auto& entry : std::filesystem::directory_iterator(source)) {
        const std::string name = entry.path().filename();
        LabFacts lab{number, name, "seq", ""};
        if (!name.starts_with(begin) || !exists(source / lab.assignment() / "starter.manifest"))
            continue;
        lab.first_kernel = lowest_kernel(entry.path() / "ladder");
        take_simplest(lab, source / lab.points());
        return lab;
    }
    throw common::BadUsage(fmt::format("--lab {}: there is no such lab", number));
}

}  // namespace grading
