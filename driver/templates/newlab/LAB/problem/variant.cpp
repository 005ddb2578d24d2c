#include "problem/variant.hpp"

#include "harness/variants.hpp"
#include "variant_files.hpp"

namespace @{space}@ {

const std::vector<Variant>& variants() {
    static const auto all = common::variants_in_order<Variant>(variant_files);
    return all;
}

}  // namespace @{space}@
