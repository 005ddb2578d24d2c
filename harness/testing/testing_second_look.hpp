#pragma once

#include <string>

#include "testing_calls.hpp"

namespace harness {

/// Results of a wrong variant on small inputs.
struct SecondLook {
    std::string cause{};    ///< the mistake, or two that both explain the outputs; "" if none does
    std::string details{};  ///< lines for a reader, each after a line break
};

/// Runs the variant on the probes of `variant_call`, of which `finding` is wrong.
SecondLook look_again(const VariantCall& variant_call, const Finding& finding);

}  // namespace harness
