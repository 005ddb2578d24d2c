#pragma once

// Half-precision numbers, as far as the labs use them.

#include "cuda_runtime.h"

#if defined(__aarch64__)
using __half = __fp16;  // g++ 12 has no _Float16 on arm64
#else
using __half = _Float16;
#endif

struct alignas(4) __half2 {
    __half x, y;
};

inline __half __float2half_rn(float value) {
    return static_cast<__half>(value);
}
inline float __half2float(__half value) {
    return static_cast<float>(value);
}
inline __half2 __float2half2_rn(float value) {
    return {__float2half_rn(value), __float2half_rn(value)};
}
inline __half2 __floats2half2_rn(float x, float y) {
    return {__float2half_rn(x), __float2half_rn(y)};
}
inline __half2 __hadd2(__half2 a, __half2 b) {
    return {static_cast<__half>(a.x + b.x), static_cast<__half>(a.y + b.y)};
}
inline __half2 __hsub2(__half2 a, __half2 b) {
    return {static_cast<__half>(a.x - b.x), static_cast<__half>(a.y - b.y)};
}
inline float __low2float(__half2 value) {
    return __half2float(value.x);
}
inline float __high2float(__half2 value) {
    return __half2float(value.y);
}
