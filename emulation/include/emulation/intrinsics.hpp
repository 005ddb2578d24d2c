#pragma once

// Functions of single instructions.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "emulation/types.hpp"

// CUDA's min and max for the pairs of types that its headers have.
constexpr int min(int a, int b) {
    return b < a ? b : a;
}
constexpr int max(int a, int b) {
    return a < b ? b : a;
}
constexpr unsigned min(unsigned a, unsigned b) {
    return b < a ? b : a;
}
constexpr unsigned max(unsigned a, unsigned b) {
    return a < b ? b : a;
}
constexpr unsigned min(int a, unsigned b) {
    return min(static_cast<unsigned>(a), b);
}
constexpr unsigned max(int a, unsigned b) {
    return max(static_cast<unsigned>(a), b);
}
constexpr unsigned min(unsigned a, int b) {
    return min(a, static_cast<unsigned>(b));
}
constexpr unsigned max(unsigned a, int b) {
    return max(a, static_cast<unsigned>(b));
}
constexpr long min(long a, long b) {
    return b < a ? b : a;
}
constexpr long max(long a, long b) {
    return a < b ? b : a;
}
constexpr unsigned long min(unsigned long a, unsigned long b) {
    return b < a ? b : a;
}
constexpr unsigned long max(unsigned long a, unsigned long b) {
    return a < b ? b : a;
}
constexpr long long min(long long a, long long b) {
    return b < a ? b : a;
}
constexpr long long max(long long a, long long b) {
    return a < b ? b : a;
}
constexpr float min(float a, float b) {
    return b < a ? b : a;
}
constexpr float max(float a, float b) {
    return a < b ? b : a;
}
constexpr double min(double a, double b) {
    return b < a ? b : a;
}
constexpr double max(double a, double b) {
    return a < b ? b : a;
}

constexpr int __float_as_int(float x) {
    return std::bit_cast<int>(x);
}
constexpr unsigned __float_as_uint(float x) {
    return std::bit_cast<unsigned>(x);
}
constexpr float __int_as_float(int x) {
    return std::bit_cast<float>(x);
}
constexpr float __uint_as_float(unsigned x) {
    return std::bit_cast<float>(x);
}
constexpr int __popc(unsigned x) {
    return std::popcount(x);
}
constexpr int __clz(int x) {
    return std::countl_zero(static_cast<unsigned>(x));
}
constexpr int __ffs(int x) {
    return x == 0 ? 0 : std::countr_zero(static_cast<unsigned>(x)) + 1;
}

/// The sum of two floats that is exact in pairs of doubles, towards zero.
inline float emulated_towards_zero(double a, double b) {
    const double sum = a + b;
    const double part = sum - a;
    const double rest = (a - (sum - part)) + (b - part);  // what the rounding of `sum` has cost
    const auto nearest = static_cast<float>(sum);
    const double beyond = std::abs(static_cast<double>(nearest)) - std::abs(sum);
    const bool rest_shortens = rest != 0 && (rest < 0) == (sum > 0);
    return beyond > 0 || (beyond == 0 && rest_shortens) ? std::nextafterf(nearest, 0.0f) : nearest;
}
inline float __fadd_rz(float a, float b) {
    return emulated_towards_zero(static_cast<double>(a), static_cast<double>(b));
}
inline float __fmaf_rz(float a, float b, float c) {
    const double product = static_cast<double>(a) * static_cast<double>(b);
    return emulated_towards_zero(product, static_cast<double>(c));
}
inline float __fmaf_rn(float a, float b, float c) {
    return std::fmaf(a, b, c);
}
inline float __fadd_rn(float a, float b) {
    return a + b;
}
inline float __fsub_rn(float a, float b) {
    return a - b;
}
inline float __fmul_rn(float a, float b) {
    return a * b;
}
inline float __fdiv_rn(float a, float b) {
    return a / b;
}
inline float __fsqrt_rn(float x) {
    return std::sqrt(x);
}
inline float __frcp_rn(float x) {
    return 1.0f / x;
}
inline float __fmul_rz(float a, float b) {
    return emulated_towards_zero(static_cast<double>(a) * static_cast<double>(b), 0.0);
}

