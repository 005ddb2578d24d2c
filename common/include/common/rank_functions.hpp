#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <string>

#include "common/scratch.hpp"
#include "common/view.hpp"

namespace common {

struct Ranks;  // ranks.hpp, for files that call MPI

/// Rows whose pixel type is known at run time only. `pitch` is in bytes.
struct UntypedRows {
    void* data = nullptr;
    int width = 0;
    int height = 0;
    int channels = 1;
    std::ptrdiff_t pitch = 0;

    template <class T, Memory Where>
    View<T, Where> view() const {
        return {static_cast<T*>(data), width, height, channels,
                pitch / static_cast<std::ptrdiff_t>(sizeof(T))};
    }
};

/// The function of an mpi variant, as the processes that are ranks find it: by the variant's name,
/// with the options as bytes.
struct RankFunction {
    bool on_device = false;  ///< the rows are in GPU memory
    std::function<int(const std::byte* options)> halo;
    std::function<void(const UntypedRows& in, const UntypedRows& out, const std::byte* options,
                       Scratch&, const Ranks&, cudaStream_t)>
        call;
};

/// All of this program, by `rank_function_key`.
inline std::map<std::string, RankFunction>& rank_functions() {
    static std::map<std::string, RankFunction> functions;
    return functions;
}

/// A variant may have one function for each size of output values.
inline std::string rank_function_key(const std::string& variant, std::size_t value_bytes) {
    return variant + "/" + std::to_string(value_bytes);
}

/// Registers `call(in, out, options, ranks, stream)`.
template <class In, class Out, class Options, Memory Where, class Call>
void add_rank_function(const std::string& variant, int (*halo)(const Options&), Call call) {
    const auto options_from = [](const std::byte* bytes) {
        Options options;
        std::memcpy(static_cast<void*>(&options), bytes, sizeof options);
        return options;
    };
    rank_functions()[rank_function_key(variant, sizeof(Out))] = {
        Where == Memory::device,
        [=](const std::byte* bytes) { return halo == nullptr ? 0 : halo(options_from(bytes)); },
        [=](const UntypedRows& in, const UntypedRows& out, const std::byte* bytes, Scratch& scratch,
            const Ranks& ranks, cudaStream_t stream) {
            Options options = options_from(bytes);
            options.scratch = &scratch;
            call(in.template view<In, Where>(), out.template view<Out, Where>(), options, ranks,
                 stream);
        }};
}

}  // namespace common
