#pragma once

#include "common/instruction_sets.hpp"
#include "problem/mask.hpp"

namespace convolution {

/// Calls `function` with the mask's size as a template argument, so that loops over the taps unroll
/// and the weights get constant addresses.
template <class Function>
ALWAYS_INLINE inline void with_size(int size, Function function) {
    static_assert(Mask::max_size == 15);
    switch (size) {
        case 1:
            return function.template operator()<1>();
        case 3:
            return function.template operator()<3>();
        case 5:
            return function.template operator()<5>();
        case 7:
            return function.template operator()<7>();
        case 9:
            return function.template operator()<9>();
        case 11:
            return function.template operator()<11>();
        case 13:
            return function.template operator()<13>();
        default:
            return function.template operator()<15>();
    }
}

}  // namespace convolution
