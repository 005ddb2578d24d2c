#pragma once

// Which construct of OpenMP leaves two accesses of a data race without an order.

#include <string>
#include <vector>

#include "races_source.hpp"

#pragma GCC visibility push(hidden)  // from modules of students

namespace races {

/// The lines of the lab on the stack of an access, the innermost first.
using Chain = std::vector<Access>;

/// The barrier, order or block that two accesses lack, from the directives around them; "" if these
/// do not say it.
std::string missing_order(const Chain& one, const Chain& other);

}  // namespace races

#pragma GCC visibility pop
