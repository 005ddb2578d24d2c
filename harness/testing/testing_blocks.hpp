#pragma once

#include <string>
#include <vector>

#include "harness/testing_random.hpp"

namespace harness {

/// Calls an emulated variant that is wrong on `failed` with other blocks, and adds to the message
/// what those have in common that are wrong, if anything.
void add_where_it_fails(std::string& message, const RandomCases& cases, const Case& failed);

/// The same with the blocks of `calls` on images of the same size.
void add_where_it_fails(std::string& message, const std::vector<VariantCall>& calls,
                        const VariantCall& failed);

}  // namespace harness
