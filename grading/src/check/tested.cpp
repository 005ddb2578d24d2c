#include "check/tested.hpp"

#include <sodium.h>

#include <array>

#include "check/files.hpp"
#include "common/error.hpp"
#include "common/file.hpp"

namespace grading {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* pictures = "pictures";

/// The judge's folder, where the pictures are, ends with the grading.
void keep_picture(json& test, const fs::path& folder, const std::string& copy) {
    const fs::path picture = test.at("picture").get<std::string>();
    test["picture"] = "";
    std::error_code missing;
    const auto size = fs::file_size(picture, missing);
    if (missing || size > largest_picture || test.at("hidden")) return;
    fs::create_directories(folder / pictures);
    fs::copy_file(picture, folder / pictures / copy, fs::copy_options::overwrite_existing);
    test["picture"] = copy;
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
        for (json& test : results["judged"]["tests"]) {
            keep_picture(test, folder, variant + "." + test.at("name").get<std::string>() + ".png");
        }
    }
    common::write_file(folder / "tested.json", [&](std::ostream& file) { file << tested; });
}

json read_tested(const fs::path& folder, const std::string& lab) {
    const fs::path path = folder / "tested.json";
    json tested = json::parse(content_of(path), nullptr, false);
    if (!tested.is_object() || tested.value("lab", "") != lab) {
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
