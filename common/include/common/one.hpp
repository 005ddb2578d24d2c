#pragma once

// Functions for the small main of a lab (one.cpp, one.cu), which checks and times rungs without
// CMake and without libraries. The harness does more: many sizes, random cases, disturbed repeats.

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/clock.hpp"
#include "common/error.hpp"
#include "common/variant.hpp"
#ifdef __CUDACC__
#include "common/cuda.cuh"
#endif

namespace common::one {

template <class T>
struct Picture {
    int width;
    int height;
    int channels;
    std::vector<T> values = std::vector<T>(static_cast<std::size_t>(width) *
                                           static_cast<std::size_t>(height * channels));

    template <class Value, class Self>
    static ImageView<Value> view_of(Self& self) {
        return {self.values.data(), self.width, self.height, self.channels,
                std::ptrdiff_t{self.width} * self.channels};
    }
    ImageView<T> view() { return view_of<T>(*this); }
    ImageView<const T> view() const { return view_of<const T>(*this); }
    std::size_t bytes() const { return values.size() * sizeof(T); }
    std::string size() const {
        return std::to_string(width) + "x" + std::to_string(height) + "x" +
               std::to_string(channels);
    }
};

/// A picture with smooth areas, edges and noise, of values 0 to 255.
template <class T>
Picture<T> scene(int width, int height, int channels) {
    Picture<T> picture{width, height, channels};
    std::uint32_t noise = 1;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const bool bright = (x / 16 + y / 12) % 5 == 0;
            for (int c = 0; c < channels; ++c) {
                noise = noise * 1664525 + 1013904223;
                const int smooth = (x * (c + 1) / 4 + y / 3) % 200;
                picture.view().at(x, y, c) =
                    static_cast<T>(bright ? 255 - smooth : smooth + static_cast<int>(noise >> 27));
            }
        }
    }
    return picture;
}

/// Reads a binary PGM or PPM file with 8 bits per value; colours become BGR.
template <class T>
Picture<T> read_picture(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw BadUsage("cannot read '" + path + "': " + std::strerror(errno));
    const auto number = [&file] {
        int value = 0;
        while ((file >> std::ws).peek() == '#') {
            file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
        }
        file >> value;
        return value;
    };
    std::string kind;
    file >> kind;
    const int width = number();
    const int height = number();
    const int most = number();
    file.get();
    if (!file || (kind != "P5" && kind != "P6") || width < 1 || height < 1 || most != 255) {
        throw BadUsage("'" + path + "': expected a binary PGM or PPM file with values up to 255");
    }
    const int channels = kind == "P6" ? 3 : 1;
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    const auto row = static_cast<std::size_t>(width) * static_cast<std::size_t>(channels);
    if (bytes.size() / row < static_cast<std::size_t>(height)) {
        throw BadUsage("'" + path + "': the file ends too early");
    }
    Picture<T> picture{width, height, channels};
    for (std::size_t i = 0; i < picture.values.size(); ++i) {
        picture.values[i] = static_cast<T>(static_cast<unsigned char>(bytes[i]));
    }
    for (std::size_t i = 0; picture.channels == 3 && i < picture.values.size(); i += 3) {
        std::swap(picture.values[i], picture.values[i + 2]);
    }
    return picture;
}

/// Small images, gray ones and with so many channels, whose sizes are multiples of nothing.
template <class T>
std::vector<Picture<T>> small_scenes(std::initializer_list<int> channels) {
    constexpr std::array<std::array<int, 2>, 6> sizes{
        {{1, 1}, {7, 1}, {1, 7}, {31, 33}, {101, 99}, {257, 64}}};
    std::vector<Picture<T>> scenes;
    for (const int count : channels) {
        for (const auto [width, height] : sizes) scenes.push_back(scene<T>(width, height, count));
    }
    return scenes;
}