/// A number as an integer type, which takes its least or greatest value for numbers beyond it, and
/// 0 for NaN.
template <class Integer, class Number>
constexpr Integer emulated_saturated(Number x) {
    constexpr auto least = static_cast<double>(std::numeric_limits<Integer>::min());
    constexpr auto beyond = static_cast<double>(std::numeric_limits<Integer>::max()) + 1;
    const auto number = static_cast<double>(x);
    if (!(number >= least)) return number < least ? std::numeric_limits<Integer>::min() : 0;
    return number < beyond ? static_cast<Integer>(number) : std::numeric_limits<Integer>::max();
}
// To nearest (half-way cases to even), towards zero, up and down.
inline int __float2int_rn(float x) {
    return emulated_saturated<int>(std::nearbyint(x));
}
inline int __float2int_rz(float x) {
    return emulated_saturated<int>(std::trunc(x));
}
inline int __float2int_ru(float x) {
    return emulated_saturated<int>(std::ceil(x));
}
inline int __float2int_rd(float x) {
    return emulated_saturated<int>(std::floor(x));
}
inline unsigned __float2uint_rn(float x) {
    return emulated_saturated<unsigned>(std::nearbyint(x));
}
inline unsigned __float2uint_rz(float x) {
    return emulated_saturated<unsigned>(std::trunc(x));
}
inline unsigned __float2uint_ru(float x) {
    return emulated_saturated<unsigned>(std::ceil(x));
}
inline unsigned __float2uint_rd(float x) {
    return emulated_saturated<unsigned>(std::floor(x));
}
inline int __double2int_rn(double x) {
    return emulated_saturated<int>(std::nearbyint(x));
}
inline int __double2int_rz(double x) {
    return emulated_saturated<int>(std::trunc(x));
}
inline float __int2float_rn(int x) {
    return static_cast<float>(x);
}
inline float __uint2float_rn(unsigned x) {
    return static_cast<float>(x);
}
inline float __double2float_rn(double x) {
    return static_cast<float>(x);
}
/// Clamped to 0..1; NaN becomes 0.
inline float __saturatef(float x) {
    return x >= 0 ? std::min(x, 1.0f) : 0.0f;
}
constexpr int __mul24(int a, int b) {
    return (a << 8 >> 8) * (b << 8 >> 8);
}
constexpr unsigned __umul24(unsigned a, unsigned b) {
    return (a & 0xffffff) * (b & 0xffffff);
}
constexpr int __mulhi(int a, int b) {
    return static_cast<int>(static_cast<std::int64_t>(a) * b >> 32);
}
constexpr unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned>(static_cast<std::uint64_t>(a) * b >> 32);
}
constexpr unsigned __sad(int x, int y, unsigned z) {
    return (x < y ? static_cast<unsigned>(y) - static_cast<unsigned>(x)
                  : static_cast<unsigned>(x) - static_cast<unsigned>(y)) +
           z;
}
constexpr unsigned __usad(unsigned x, unsigned y, unsigned z) {
    return (x < y ? y - x : x - y) + z;
}
constexpr unsigned __brev(unsigned x) {
    unsigned result = 0;
    for (int bit = 0; bit < 32; ++bit) result |= (x >> bit & 1) << (31 - bit);
    return result;
}
constexpr int __popcll(unsigned long long x) {
    return std::popcount(x);
}
constexpr int __clzll(long long x) {
    return std::countl_zero(static_cast<unsigned long long>(x));
}
constexpr int __ffsll(long long x) {
    return x == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(x)) + 1;
}
inline float __powf(float x, float y) {
    return std::pow(x, y);
}
inline float __logf(float x) {
    return std::log(x);
}
inline float __log2f(float x) {
    return std::log2(x);
}
inline float __exp10f(float x) {
    return std::pow(10.0f, x);
}
inline float __sinf(float x) {
    return std::sin(x);
}
inline float __cosf(float x) {
    return std::cos(x);
}
inline float __expf(float x) {
    return std::exp(x);
}
inline float __fdividef(float a, float b) {
    return a / b;
}
inline float rsqrtf(float x) {
    return 1.0f / std::sqrt(x);
}

