#include "network.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "common/error.hpp"
#include "default_network.hpp"

namespace upscale {
namespace {

constexpr std::string_view title = "learned upscaling by 2, version 1";

/// The words of a text, with their lines for messages.
class Words {
  public:
    Words(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

    [[noreturn]] void refuse(const std::string& what) const {
        throw common::BadUsage(fmt::format("{}: line {}: {}", name_, line_, what));
    }

    void expect_title() {
        if (!rest_.starts_with(title)) refuse(fmt::format("expected \"{}\"", title));
        rest_.remove_prefix(title.size());
    }

    void expect(std::string_view wanted) {
        const std::string_view word = next();
        if (word != wanted) refuse(fmt::format("expected \"{}\", found \"{}\"", wanted, word));
    }

    int number(std::string_view what, int lowest, int highest) {
        const std::string_view word = next();
        int value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || end != word.data() + word.size() || value < lowest ||
            value > highest) {
            refuse(fmt::format("{} \"{}\": expected {} to {}", what, word.substr(0, 20), lowest,
                               highest));
        }
        return value;
    }

    void expect_end() {
        skip_space();
        if (!rest_.empty()) refuse("expected the end of the file");
    }

  private:
    std::string_view rest_;
    std::string_view name_;
    int line_ = 1;

    static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

    void skip_space() {
        for (; !rest_.empty() && is_space(rest_.front()); rest_.remove_prefix(1)) {
            line_ += rest_.front() == '\n';
        }
    }

    std::string_view next() {
        skip_space();
        if (rest_.empty()) refuse("the file ends too early");
        const auto* end = std::find_if(rest_.begin(), rest_.end(), is_space);
        const std::string_view word =
            rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
        rest_.remove_prefix(word.size());
        return word;
    }
};

/// Sums stay below 2^24, so floats hold them, and residuals have 16 bits.
void check_range(const Words& words, const Layer& layer, int output, bool is_last) {
    int largest = std::abs(layer.bias[output]) + (1 << (layer.shift - 1));
    for (const auto& tap : layer.weights[output]) {
        for (const std::int8_t weight : tap) largest += 255 * std::abs(int{weight});
    }
    const int limit = is_last ? 32767 << layer.shift : 1 << 24;
    if (largest > std::min(limit, 1 << 24)) {
        words.refuse(fmt::format("output {}: sums up to {}, more than {}", output, largest,
                                 std::min(limit, 1 << 24)));
    }
}

Layer parse_layer(Words& words, int number) {
    Layer layer;
    const bool is_last = number == network_layers - 1;
    words.expect("layer");
    words.expect(std::to_string(Network::inputs(number)));
    words.expect(std::to_string(Network::outputs(number)));
    words.expect("shift");
    layer.shift = words.number("shift", 1, 9);
    for (int output = 0; output < Network::outputs(number); ++output) {
        words.expect("bias");
        layer.bias[output] = words.number("bias", -(1 << 23), 1 << 23);
        for (int input = 0; input < Network::inputs(number); ++input) {
            for (auto& tap : layer.weights[output]) {
                tap[input] = static_cast<std::int8_t>(words.number("weight", -127, 127));
            }
        }
        check_range(words, layer, output, is_last);
    }
    return layer;
}

}  // namespace

Network parse_network(std::string_view text, std::string_view name) {
    Words words(text, name);
    words.expect_title();
    words.expect("layers");
    words.expect(std::to_string(network_layers));
    Network network;
    for (int i = 0; i < network_layers; ++i) network.layers[i] = parse_layer(words, i);
    words.expect_end();
    return network;
}

Network read_network(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    if (!in || std::filesystem::is_directory(file) || !(text << in.rdbuf())) {
        throw common::BadUsage(fmt::format("{}: cannot be read", file.string()));
    }
    return parse_network(text.str(), file.string());
}

const Network& default_network() {
    static const Network network = parse_network(default_network_text, "network.txt");
    return network;
}

}  // namespace upscale
