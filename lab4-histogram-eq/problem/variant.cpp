#include "problem/variant.hpp"

#include "harness/variants.hpp"
#include "variant_files.hpp"

namespace equalize {

const std::vector<Variant>& variants() {
    static const auto all = harness::variants_in_order<Variant>(variant_files);
    return all;
}

}  // namespace equalize
