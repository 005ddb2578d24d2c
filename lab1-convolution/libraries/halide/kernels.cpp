// Writes functions of Halide (https://halide-lang.org) to a folder, each as a static library and a
// header: convolve_separable3, convolve_separable5, convolve_direct3 and convolve_direct5. They are
// compiled for the CPU of this machine.
//
// An image is a plane of bytes, whose neighbours of a channel are `channels` bytes apart. Rows are
// shared among threads in strips. In a strip, each input row is copied once, with zeros beside it;
// the separable functions also sum each row once (a sliding window of n rows).

#include <Halide.h>

#include <string>
#include <vector>

namespace {

using Halide::Argument;
using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;

constexpr int strip = 64;   // rows
constexpr int vector = 64;  // bytes

/// The parts of all functions: zeros around the image, and the scale, which is factor / 2^(16 +
/// shift).
struct Convolution {
    Halide::ImageParam in{Halide::UInt(8), 2, "in"};
    Halide::Param<int> channels{"channels"};
    Halide::Param<std::uint16_t> factor{"factor"}, shift{"shift"};
    std::vector<Argument> arguments{in, channels};
    Var x{"x"}, y{"y"}, yo{"yo"}, yi{"yi"};
    Func padded{"padded"}, out{"out"};

    Convolution() {
        padded(x, y) =
            Halide::BoundaryConditions::constant_exterior(in, Expr(std::uint8_t{0}))(x, y);
    }

    template <class T>
    std::vector<Expr> parameters(const std::string& name, int count) {
        std::vector<Expr> result;
        for (int i = 0; i < count; ++i) {
            const Halide::Param<T> each(name + std::to_string(i));
            arguments.push_back(each);
            result.push_back(each);
        }
        return result;
    }

    void write(Expr sum, const std::string& name, const std::string& folder) {
        const Expr product = cast<std::uint32_t>(sum) * cast<std::uint32_t>(factor);
        const Expr scaled = cast<std::uint16_t>(product >> 16) >> shift;
        out(x, y) = cast<std::uint8_t>(Halide::min(scaled, 255));
        out.split(y, yo, yi, strip, TailStrategy::GuardWithIf).parallel(yo);
        out.vectorize(x, vector, TailStrategy::GuardWithIf);
        padded.store_at(out, yo).compute_at(out, yi).vectorize(x, vector);
        arguments.push_back(factor);
        arguments.push_back(shift);
        out.compile_to_static_library(folder + "/" + name, arguments, name,
                                      Halide::get_host_target());
    }
};

void separable(int n, const std::string& folder) {
    Convolution c;
    const std::vector<Expr> column = c.parameters<std::uint16_t>("column", n);
    const std::vector<Expr> row = c.parameters<std::uint16_t>("row", n);
    Func row_sum("row_sum");
    Expr across = cast<std::uint16_t>(0);
    Expr down = cast<std::uint16_t>(0);
    for (int j = 0; j < n; ++j) {
        const Expr pixel = c.padded(c.x + (j - n / 2) * c.channels, c.y);
        across += cast<std::uint16_t>(pixel) * row[j];
    }
    row_sum(c.x, c.y) = across;
    for (int i = 0; i < n; ++i) down += row_sum(c.x, c.y + i - n / 2) * column[i];
    row_sum.store_at(c.out, c.yo).compute_at(c.out, c.yi).vectorize(c.x, vector);
    c.write(down, "convolve_separable" + std::to_string(n), folder);
}

void direct(int n, const std::string& folder) {
    Convolution c;
    const std::vector<Expr> weights = c.parameters<std::int16_t>("weight", n * n);
    Expr sum = cast<std::int16_t>(0);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            const Expr pixel = c.padded(c.x + (j - n / 2) * c.channels, c.y + i - n / 2);
            sum += cast<std::int16_t>(pixel) * weights[i * n + j];
        }
    }
    c.write(cast<std::uint16_t>(Halide::max(sum, 0)), "convolve_direct" + std::to_string(n),
            folder);
}

}  // namespace

int main(int, char** argv) {
    for (const int n : {3, 5}) {
        separable(n, argv[1]);
        direct(n, argv[1]);
    }
}
