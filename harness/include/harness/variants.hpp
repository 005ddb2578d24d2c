#pragma once

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/variant.hpp"

namespace harness {

using namespace common;

/// A variant's file, as CMake found it. CMake's lists are in the order of `list`: by backend, then
/// the ladder by number, then expert variants and those of experiments, then libraries.
struct VariantFile {
    std::string_view name;    ///< of the variant
    std::string_view idea;    ///< as the file registers it
    std::string_view reason;  ///< why it is not in this build; empty if it is
};

/// "omp_rows" -> Backend::omp.
inline Backend backend_of(std::string_view name) {
    if (name.starts_with("omp")) return Backend::omp;
    if (name.starts_with("cuda")) return Backend::cuda;
    if (name.starts_with("mpi")) return Backend::mpi;
    return name.starts_with("peer") ? Backend::peer : Backend::seq;
}

/// The registered variants in the order of `files`. Variants that are not in this build have a
/// reason. Only libraries keep their Agreement; other variants have to agree exactly.
template <class LabVariant>
std::vector<LabVariant> variants_in_order(std::span<const VariantFile> files) {
    std::vector<LabVariant> rest = Register<LabVariant>::registered();
    std::vector<LabVariant> result;
    for (const VariantFile& file : files) {
        const auto found =
            std::find_if(rest.begin(), rest.end(), [&](auto& v) { return v.name == file.name; });
        if (found != rest.end()) {
            result.push_back(*found);
            rest.erase(found);
            continue;
        }
        VariantInfo info{std::string(file.name), backend_of(file.name), std::string(file.idea)};
        info.not_built = file.reason.empty() ? "its file registers no variant of its own name"
                                             : std::string(file.reason);
        info.on_device = info.backend == Backend::cuda || file.name.starts_with("mpi_cuda") ||
                         file.name == "mpi_nccl";
        result.emplace_back(std::move(info));
    }
    for (const LabVariant& other : rest) {  // a copied file may register the name of its original
        const bool taken = std::any_of(result.begin(), result.end(),
                                       [&](auto& v) { return v.name == other.name; });
        if (!taken) result.push_back(other);
    }
    for (LabVariant& variant : result) {
        if (variant.backend != Backend::peer) variant.agreement = {};
    }
    return result;
}

/// The variant called `name`. Throws std::out_of_range.
template <class LabVariant>
const LabVariant& variant_named(const std::vector<LabVariant>& variants, std::string_view name) {
    for (const LabVariant& variant : variants) {
        if (variant.name == name) return variant;
    }
    throw std::out_of_range(std::string(name));
}

}  // namespace harness
