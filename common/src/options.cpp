#include "common/options.hpp"

#include <fmt/format.h>

#include <charconv>

#include "common/error.hpp"

namespace common {

Block parse_block(std::string_view text) {
    Block block{0, 0};
    const char* end = text.data() + text.size();
    const auto [cross, error] = std::from_chars(text.data(), end, block.width);
    const bool has_cross = error == std::errc{} && cross != end && *cross == 'x';
    const auto last = has_cross ? std::from_chars(cross + 1, end, block.height)
                                : std::from_chars_result{text.data(), std::errc::invalid_argument};
    // 1024 is the most threads that a block may have on any NVIDIA GPU to date.
    if (last.ec != std::errc{} || last.ptr != end || block.width < 1 || block.height < 1 ||
        block.width > 1024 || block.height > 1024 || block.threads() > 1024) {
        throw BadUsage(fmt::format(
            "--block '{}': expected WIDTHxHEIGHT with 1 to 1024 threads in all, like 32x8", text));
    }
    return block;
}

}  // namespace common
