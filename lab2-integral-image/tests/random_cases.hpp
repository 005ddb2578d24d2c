#pragma once

#include "harness/testing_random.hpp"
#include "problem/variant.hpp"

/// The random cases of a variant: image, threads of both levels or block and grid.
harness::RandomCases random_cases(const integral::Variant& variant);
