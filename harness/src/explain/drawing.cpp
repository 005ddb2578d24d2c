// The drawing of an explanation: for the lines with the most sectors and bank conflicts, the bytes
// and banks that the lanes of one warp access.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "explain/parts.hpp"

namespace harness {

using emulation::BankWord;
using emulation::Example;
using emulation::KernelCounts;
using emulation::LineCounts;
using emulation::Part;
using emulation::Request;
using emulation::Space;

namespace {

constexpr int cell = 27;  ///< width of a byte, or of a bank
constexpr int row_height = 24;
constexpr int left = 118;
constexpr int drawing_width = left + 32 * cell + 24;
constexpr std::size_t most_rows = 16;
constexpr std::size_t most_panels = 4;

constexpr char style[] =
    "<style>\n"
    "  text { font-family: system-ui, sans-serif; font-size: 12px; fill: #24292f; }\n"
    "  .page { fill: #ffffff; }\n"
    "  .title { font-size: 15px; font-weight: 600; }\n"
    "  .code { font-family: ui-monospace, monospace; }\n"
    "  .note { fill: #57606a; }\n"
    "  .axis { fill: #57606a; font-size: 10px; text-anchor: middle; }\n"
    "  .row { fill: #57606a; text-anchor: end; }\n"
    "  .lane { fill: #1b1f24; font-size: 11px; text-anchor: middle; }\n"
    "  .long { fill: #1b1f24; font-size: 8px; text-anchor: middle; }\n"
    "  .idle { fill: #eaeef2; }\n"
    "  @media (prefers-color-scheme: dark) {\n"
    "    text { fill: #e6edf3; }\n"
    "    .page { fill: #0d1117; }\n"
    "    .note, .axis, .row { fill: #9198a1; }\n"
    "    .lane, .long { fill: #1b1f24; }\n"
    "    .idle { fill: #262c36; }\n"
    "  }\n"
    "</style>\n";

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '<') {
            result += "&lt;";
        } else if (c == '>') {
            result += "&gt;";
        } else if (c == '&') {
            result += "&amp;";
        } else {
            result += c;
        }
    }
    return result;
}

/// From blue (lane 0) over green to orange (lane 31), all light enough for dark digits.
std::string colour_of(unsigned lane) {
    const double hue = 215 - 185.0 * lane / (emulation::lanes_of_warp - 1);
    const double lightness = lane % 2 == 0 ? 0.70 : 0.80;
    constexpr double saturation = 0.62;
    const auto channel = [&](double n) {
        const double k = std::fmod(n + hue / 30, 12);
        const double amplitude = saturation * std::min(lightness, 1 - lightness);
        const double value = lightness - amplitude * std::clamp(std::min(k - 3, 9 - k), -1.0, 1.0);
        return static_cast<int>(std::lround(255 * value));
    };
    return fmt::format("#{:02x}{:02x}{:02x}", channel(0), channel(8), channel(4));
}

/// "5", "4-7", or "0 +3": lane 0 and three more that do not follow.
std::string names_of(std::uint32_t lanes) {
    const int first = std::countr_zero(lanes);
    const int count = std::popcount(lanes);
    if (count == 1) return std::to_string(first);
    const int last = 31 - std::countl_zero(lanes);
    if (last - first + 1 == count) return fmt::format("{}\u2013{}", first, last);
    return fmt::format("{} +{}", first, count - 1);
}

std::string text(int x, int y, const char* look, const std::string& content) {
    return fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\">{}</text>\n", x, y, look,
                       escaped(content));
}

std::string box(int column, int y, int cells, const std::string& fill) {
    return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" {}/>\n",
                       left + column * cell + 1, y, cells * cell - 2, row_height - 3, fill);
}

/// Some cells that the same lanes access.
std::string lanes_box(int column, int y, int cells, std::uint32_t lanes) {
    const auto first = static_cast<unsigned>(std::countr_zero(lanes));
    const std::string names = names_of(lanes);
    return box(column, y, cells, fmt::format("fill=\"{}\"", colour_of(first))) +
           text(left + column * cell + cells * cell / 2, y + 15,
                cells == 1 && names.size() > 5 ? "long" : "lane", names);
}

std::string column_numbers(int y) {
    std::string drawn;
    for (int i = 0; i < 32; ++i) {
        drawn += text(left + i * cell + cell / 2, y, "axis", std::to_string(i));
    }
    return drawn;
}

/// A picture of a request, and how high it is.
struct Picture {
    std::string drawn;
    int height = 0;
};

/// A cell of grey where nothing is accessed, and boxes of equal neighbours.
std::string cells_row(const std::array<std::uint32_t, 32>& lanes, int y, bool joined) {
    std::string drawn;
    for (int begin = 0; begin < 32;) {
        const std::uint32_t here = lanes[static_cast<std::size_t>(begin)];
        int end = begin + 1;
        while (joined && here != 0 && end < 32 && lanes[static_cast<std::size_t>(end)] == here) {
            ++end;
        }
        drawn +=
            here == 0 ? box(begin, y, 1, "class=\"idle\"") : lanes_box(begin, y, end - begin, here);
        begin = end;
    }
    return drawn;
}

/// The lanes that access each byte of a sector.
std::array<std::uint32_t, 32> bytes_of(const Request& request, std::uint64_t sector) {
    std::array<std::uint32_t, 32> lanes{};
    for (unsigned lane = 0; lane < emulation::lanes_of_warp; ++lane) {
        if (!request.has(lane)) continue;
        for (unsigned i = 0; i < request.bytes[lane]; ++i) {
            const std::uint64_t at = request.address[lane] + i;
            if (at / emulation::sector_bytes == sector) {
                lanes[at % emulation::sector_bytes] |= 1u << lane;
            }
        }
    }
    return lanes;
}

