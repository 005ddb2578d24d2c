#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "common/cuda_types.hpp"
#include "common/view.hpp"

namespace common {

struct Ranks;  // ranks.hpp, for files that call MPI
class Scratch;

/// An image, or rows of it, whose pixel type is known at run time only. `pitch` is in bytes.
struct UntypedRows {
    void* data = nullptr;
    int width = 0;
    int height = 0;
    int channels = 1;
    int value_bytes = 1;
    std::size_t pitch = 0;

    template <class T, Memory Where>
    View<T, Where> view() const {
        return {static_cast<T*>(data), width, height, channels,
                static_cast<std::ptrdiff_t>(pitch / sizeof(T))};
    }
    std::size_t row_bytes() const {
        return static_cast<std::size_t>(width) * static_cast<std::size_t>(channels * value_bytes);
    }
};

/// The function of an mpi variant, as the processes that are ranks find it: by the variant's name,
/// with the options as bytes. Without std::function and std::map, since every variant's file
/// includes this: pointers to functions of any type, and to functions that know their types.
struct RankFunction {
    using Any = void();

    std::string key;         ///< rank_function_key
    bool on_device = false;  ///< the rows are in GPU memory
    Any* function = nullptr;
    Any* halo_function = nullptr;
    int (*call_halo)(Any* function, const std::byte* options) = nullptr;
    void (*call_function)(Any* function, const UntypedRows& in, const UntypedRows& out,
                          const std::byte* options, Scratch&, const Ranks&, cudaStream_t) = nullptr;

    int halo(const std::byte* options) const {
        return halo_function == nullptr ? 0 : call_halo(halo_function, options);
    }
    void call(const UntypedRows& in, const UntypedRows& out, const std::byte* options,
              Scratch& scratch, const Ranks& ranks, cudaStream_t stream) const {
        call_function(function, in, out, options, scratch, ranks, stream);
    }
};

/// All of this program.
inline std::vector<RankFunction>& rank_functions() {
    static std::vector<RankFunction> functions;
    return functions;
}

/// Null if there is none.
inline const RankFunction* find_rank_function(std::string_view key) {
    for (const RankFunction& each : rank_functions()) {
        if (each.key == key) return &each;
    }
    return nullptr;
}

/// A variant may have one function for each size of output values.
inline std::string rank_function_key(const std::string& variant, std::size_t value_bytes) {
    return variant + "/" + std::to_string(value_bytes);
}

template <class Options>
Options options_from(const std::byte* bytes) {
    Options options;
    std::memcpy(static_cast<void*>(&options), bytes, sizeof options);
    return options;
}

/// Registers `function(in, out, options, ranks)`, with the stream as fifth argument on a GPU.
template <class In, class Out, class Options, Memory Where, class Function>
void add_rank_function(const std::string& variant, int (*halo)(const Options&),
                       Function* function) {
    using Halo = int(const Options&);
    using Any = RankFunction::Any;
    const auto call_halo = [](Any* any, const std::byte* bytes) {
        return reinterpret_cast<Halo*>(any)(options_from<Options>(bytes));
    };
    const auto call = [](Any* any, const UntypedRows& in, const UntypedRows& out,
                         const std::byte* bytes, Scratch& scratch, const Ranks& ranks,
                         [[maybe_unused]] cudaStream_t stream) {
        auto* const typed = reinterpret_cast<Function*>(any);
        Options options = options_from<Options>(bytes);
        options.scratch = &scratch;
        const auto from = in.template view<In, Where>();
        const auto to = out.template view<Out, Where>();
        if constexpr (Where == Memory::device) {
            typed(from, to, options, ranks, stream);
        } else {
            typed(from, to, options, ranks);
        }
    };
    rank_functions().push_back({rank_function_key(variant, sizeof(Out)), Where == Memory::device,
                                reinterpret_cast<Any*>(function), reinterpret_cast<Any*>(halo),
                                call_halo, call});
}

}  // namespace common
