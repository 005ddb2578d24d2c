#pragma once

// Functions for the small main of a lab (one.cpp, one.cu), which checks and times rungs without
// CMake and without libraries. The harness does more: many sizes, random cases, disturbed repeats.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/clock.hpp"
#include "common/error.hpp"
#include "common/one_pictures.hpp"
#include "common/variant.hpp"
#ifdef __CUDACC__
#include "common/cuda.cuh"
#endif

namespace common::one {

/// OpenMP threads: the environment's number, or one for each core.
inline int threads() {
    const char* wanted = std::getenv("OMP_NUM_THREADS");
    const int number = wanted != nullptr ? std::atoi(wanted) : 0;
    return number > 0 ? number : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// The output is filled with these values before a call.
inline constexpr int first_fill = 165;
inline constexpr int second_fill = 90;

/// The first value of `got` that is not between `least` and `most`, and the number of these; "" if
/// there is none. `again`: of a call on an output that held `second_fill`, not `first_fill`.
/// `channels`: those compared.
template <class T>
std::string difference(ImageView<T> least, ImageView<T> most, ImageView<T> got, ImageView<T> again,
                       int channels) {
    long long wrong = 0;
    std::string first;
    for (int y = 0; y < got.height; ++y) {
        for (int x = 0; x < got.width; ++x) {
            for (int c = 0; c < channels; ++c) {
                const T value = got.at(x, y, c);
                const T low = least.at(x, y, c);
                if (value >= low && value <= most.at(x, y, c)) continue;
                if (wrong++ > 0) continue;
                const bool unwritten = value == first_fill && again.at(x, y, c) == second_fill;
                first = "column " + std::to_string(x) + ", row " + std::to_string(y) +
                        ", channel " + std::to_string(c) + ": expected " + std::to_string(low) +
                        (unwritten ? ", never written" : ", got " + std::to_string(value));
            }
        }
    }
    if (wrong == 0) return "";
    return first + "; " + std::to_string(wrong) + " wrong values in all";
}

/// The least of 3 to 20 times that `call` returns, in ms; no more than a second of them.
template <class Call>
double best_ms(Call call) {
    double best = call();
    double sum = best;
    for (int i = 1; i < 20 && (i < 3 || sum < 1000); ++i) {
        const double ms = call();
        best = std::min(best, ms);
        sum += ms;
    }
    return best;
}

template <class Work>
double ms_of(Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return ms_since(start);
}

#ifdef __CUDACC__
/// An image in GPU memory.
template <class T>
class OnDevice {
  public:
    explicit OnDevice(const Picture<std::remove_const_t<T>>& like) : like_(like) {
        check(cudaMallocPitch(&data_, &pitch_, row_bytes(), rows()));
    }
    ~OnDevice() { cudaFree(data_); }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

    DeviceView<T> view() const {
        return {static_cast<T*>(data_), like_.width, like_.height, like_.channels,
                static_cast<std::ptrdiff_t>(pitch_ / sizeof(T))};
    }
    void upload() {
        check(cudaMemcpy2D(data_, pitch_, like_.view().data, host_pitch(), row_bytes(), rows(),
                           cudaMemcpyHostToDevice));
    }
    void download(Picture<std::remove_const_t<T>>& to) const {
        check(cudaMemcpy2D(to.view().data, host_pitch(), data_, pitch_, row_bytes(), rows(),
                           cudaMemcpyDeviceToHost));
    }

  private:
    const Picture<std::remove_const_t<T>>& like_;
    void* data_ = nullptr;
    std::size_t pitch_ = 0;

    std::size_t rows() const { return static_cast<std::size_t>(like_.height); }
    std::size_t host_pitch() const { return static_cast<std::size_t>(like_.pitch) * sizeof(T); }
    std::size_t row_bytes() const {
        return static_cast<std::size_t>(like_.view().row_length()) * sizeof(T);
    }
};

inline void require_gpu() {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
        throw Unavailable("no GPU answers");
    }
}
#endif

/// A rung and the definition to compare it with.
template <class In, class Out, class Options>
struct Rung {
    const Variant<In, Out, Options>& variant;
    using Plain = typename Variant<In, Out, Options>::HostFunction*;
    Plain plain;
    Options options{};                                      ///< of the timed calls
    std::vector<std::pair<std::string, Options>> others{};  ///< for small pictures, with their name
    Plain least = plain;  ///< where sums of floats depend on their order: the range of right values
    Plain most = plain;
    int scale = 1;     ///< width of the output over that of the input
    int channels = 4;  ///< those of the output that have a meaning

    Picture<Out> output_for(const Picture<In>& in) const {
        return {in.width * scale, in.height * scale, in.channels};
    }

    double plain_ms(const Picture<In>& in, Picture<Out>& out) const {
        return ms_of([&] { plain(in.view(), out.view(), options); });
    }

    /// Calls the variant `times(call)` with a call that returns its time in ms.
    template <class Times>
    double variant_ms(const Picture<In>& in, Picture<Out>& out, const Options& with,
                      Times times) const {
        if (variant.host != nullptr && !variant.on_device) {
            return times([&] { return ms_of([&] { variant.host(in.view(), out.view(), with); }); });
        }
#ifdef __CUDACC__
        require_gpu();
        Scratch scratch;
        Options with_scratch = with;
        with_scratch.scratch = &scratch;
        OnDevice<In> device_in(in);
        OnDevice<Out> device_out(out);
        device_in.upload();
        device_out.upload();  // what is not written shows
        const double ms = times([&] {
            return ms_of([&] {
                if (variant.host != nullptr)
                    return variant.host(in.view(), out.view(), with_scratch);
                const DeviceView<const In> input{device_in.view().data, in.width, in.height,
                                                 in.channels, device_in.view().pitch};
                variant.device(input, device_out.view(), with_scratch, nullptr);
                check(cudaDeviceSynchronize());
            });
        });
        if (variant.host == nullptr) device_out.download(out);
        return ms;
#else
        throw Unavailable("compile one.cu with nvcc for this variant");
#endif
    }

