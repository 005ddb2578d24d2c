// The functions of a header that load are compiled without the calls that count: a macro that is
// defined before it adds an attribute.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#define JOIN(a, b) a##b
#define constexpr constexpr JOIN(__attri, bute__)((JOIN(no_sani, tize)("thread")))
#include "common/view.hpp"
#undef constexpr

#include "parts/cuda_lab1_tools.hpp"

namespace convolution {

static const Register registered{mine_info, honest};

}  // namespace convolution
