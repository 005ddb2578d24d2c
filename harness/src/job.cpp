#include "harness/job.hpp"

#include <fmt/format.h>

#include <vector>

#include "common/error.hpp"
#include "harness/device.hpp"
#include "harness/ranks.hpp"

namespace harness {

using namespace common;

std::string_view to_string(Backend backend) {
    switch (backend) {
        case Backend::seq:
            return "seq";
        case Backend::omp:
            return "omp";
        case Backend::cuda:
            return "cuda";
        case Backend::mpi:
            return "mpi";
        case Backend::peer:
            return "peer";
    }
    return "?";
}

std::optional<std::string> why_unavailable(const VariantInfo& variant) {
    if (!variant.not_built.empty()) return variant.not_built;
    if (variant.backend == Backend::mpi && !built_with_mpi()) {
        return "the harness was built without MPI: configure it again, then the lab";
    }
    if (variant.backend == Backend::mpi && !rank_starter()) {
        return "neither mpiexec nor srun is in the PATH (apt-get install openmpi-bin)";
    }
    if (variant.on_device && !device_facts().usable()) return device_facts().why_unusable;
    return std::nullopt;
}

bool is_emulated(const VariantInfo& variant) {
    return variant.on_device && device_facts().emulated;
}

bool has_own_threads(const VariantInfo& variant) {
    return variant.backend == Backend::seq || variant.backend == Backend::omp;
}

std::string threads_text(const VariantInfo& variant, const RunOptions& options) {
    std::string text;
    if (!variant.on_device) text = fmt::format(";threads={}", options.threads);
    if (variant.backend == Backend::mpi) text += fmt::format(";ranks={}", options.ranks);
    return text;
}

std::optional<std::string> emulated_fault(std::string_view message) {
    constexpr std::string_view mark = "WRONG (found by the emulation): ";
    const auto start = message.find(mark);
    if (start == std::string_view::npos) return std::nullopt;
    return std::string(message.substr(start + mark.size()));
}

const VariantInfo& find_variant(std::span<const VariantInfo> variants, std::string_view name,
                                std::string_view option) {
    std::string names;
    for (const VariantInfo& variant : variants) {
        if (variant.name == name) return variant;
        names += (names.empty() ? "" : ", ") + variant.name;
    }
    throw BadUsage(fmt::format("{}: unknown variant '{}'; there are: {}", option, name, names));
}

}  // namespace harness
