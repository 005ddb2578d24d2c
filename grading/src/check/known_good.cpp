#include "check/known_good.hpp"

#include <chrono>

#include "check/files.hpp"
#include "common/file.hpp"

namespace grading {

namespace fs = std::filesystem;

KnownGood::KnownGood(const fs::path& folder, std::string name, std::string setup)
    : file_(folder / ("known_good." + std::move(name))), setup_(std::move(setup)) {}

bool KnownGood::is_remembered() const {
    std::error_code missing;
    const auto written = fs::last_write_time(file_, missing);
    if (missing) return false;
    const auto age = fs::file_time_type::clock::now() - written;
    return age >= age.zero() && age < std::chrono::minutes(10) && content_of(file_) == setup_;
}

void KnownGood::remember() const {
    common::write_file(file_, [&](std::ostream& file) { file << setup_; });
}

void KnownGood::forget() const {
    std::error_code ignored;
    fs::remove(file_, ignored);
}

}  // namespace grading
