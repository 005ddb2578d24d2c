#pragma once

// Atomic functions. They tell the checks of their access themselves, as the compiler does of loads
// and stores, because an atomic access does not race with another one.

#include <cstddef>
#include <type_traits>

#include "emulation/types.hpp"

namespace emulation {

void atomic_access(const void* address, std::size_t bytes);

/// Replaces *address by change(*address) in one step; returns what was there.
template <class T, class Change>
[[gnu::no_sanitize("thread"), gnu::no_sanitize_coverage]] T atomic_change(T* address,
                                                                          Change change) {
    atomic_access(address, sizeof(T));
    T before;
    __atomic_load(address, &before, __ATOMIC_RELAXED);
    for (;;) {
        T after = change(before);
        if (__atomic_compare_exchange(address, &before, &after, true, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED)) {
            return before;
        }
    }
}

}  // namespace emulation

template <class T>
T atomicAdd(T* address, std::type_identity_t<T> value) {
    return emulation::atomic_change(address, [=](T old) { return static_cast<T>(old + value); });
}
template <class T>
T atomicSub(T* address, std::type_identity_t<T> value) {
    return emulation::atomic_change(address, [=](T old) { return static_cast<T>(old - value); });
}
template <class T>
T atomicExch(T* address, std::type_identity_t<T> value) {
    return emulation::atomic_change(address, [=](T) { return value; });
}
template <class T>
T atomicMin(T* address, std::type_identity_t<T> value) {
    return emulation::atomic_change(address, [=](T old) { return value < old ? value : old; });
}
template <class T>
T atomicMax(T* address, std::type_identity_t<T> value) {
    return emulation::atomic_change(address, [=](T old) { return old < value ? value : old; });
}
template <class T>
T atomicAnd(T* address, std::type_identity_t<T> value) {
    return emulation::atomic_change(address, [=](T old) { return old & value; });
}
template <class T>
T atomicOr(T* address, std::type_identity_t<T> value) {
    return emulation::atomic_change(address, [=](T old) { return old | value; });
}
template <class T>
T atomicXor(T* address, std::type_identity_t<T> value) {
    return emulation::atomic_change(address, [=](T old) { return old ^ value; });
}
template <class T>
T atomicCAS(T* address, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
    return emulation::atomic_change(address, [=](T old) { return old == expected ? value : old; });
}
inline unsigned atomicInc(unsigned* address, unsigned last) {
    return emulation::atomic_change(address,
                                    [=](unsigned old) { return old >= last ? 0 : old + 1; });
}
