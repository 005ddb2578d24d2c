#include "testing_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "common/error.hpp"
#include "testing_calls.hpp"

namespace harness {
namespace {

/// A block and the image that it was tried on.
struct Tried {
    int width, height;
    cv::Size image;
    bool fails;
};

struct Property {
    const char* name;
    bool (*holds)(const Tried& tried);
};

bool is_odd(int number) {
    return number % 2 != 0;
}
bool is_power_of_two(int number) {
    return std::has_single_bit(static_cast<unsigned>(number));
}

/// The simplest first.
constexpr Property of_blocks[] = {
    {"has more than one row", [](const Tried& t) { return t.height > 1; }},
    {"has more than one column", [](const Tried& t) { return t.width > 1; }},
    {"has one row only", [](const Tried& t) { return t.height == 1; }},
    {"has one column only", [](const Tried& t) { return t.width == 1; }},
    {"has an odd width", [](const Tried& t) { return is_odd(t.width); }},
    {"has an odd height", [](const Tried& t) { return is_odd(t.height); }},
    {"has an odd width or height",
     [](const Tried& t) { return is_odd(t.width) || is_odd(t.height); }},
    {"has an odd width and height", [](const Tried& t) { return is_odd(t.width * t.height); }},
    {"is not made of whole warps", [](const Tried& t) { return t.width * t.height % 32 != 0; }},
    {"has fewer threads than a warp", [](const Tried& t) { return t.width * t.height < 32; }},
    {"has more threads than a warp", [](const Tried& t) { return t.width * t.height > 32; }},
    {"has rows that are no multiple of a warp", [](const Tried& t) { return t.width % 32 != 0; }},
    {"is not square", [](const Tried& t) { return t.width != t.height; }},
    {"is wider than high", [](const Tried& t) { return t.width > t.height; }},
    {"is higher than wide", [](const Tried& t) { return t.width < t.height; }},
    {"has a width that is no power of 2", [](const Tried& t) { return !is_power_of_two(t.width); }},
    {"has a height that is no power of 2",
     [](const Tried& t) { return !is_power_of_two(t.height); }},
    {"has a width or height that is no power of 2",
     [](const Tried& t) { return !is_power_of_two(t.width) || !is_power_of_two(t.height); }},
    {"does not divide the image's width",
     [](const Tried& t) { return t.image.width % t.width != 0; }},
    {"does not divide the image's height",
     [](const Tried& t) { return t.image.height % t.height != 0; }},
    {"does not divide the image", [](const Tried& t) {
         return t.image.width % t.width != 0 || t.image.height % t.height != 0;
     }}};

/// Nothing if the variant refuses the call, or there is no such one.
std::optional<bool> fails(const std::function<VariantCall()>& make_call) {
    try {
        const VariantCall call = make_call();
        return examine_once(call, call.in).wrong;
    } catch (const Unsupported&) {
        return std::nullopt;
    } catch (const BadUsage&) {
        return std::nullopt;
    } catch (const std::exception&) {
        return true;
    }
}

/// The failing case on a larger image, where blocks make a difference, if it fails there too.
Case on_larger_image(const RandomCases& cases, const Case& failed) {
    Case larger = failed;
    larger.set("width", 20);
    larger.set("height", 12);
    return fails([&] { return cases.variant_call(larger); }).value_or(false) ? larger : failed;
}

std::vector<Tried> tried_blocks(const RandomCases& cases, Case chosen) {
    std::vector<Tried> all;
    for (const int width : {1, 2, 3, 4, 5, 7, 8, 16, 32}) {
        for (const int height : {1, 2, 3, 4, 5, 8}) {
            chosen.set("block_width", width);
            chosen.set("block_height", height);
            const auto wrong = fails([&] { return cases.variant_call(chosen); });
            const cv::Size image{chosen.number("width"), chosen.number("height")};
            if (wrong) all.push_back({width, height, image, *wrong});
        }
    }
    return all;
}

/// The first property that just those have that fail, or null.
const Property* common_property(std::span<const Property> properties,
                                const std::vector<Tried>& tried) {
    constexpr int fewest = 3;  // of each, or the rule may be chance
    const auto wrong = std::ranges::count_if(tried, &Tried::fails);
    if (wrong < fewest || std::ssize(tried) - wrong < fewest) return nullptr;
    const auto found = std::ranges::find_if(properties, [&](const Property& property) {
        return std::ranges::all_of(
            tried, [&](const Tried& one) { return property.holds(one) == one.fails; });
    });
    return found == properties.end() ? nullptr : &*found;
}

/// Adds to the first line of the message.
void add(std::string& message, const std::vector<Tried>& tried) {
    const Property* property = common_property(of_blocks, tried);
    if (property == nullptr) return;
    const cv::Size& image = tried.front().image;
    message.insert(std::min(message.find('\n'), message.size()),
                   fmt::format("; it fails where the block {}, and not with the other ones of {} "
                               "(on {}x{})",
                               property->name, tried.size(), image.width, image.height));
}

}  // namespace

void add_where_it_fails(std::string& message, const RandomCases& cases, const Case& failed) {
    if (!failed.has("block_width") || !failed.has("width")) return;
    if (!is_emulated(cases.variant_call(failed).variant)) return;  // a fault ends a GPU's use
    add(message, tried_blocks(cases, on_larger_image(cases, failed)));
}

void add_where_it_fails(std::string& message, const std::vector<VariantCall>& calls,
                        const VariantCall& failed) {
    if (!failed.block || !is_emulated(failed.variant)) return;
    std::vector<Tried> tried;
    for (const VariantCall& call : calls) {
        const bool is_alike =
            call.block && call.in.size() == failed.in.size() && call.in.type() == failed.in.type();
        const bool is_known = std::ranges::any_of(tried, [&](const Tried& one) {
            return call.block == Block{one.width, one.height};
        });
        if (!is_alike || is_known) continue;
        const auto wrong = fails([&] { return call; });
        if (wrong) tried.push_back({call.block->width, call.block->height, call.in.size(), *wrong});
    }
    add(message, tried);
}

}  // namespace harness
