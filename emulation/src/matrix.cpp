// The layout of the matrices in the lanes' registers is that of the PTX manual for
// mma.m16n8k32 (integers of 8 bits).

#include "matrix.hpp"

#include "emulation/instructions.hpp"

namespace emulation {
namespace {

constexpr int rows = 16;
constexpr int columns = 8;
constexpr int depth = 32;

struct Factors {
    std::array<std::array<int, depth>, rows> left{};
    std::array<std::array<int, columns>, depth> right{};
};

void collect(Factors& factors, const MatrixPart& part, int lane) {
    const auto byte = [](unsigned word, int i) { return static_cast<int>(word >> (8 * i) & 0xff); };
    const auto at = [](auto& array, int i) -> auto& {
        return array[static_cast<std::size_t>(i)];
    };
    for (int word = 0; word < 4; ++word) {
        for (int i = 0; i < 4; ++i) {
            const int row = lane / 4 + word % 2 * 8;
            const int column = lane % 4 * 4 + i + word / 2 * 16;
            at(at(factors.left, row), column) = static_cast<signed char>(byte(part.left[word], i));
        }
    }
    for (int word = 0; word < 2; ++word) {
        for (int i = 0; i < 4; ++i) {
            at(at(factors.right, lane % 4 * 4 + i + word * 16), lane / 4) =
                byte(part.right[word], i);
        }
    }
}

void add_products(const Factors& factors, const MatrixPart& part, unsigned lane) {
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned row = lane / 4 + i / 2 * 8;
        const unsigned column = lane % 4 * 2 + i % 2;
        unsigned sum = static_cast<unsigned>(part.sums[i]);
        for (unsigned k = 0; k < depth; ++k) {
            sum += static_cast<unsigned>(factors.left[row][k] * factors.right[k][column]);
        }
        part.sums[i] = static_cast<int>(sum);
    }
}

}  // namespace

void multiply_matrices(const std::array<LanePart*, warp_size>& lanes) {
    Factors factors;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if (lanes[lane] == nullptr) continue;
        collect(factors, *static_cast<const MatrixPart*>(lanes[lane]->data),
                static_cast<int>(lane));
    }
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if (lanes[lane] == nullptr) continue;
        add_products(factors, *static_cast<const MatrixPart*>(lanes[lane]->data), lane);
    }
}

void multiply_add_s8_u8(MatrixPart part) {
    LanePart lane;
    lane.data = &part;
    warp_operation(WarpOperation::matrix, 0xffffffffu, lane);
}

}  // namespace emulation
