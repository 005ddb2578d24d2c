#pragma once

// A file that includes this and then a rung is the rung once more, as the variant NAME_l1_off.
// CMakeLists.txt compiles it with -Xptxas=-dlcm=cg. The original report (002) asks what the L1
// cache is worth to each of its two kernels.

#include "problem/variant.hpp"

namespace integral {

struct RegisterL1Off : Register {
    template <class... Rest>
    explicit RegisterL1Off(const common::VariantInfo& rung, Rest... rest)
        : Register(renamed(rung), rest...) {}

    static common::VariantInfo renamed(common::VariantInfo rung) {
        rung.idea = rung.name + " with the L1 cache off: global loads are cached in L2 only";
        rung.name += "_l1_off";
        return rung;
    }
};

}  // namespace integral

#define Register RegisterL1Off
