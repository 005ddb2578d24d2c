#pragma once

#include "harness/lab.hpp"

namespace @{space}@ {

common::Lab make_lab();

}  // namespace @{space}@
