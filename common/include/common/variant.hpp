#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/options.hpp"
#include "common/rank_functions.hpp"
#include "common/view.hpp"

namespace common {

/// `mpi` variants run in several processes, the ranks of an MPI program. `peer` is a library call
/// (OpenCV, NPP, CUB) that is measured beside the variants.
enum class Backend { seq, omp, cuda, mpi, peer };

/// The required agreement of a library call with the definition. By default it has to agree
/// exactly, or within the bound that the lab derives, everywhere. For other variants the harness
/// ignores this.
struct Agreement {
    int tolerance = 0;         ///< accepted distance beyond the allowed values
    bool inside_only = false;  ///< the border (where the window leaves the image) is not compared
};

/// The compiler optimises the file that includes this.
#ifdef __OPTIMIZE__
constexpr bool is_optimised = true;
#else
constexpr bool is_optimised = false;
#endif

/// The facts about a variant that the harness knows in any lab. A variant's file gives the first
/// four when it registers.
struct VariantInfo {
    std::string name;  ///< backend_idea; also the name of the file, without its number
    Backend backend{};
    std::string idea;  ///< one line
    Agreement agreement{};
    bool on_device = false;   ///< runs on the GPU
    std::string not_built{};  ///< why this build does not contain it; empty if it does
    bool optimised = is_optimised;
};

/// A variant of a lab whose input pixels are `In` and whose output pixels are `Out`.
template <class In, class Out, class Options>
struct Variant : VariantInfo {
    using HostFunction = void(ImageView<const In>, ImageView<Out>, const Options&);
    using DeviceFunction = void(DeviceView<const In>, DeviceView<Out>, const Options&,
                                cudaStream_t);

    /// A rank gets its own rows. The rows of its neighbours that it needs are not there yet, but
    /// there is room for them: halo(options) rows above the first and below the last. They are
    /// row(-1), row(-2), … and row(height), row(height + 1), …
    using HostRankFunction = void(ImageView<In>, ImageView<Out>, const Options&, const Ranks&);
    using DeviceRankFunction = void(DeviceView<In>, DeviceView<Out>, const Options&, const Ranks&,
                                    cudaStream_t);
    using Halo = int(const Options&);

    HostFunction* host = nullptr;
    DeviceFunction* device = nullptr;
    bool in_ranks = false;

    /// A variant that is not in this build.
    explicit Variant(VariantInfo info) : VariantInfo(std::move(info)) {}

    /// A function on host images. Where `info` says `on_device`, it does its own transfers, with
    /// the page-locked memory, streams and events of options.scratch.
    Variant(VariantInfo info, HostFunction* function)
        : VariantInfo(std::move(info)), host(function) {}

    /// A function on images in GPU memory, which launches its kernels on the given stream.
    Variant(VariantInfo info, DeviceFunction* function)
        : VariantInfo(std::move(info)), device(function) {
        on_device = true;
    }

    /// A function that every rank calls, and the number of rows that it needs of a neighbour.
    Variant(VariantInfo info, HostRankFunction* function, Halo* halo = nullptr)
        : VariantInfo(std::move(info)), in_ranks(true) {
        add_rank_function<In, Out, Options, Memory::host>(name, halo, function);
    }

    /// The same with rows in GPU memory.
    Variant(VariantInfo info, DeviceRankFunction* function, Halo* halo = nullptr)
        : VariantInfo(std::move(info)), in_ranks(true) {
        on_device = true;
        add_rank_function<In, Out, Options, Memory::device>(name, halo, function);
    }

    bool built() const { return host != nullptr || device != nullptr || in_ranks; }
};

/// Registers a variant of a lab. A variant's file ends with a static object of this type:
///
///     static const Register registered{
///         {.name = "omp_rows", .backend = Backend::omp, .idea = "…"}, omp_rows};
template <class LabVariant>
class Register {
  public:
    template <class... Arguments>
    explicit Register(VariantInfo info, Arguments... arguments) {
        registered().emplace_back(std::move(info), arguments...);
    }

    /// All variants that were linked into this program, in no order.
    static std::vector<LabVariant>& registered() {
        static std::vector<LabVariant> variants;
        return variants;
    }
};

}  // namespace common
