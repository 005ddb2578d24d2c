#include "bands/journal.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "common/file.hpp"

namespace harness {

using namespace common;

std::optional<Progressed> Journal::read() const {
    std::ifstream in(file_);
    const nlohmann::json json = nlohmann::json::parse(in, nullptr, false);
    if (!json.is_object()) return std::nullopt;
    try {
        return Progressed{json.at("run"), json.at("band_rows"), json.at("measured"),
                          json.at("totals"), json.at("rows")};
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

void Journal::write(const Progressed& progressed) const {
    const nlohmann::ordered_json json{{"run", progressed.run},
                                      {"band_rows", progressed.band_rows},
                                      {"measured", progressed.measured},
                                      {"totals", progressed.totals},
                                      {"rows", progressed.rows}};
    write_file(file_, [&](std::ostream& out) { out << json.dump() << '\n'; });
}

void Journal::remove() const {
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
}

}  // namespace harness