/// OpenMP threads: the environment's number, or one for each core.
inline int threads() {
    const char* wanted = std::getenv("OMP_NUM_THREADS");
    const int number = wanted != nullptr ? std::atoi(wanted) : 0;
    return number > 0 ? number : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// The first value that is not between `least` and `most`, and the number of these; "" if there is
/// none. `channels`: those compared.
template <class T>
std::string difference(ImageView<T> least, ImageView<T> most, ImageView<T> got, int channels) {
    long long wrong = 0;
    std::string first;
    for (int y = 0; y < got.height; ++y) {
        for (int x = 0; x < got.width; ++x) {
            for (int c = 0; c < channels; ++c) {
                const T value = got.at(x, y, c);
                const T low = least.at(x, y, c);
                if (value >= low && value <= most.at(x, y, c)) continue;
                if (wrong++ > 0) continue;
                first = "column " + std::to_string(x) + ", row " + std::to_string(y) +
                        ", channel " + std::to_string(c) + ": expected " + std::to_string(low) +
                        ", got " + std::to_string(value);
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
        check(cudaMemcpy2D(data_, pitch_, like_.values.data(), row_bytes(), row_bytes(), rows(),
                           cudaMemcpyHostToDevice));
    }
    void download(Picture<std::remove_const_t<T>>& to) const {
        check(cudaMemcpy2D(to.values.data(), row_bytes(), data_, pitch_, row_bytes(), rows(),
                           cudaMemcpyDeviceToHost));
    }

  private:
    const Picture<std::remove_const_t<T>>& like_;
    void* data_ = nullptr;
    std::size_t pitch_ = 0;

    std::size_t rows() const { return static_cast<std::size_t>(like_.height); }
    std::size_t row_bytes() const { return like_.bytes() / rows(); }
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
    Options options{};
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
    double variant_ms(const Picture<In>& in, Picture<Out>& out, Times times) const {
        if (variant.host != nullptr && !variant.on_device) {
            return times(
                [&] { return ms_of([&] { variant.host(in.view(), out.view(), options); }); });
        }
#ifdef __CUDACC__
        require_gpu();
        Scratch scratch;
        Options with_scratch = options;
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

    /// The first wrong value, or "". Throws Unsupported if the variant refuses the picture.
    std::string fault(const Picture<In>& in) const {
        Picture<Out> low = output_for(in);
        least(in.view(), low.view(), options);
        Picture<Out> high = low;
        if (most != least) most(in.view(), high.view(), options);
        Picture<Out> got = output_for(in);
        std::fill(got.values.begin(), got.values.end(), static_cast<Out>(0xA5));
        variant_ms(in, got, [](auto call) { return call(); });
        return difference(low.view(), high.view(), got.view(), std::min(channels, in.channels));
    }
};

/// Checks a rung on small pictures and on `large`, and times it on that one. Prints a line, and
/// returns the exit code.
template <class In, class Out, class Options>
int judge(const Rung<In, Out, Options>& rung, std::vector<Picture<In>> pictures,
          const Picture<In>& large) {
    const char* name = rung.variant.name.c_str();
    std::string refused;
    try {
        pictures.push_back(large);
        std::size_t checked = 0;
        for (const Picture<In>& in : pictures) {
            try {
                const std::string fault = rung.fault(in);
                ++checked;
                if (fault.empty()) continue;
                std::printf("%s: WRONG (%s): %s\n", name, in.size().c_str(), fault.c_str());
                return static_cast<int>(ExitCode::failed);
            } catch (const Unsupported& error) {
                refused = error.what();
            }
        }
        if (checked == 0) throw Failed("refuses every picture: " + refused);
        Picture<Out> out = rung.output_for(large);
        const double plain = best_ms([&] { return rung.plain_ms(large, out); });
        const double mine = rung.variant_ms(large, out, [](auto call) { return best_ms(call); });
        std::printf("%s: right; %s in %.3f ms, plain loops %.3f ms: %.1f times as fast\n", name,
                    large.size().c_str(), mine, plain, plain / mine);
        return static_cast<int>(ExitCode::done);
    } catch (const Error& error) {
        std::fprintf(stderr, "%s: %s\n", name, error.what());
        return static_cast<int>(error.code);
    }
}

/// Calls `judge_one(variant, picture)` for each variant that was linked: with the picture that the
/// command line names, or with a scene of that size. Returns the first exit code that is not 0.
template <class Variant, class Pixel, class Judge>
int run(int argc, char** argv, Picture<Pixel> picture, Judge judge_one) {
    int code = 0;
    try {
        if (argc > 1) picture = read_picture<Pixel>(argv[1]);
        if (Register<Variant>::registered().empty()) {
            throw BadUsage("compile it with the file of a variant, from the folder ladder/");
        }
        for (const Variant& variant : Register<Variant>::registered()) {
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
