#pragma once

#include <cstdint>
#include <vector>

#include "common/variant.hpp"
#include "problem/options.hpp"

namespace upscale {

/// Bytes of a colour pixel as a variant takes and gives it. With four, the last has no meaning; the
/// harness packs and unpacks outside the timing.
enum class PixelBytes { three, four };

/// A variant resamples `in` by options.weights into `out`, of twice the width and height.
struct Variant : common::Variant<std::uint8_t, std::uint8_t, Options> {
    template <class... Function>
    explicit Variant(common::VariantInfo info, Function*... function)
        : common::Variant<std::uint8_t, std::uint8_t, Options>(std::move(info), function...) {}
    Variant(common::VariantInfo info, DeviceFunction* function, PixelBytes bytes)
        : common::Variant<std::uint8_t, std::uint8_t, Options>(std::move(info), function),
          pixel_bytes(bytes) {}

    PixelBytes pixel_bytes = PixelBytes::three;
};
using Register = common::Register<Variant>;

/// All variants, those that are not in this build included.
const std::vector<Variant>& variants();

}  // namespace upscale
