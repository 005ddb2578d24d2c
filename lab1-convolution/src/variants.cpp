#include "variants.hpp"

#include "not_built.hpp"

namespace convolution {

// Weak declarations: the function of a variant that was left out of the build is null instead of a
// link error, and `list` gives the reason.
#define HOST(backend, name, ...) [[gnu::weak]] Variant::HostFunction name;
#define DEVICE(backend, name, ...) [[gnu::weak]] Variant::DeviceFunction name;
#include "variants.def"
#undef HOST
#undef DEVICE

const std::vector<Variant>& variants() {
    using common::Agreement, common::Backend;
#define HOST(backend, name, ...) Variant({#name, Backend::backend, __VA_ARGS__}, name),
#define DEVICE HOST
    static const auto table = common::finished<Variant>(
        {
#include "variants.def"
        },
        not_built);
    return table;
}

}  // namespace convolution
