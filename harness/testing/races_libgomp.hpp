#pragma once

namespace races {

/// How many parallel regions were started so far.
int parallel_regions();

}  // namespace races
