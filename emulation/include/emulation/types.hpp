#pragma once

// CUDA's built-in vector types, in its global namespace.

#include <cstddef>
#include <cstdint>

// A macro, as CUDA has the same five structures for each of ten types.
#define EMULATION_VECTORS(type, name, of2, of4)                        \
    struct name##1 {                                                   \
        type x;                                                        \
    };                                                                 \
    struct alignas(of2) name##2 {                                      \
        type x, y;                                                     \
    };                                                                 \
    struct name##3 {                                                   \
        type x, y, z;                                                  \
    };                                                                 \
    struct alignas(of4) name##4 {                                      \
        type x, y, z, w;                                               \
    };                                                                 \
    constexpr name##1 make_##name##1(type x) {                         \
        return {x};                                                    \
    }                                                                  \
    constexpr name##2 make_##name##2(type x, type y) {                 \
        return {x, y};                                                 \
    }                                                                  \
    constexpr name##3 make_##name##3(type x, type y, type z) {         \
        return {x, y, z};                                              \
    }                                                                  \
    constexpr name##4 make_##name##4(type x, type y, type z, type w) { \
        return {x, y, z, w};                                           \
    }

EMULATION_VECTORS(signed char, char, 2, 4)
EMULATION_VECTORS(unsigned char, uchar, 2, 4)
EMULATION_VECTORS(short, short, 4, 8)
EMULATION_VECTORS(unsigned short, ushort, 4, 8)
EMULATION_VECTORS(int, int, 8, 16)
EMULATION_VECTORS(unsigned, uint, 8, 16)
EMULATION_VECTORS(long long, longlong, 16, 16)
EMULATION_VECTORS(unsigned long long, ulonglong, 16, 16)
EMULATION_VECTORS(float, float, 8, 16)
EMULATION_VECTORS(double, double, 16, 16)
#undef EMULATION_VECTORS

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