/// Four of the eight bytes of b and a; each four bits of the selector name one, or its sign.
constexpr unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
    const std::uint64_t bytes = static_cast<std::uint64_t>(b) << 32 | a;
    unsigned result = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned choice = selector >> (4 * i) & 0xf;
        auto byte = static_cast<unsigned>(bytes >> (8 * (choice & 7)) & 0xff);
        if ((choice & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
        result |= byte << (8 * i);
    }
    return result;
}
constexpr unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    const std::uint64_t both = static_cast<std::uint64_t>(high) << 32 | low;
    return static_cast<unsigned>(both >> (shift & 31));
}
constexpr unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    const std::uint64_t both = static_cast<std::uint64_t>(high) << 32 | low;
    return static_cast<unsigned>(both << (shift & 31) >> 32);
}

/// Applies a function to the parts of two words, each of so many bits.
template <int Bits, class Function>
constexpr unsigned emulated_by_parts(unsigned a, unsigned b, Function function) {
    constexpr unsigned mask = (1u << Bits) - 1;
    unsigned result = 0;
    for (int at = 0; at < 32; at += Bits) {
        result |= (function(a >> at & mask, b >> at & mask) & mask) << at;
    }
    return result;
}
constexpr unsigned __vmaxu2(unsigned a, unsigned b) {
    return emulated_by_parts<16>(a, b, [](unsigned x, unsigned y) { return max(x, y); });
}
constexpr unsigned __vminu2(unsigned a, unsigned b) {
    return emulated_by_parts<16>(a, b, [](unsigned x, unsigned y) { return min(x, y); });
}
constexpr unsigned __vmaxu4(unsigned a, unsigned b) {
    return emulated_by_parts<8>(a, b, [](unsigned x, unsigned y) { return max(x, y); });
}
constexpr unsigned __vminu4(unsigned a, unsigned b) {
    return emulated_by_parts<8>(a, b, [](unsigned x, unsigned y) { return min(x, y); });
}
constexpr unsigned __vadd2(unsigned a, unsigned b) {
    return emulated_by_parts<16>(a, b, [](unsigned x, unsigned y) { return x + y; });
}
constexpr unsigned __vadd4(unsigned a, unsigned b) {
    return emulated_by_parts<8>(a, b, [](unsigned x, unsigned y) { return x + y; });
}

/// The sum of the products of four bytes, of which the first are signed as A says.
template <class A, class B>
constexpr std::int64_t emulated_dot(A a, B b) {
    std::int64_t sum = 0;
    for (int i = 0; i < 32; i += 8) {
        const auto byte = [i](auto word) -> int {
            const auto bits = static_cast<unsigned>(word) >> i & 0xff;
            if constexpr (std::is_signed_v<decltype(word)>) return static_cast<std::int8_t>(bits);
            return static_cast<int>(bits);
        };
        sum += byte(a) * byte(b);
    }
    return sum;
}
constexpr int __dp4a(int a, int b, int c) {
    return static_cast<int>(c + emulated_dot(a, b));
}
constexpr unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    return static_cast<unsigned>(c + emulated_dot(a, b));
}

// The emulation has no caches, so the cache operators change nothing.
template <class T>
T __ldg(const T* from) {
    return *from;
}
template <class T>
T __ldcs(const T* from) {
    return *from;
}
template <class T>
T __ldcg(const T* from) {
    return *from;
}
template <class T>
void __stcs(T* to, T value) {
    *to = value;
}
template <class T>
void __stcg(T* to, T value) {
    *to = value;
}
template <class T>
void __stwt(T* to, T value) {
    *to = value;
}