std::string more(std::size_t count, int y, const std::string& what) {
    return text(left, y + 15, "note", fmt::format("and {} more {}", count, what));
}

Picture sectors_picture(const Request& request, int y) {
    const std::vector<std::uint64_t> sectors = emulation::sectors_of(request);
    std::string drawn = text(left - 10, y, "row", "byte of sector") + column_numbers(y);
    int at = y + 8;
    const std::size_t shown = std::min(sectors.size(), most_rows);
    for (std::size_t i = 0; i < shown; ++i) {
        const std::uint64_t distance = (sectors[i] - sectors[0]) * emulation::sector_bytes;
        drawn += text(left - 10, at + 15, "row", fmt::format("sector +{}", distance));
        drawn += cells_row(bytes_of(request, sectors[i]), at, true);
        at += row_height;
    }
    if (shown < sectors.size()) {
        drawn += more(sectors.size() - shown, at, "sectors");
        at += row_height;
    }
    return {drawn, at - y};
}

/// One row for each wavefront: in each bank the first word that is left.
std::vector<std::array<std::uint32_t, 32>> wavefronts_of(const Request& request) {
    std::vector<std::array<std::uint32_t, 32>> rows;
    for (const Part& part : emulation::parts_of(request)) {
        const std::size_t first = rows.size();
        rows.resize(first + part.wavefronts);
        std::array<std::size_t, 32> next{};
        for (const BankWord& word : part.words) {
            rows[first + next[word.bank()]++][word.bank()] = word.lanes;
        }
    }
    return rows;
}

Picture banks_picture(const Request& request, int y) {
    const auto rows = wavefronts_of(request);
    std::string drawn = text(left - 10, y, "row", "bank") + column_numbers(y);
    int at = y + 8;
    const std::size_t shown = std::min(rows.size(), most_rows);
    for (std::size_t i = 0; i < shown; ++i) {
        drawn += text(left - 10, at + 15, "row", fmt::format("wavefront {}", i + 1));
        drawn += cells_row(rows[i], at, false);
        at += row_height;
    }
    if (shown < rows.size()) {
        drawn += more(rows.size() - shown, at, "wavefronts");
        at += row_height;
    }
    return {drawn, at - y};
}

struct Panel {
    const KernelCounts* kernel;
    const LineCounts* line;
};

std::string summary(const LineCounts& line) {
    const Request& request = line.counts.example.request;
    const std::string lanes = fmt::format("{} lanes, {} byte{} each", std::popcount(request.active),
                                          line.counts.width, line.counts.width == 1 ? "" : "s");
    if (line.space != Space::shared) {
        return fmt::format("{}: {} sectors", lanes, emulation::sectors_of(request).size());
    }
    const auto parts = emulation::parts_of(request);
    std::size_t wavefronts = 0;
    for (const Part& part : parts) wavefronts += part.wavefronts;
    return fmt::format("{}: {} wavefront{}, {} of bank conflicts", lanes, wavefronts,
                       wavefronts == 1 ? "" : "s", wavefronts - parts.size());
}

Picture panel_picture(const Panel& panel, int y) {
    const LineCounts& line = *panel.line;
    const Example& example = line.counts.example;
    const char* space = line.space == Space::shared ? "shared memory" : "global memory";
    std::string drawn =
        text(20, y, "title",
             fmt::format("{}, {}: {} {} {}", panel.kernel->name, short_place(line),
                         to_string(line.operation),
                         line.operation == emulation::Operation::load ? "from" : "to",
                         line.space == Space::texture ? "a texture" : space));
    drawn += text(20, y + 20, "code", source_text(line, 110));
    drawn += text(20, y + 40, "note",
                  fmt::format("Warp {} of block {}: {}", example.warp,
                              to_string(example.block_index), summary(line)));
    const int top = y + 66;
    const Picture picture = line.space == Space::shared ? banks_picture(example.request, top)
                                                        : sectors_picture(example.request, top);
    return {drawn + picture.drawn, 66 + picture.height + 36};
}

/// The lines with the most of a count, at most two.
void choose(std::vector<Panel>& panels, const Kernels& kernels, Space space,
            std::uint64_t emulation::AccessCounts::*counter) {
    std::vector<Panel> found;
    for (const KernelCounts& kernel : kernels) {
        for (const LineCounts& line : kernel.lines) {
            if (line.space == space) found.push_back({&kernel, &line});
        }
    }
    std::stable_sort(found.begin(), found.end(), [&](const Panel& a, const Panel& b) {
        return a.line->counts.*counter > b.line->counts.*counter;
    });
    found.resize(std::min(found.size(), most_panels / 2));
    panels.insert(panels.end(), found.begin(), found.end());
}

}  // namespace

std::string drawing_of(const Kernels& kernels) {
    std::vector<Panel> panels;
    choose(panels, kernels, Space::global, &emulation::AccessCounts::sectors);
    choose(panels, kernels, Space::texture, &emulation::AccessCounts::sectors);
    choose(panels, kernels, Space::shared, &emulation::AccessCounts::wavefronts);
    if (panels.empty()) return "";
    std::string drawn;
    int y = 34;
    for (const Panel& panel : panels) {
        const Picture picture = panel_picture(panel, y);
        drawn += picture.drawn;
        y += picture.height;
    }
    drawn += text(20, y - 10, "note",
                  "A box is what the lanes with these numbers access. \"0 +3\": lane 0 and three "
                  "others. Grey: nobody accesses it.");
    const int height = y + 10;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\">\n{2}<rect class=\"page\" width=\"{0}\" "
        "height=\"{1}\"/>\n{3}</svg>\n",
        drawing_width, height, style, drawn);
}

}  // namespace harness
