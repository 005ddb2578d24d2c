#include "variants.hpp"

#include "not_built.hpp"

namespace equalize {

// Weak declarations: the function of a variant that was left out of the build is null instead of a
// link error, and `list` gives the reason.
#define HOST(backend, name, ...) [[gnu::weak]] Variant::HostFunction name;
#define DEVICE(backend, name, ...) [[gnu::weak]] Variant::DeviceFunction name;
#define HOST_TO_HOST HOST
#include "variants.def"
#undef HOST
#undef DEVICE
#undef HOST_TO_HOST

const std::vector<Variant>& variants() {
    using common::Backend;
#define HOST(backend, name, idea) Variant({#name, Backend::backend, idea}, name),
#define DEVICE HOST
#define HOST_TO_HOST(backend, name, idea) \
    Variant({#name, Backend::backend, idea, {}, true /* on_device */}, name),
    static const auto table = common::finished<Variant>(
        {
#include "variants.def"
        },
        not_built);
    return table;
}

const Variant& variant_called(std::string_view name) {
    return common::row_called(variants(), name);
}

}  // namespace equalize
