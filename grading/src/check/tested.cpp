#include "check/tested.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>

#include "check/files.hpp"
#include "check/output.hpp"
#include "common/error.hpp"
#include "common/file.hpp"

namespace grading {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* pictures = "pictures";

std::uintmax_t size_of_picture(const json& test) {
    return shown_bytes(test.at("picture"), test.at("hidden"));
}

/// The judge's folder, where the pictures are, ends with the grading. The largest one is kept,
/// which is the one that feedback shows.
void keep_largest_picture(json& tests, const fs::path& folder, const std::string& name) {
    const auto largest = std::ranges::max_element(tests, {}, size_of_picture);
    const fs::path picture = largest == tests.end() || size_of_picture(*largest) == 0
                                 ? ""
                                 : largest->at("picture").get<std::string>();
    for (json& test : tests) test["picture"] = "";
    if (picture.empty()) return;
    fs::create_directories(folder / pictures);
    fs::copy_file(picture, folder / pictures / name, fs::copy_options::overwrite_existing);
    (*largest)["picture"] = name;
}

}  // namespace

std::string fingerprint_of(const std::string& content) {
    std::array<unsigned char, crypto_generichash_BYTES> hash{};
    crypto_generichash(hash.data(), hash.size(),
                       reinterpret_cast<const unsigned char*>(content.data()), content.size(),
                       nullptr, 0);
    std::string digits(2 * hash.size() + 1, '\0');
    sodium_bin2hex(digits.data(), digits.size(), hash.data(), hash.size());
    digits.pop_back();  // the zero at the end
    return digits;
}

void write_tested(json tested, const fs::path& folder) {
    for (auto& [variant, results] : tested.at("variants").items()) {
        if (results.at("judged").is_null()) continue;
        json& tests = results["judged"]["tests"];
        for (json& test : tests) {
            if (test.at("hidden")) test["reason"] = "";
        }
        keep_largest_picture(tests, folder, variant + ".png");
    }
    common::write_file(folder / "tested.json", [&](std::ostream& file) { file << tested; });
}

json read_tested(const fs::path& folder, const std::string& lab) {
    const fs::path path = folder / "tested.json";
    json tested = json::parse(content_of(path), nullptr, false);
    if (!tested.is_object() || tested.value("lab", "") != lab || !tested.contains("facts")) {
        throw common::BadUsage(path.string() + ": is not of `grade check --part tests` for " + lab);
    }
    for (json& results : tested.at("variants")) {
        if (results.at("judged").is_null()) continue;
        for (json& test : results["judged"]["tests"]) {
            const std::string picture = test.at("picture");
            if (!picture.empty()) test["picture"] = folder / pictures / picture;
        }
    }
    return tested;
}

void remove_tested(const fs::path& folder) {
    fs::remove(folder / "tested.json");
    fs::remove_all(folder / pictures);
}

}  // namespace grading
