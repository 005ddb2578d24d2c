#pragma once

#include <string>

#include "testing_calls.hpp"

namespace harness {

/// Results of a wrong variant on small inputs.
struct SecondLook {
    std::string cause{};    ///< the mistakes that explain all outputs; "" if none does
    std::string details{};  ///< lines for a reader, each after a line break
    VariantCall shown{};    ///< the call that the message is about: a small one
    Finding finding{};      ///< of that call
};

/// Runs the variant on the probes of `variant_call`, of which `finding` is wrong.
SecondLook look_again(const VariantCall& variant_call, const Finding& finding);

/// For looks at later calls of the same variant, which may have kept something of this one.
void note_call(const VariantCall& variant_call);

}  // namespace harness