    /// The output of a call on memory that held `fill`.
    Picture<Out> output_of(const Picture<In>& in, const Options& with, int fill) const {
        Picture<Out> out = output_for(in);
        out.fill(static_cast<Out>(fill));
        variant_ms(in, out, with, [](auto call) { return call(); });
        return out;
    }

    /// The first wrong value, or "". Throws Unsupported if the variant refuses the picture.
    std::string fault(const Picture<In>& in, const Options& with) const {
        Picture<Out> low = output_for(in);
        least(in.view(), low.view(), with);
        Picture<Out> high = low;
        if (most != least) most(in.view(), high.view(), with);
        const Picture<Out> got = output_of(in, with, first_fill);
        const bool is_large = in.values.size() > 1'000'000;  // one call is enough
        const Picture<Out> again = is_large ? got : output_of(in, with, second_fill);
        const int compared = std::min(channels, in.channels);
        for (const Picture<Out>& out : {got, again}) {
            const std::string wrong =
                difference(std::as_const(low).view(), std::as_const(high).view(), out.view(),
                           again.view(), compared);
            if (!wrong.empty()) return wrong;
            if (!out.guards_are_whole()) return "it writes outside the output";
        }
        return "";
    }
};

/// The calls of a rung so far.
struct Tried {
    std::size_t checked = 0;
    std::size_t refused = 0;
    std::string reason{};  ///< of the first refusal
    std::string wrong{};   ///< of the first wrong output

    std::string refusals() const {
        if (refused == 0) return "";
        return "; " + std::to_string(refused) + " of " + std::to_string(checked + refused) +
               " cases refused: " + reason;
    }
};

template <class In, class Out, class Options>
Tried tried(const Rung<In, Out, Options>& rung, const std::vector<Picture<In>>& pictures,
            const Picture<In>& large) {
    Tried all;
    const auto check_one = [&](const Picture<In>& in, const std::string& name,
                               const Options& with) {
        try {
            const std::string fault = rung.fault(in, with);
            ++all.checked;
            if (fault.empty()) return true;
            all.wrong = "WRONG (" + in.size() + (name.empty() ? "" : ", " + name) + "): " + fault;
            return false;
        } catch (const Unsupported& error) {
            if (all.refused++ == 0) all.reason = error.what();
            return true;
        }
    };
    auto cases = rung.others;
    cases.insert(cases.begin(), {"", rung.options});
    for (auto& [name, with] : cases) {
        with.threads = std::max(3, with.threads);  // more than one, and no divisor of most heights
        for (const Picture<In>& in : pictures) {
            if (!check_one(in, name, with)) return all;
        }
    }
    check_one(large, "", rung.options);
    return all;
}

/// Checks a rung on small pictures and on `large`, and times it on that one. Prints a line, and
/// returns the exit code.
template <class In, class Out, class Options>
int judge(const Rung<In, Out, Options>& rung, const std::vector<Picture<In>>& pictures,
          const Picture<In>& large) {
    const char* name = rung.variant.name.c_str();
    try {
        const Tried found = tried(rung, pictures, large);
        if (!found.wrong.empty()) {
            std::printf("%s: %s\n", name, found.wrong.c_str());
            return static_cast<int>(ExitCode::failed);
        }
        if (found.checked == 0) throw Failed("refuses every picture: " + found.reason);
        Picture<Out> out = rung.output_for(large);
        const double plain = best_ms([&] { return rung.plain_ms(large, out); });
        const double mine =
            rung.variant_ms(large, out, rung.options, [](auto call) { return best_ms(call); });
        std::printf("%s: right; %s in %.3f ms, plain loops %.3f ms: %.1f times as fast%s\n", name,
                    large.size().c_str(), mine, plain, plain / mine, found.refusals().c_str());
        return static_cast<int>(ExitCode::done);
    } catch (const Error& error) {
        std::fprintf(stderr, "%s: %s\n", name, error.what());
        return static_cast<int>(error.code);
    }
}

/// Calls `judge_one(variant, picture)` for each variant that was linked, but for the `definition`
/// that main includes: with the picture that the command line names, or with a scene of that size.
/// Returns the first exit code that is not 0.
template <class Variant, class Pixel, class Judge>
int run(int argc, char** argv, Picture<Pixel> picture, Judge judge_one,
        const std::string& definition = "") {
    int code = 0;
    try {
        if (argc > 1) picture = read_picture<Pixel>(argv[1]);
        std::vector<Variant> variants = Register<Variant>::registered();
        const auto own = std::find_if(variants.begin(), variants.end(),
                                      [&](const Variant& one) { return one.name == definition; });
        if (own != variants.end()) variants.erase(own);
        if (variants.empty()) {
            throw BadUsage("compile it with the file of a variant, from the folder ladder/");
        }
        for (const Variant& variant : variants) {
            const int its_own = judge_one(variant, picture);
            if (code == 0) code = its_own;
        }
    } catch (const Error& error) {
        std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
        code = static_cast<int>(error.code);
    }
    return code;
}

}  // namespace common::one
