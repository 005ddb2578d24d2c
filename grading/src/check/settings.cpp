#include "check/settings.hpp"

#include <fmt/format.h>

#include <array>
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
    std::istringstream options(from.at("kernel_options").get<std::string>());
    for (std::string option; std::getline(options, option, ';');) {
        settings.kernel_options.push_back(option);
    }
    return settings;
}

std::string LabFacts::first_kernel() const {
    constexpr std::array names{"cuda_per_channel", "cuda_lines", "cuda_naive",
                               "cuda_global_atomics"};
    return names.at(static_cast<std::size_t>(number - 1));
}

LabFacts lab_numbered(int number, const std::filesystem::path& source) {
    const std::string begin = fmt::format("lab{}-", number);
    for (const auto& entry : std::filesystem::directory_iterator(source)) {
        const std::string name = entry.path().filename();
        const LabFacts lab{number, name};
        if (name.starts_with(begin) && std::filesystem::exists(source / lab.headers())) return lab;
    }
    throw common::BadUsage(fmt::format("--lab {}: there are labs 1 to 4", number));
}

}  // namespace grading
