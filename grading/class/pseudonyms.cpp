#include "pseudonyms.hpp"

#include <fmt/format.h>

#include <random>
#include <set>

#include "common/csv.hpp"
#include "common/error.hpp"
#include "common/file.hpp"

namespace grading {
namespace {

namespace fs = std::filesystem;

std::map<std::string, std::string> read(const fs::path& path) {
    std::map<std::string, std::string> known;
    if (!fs::exists(path)) return known;
    for (const auto& row : common::read_csv(path)) {
        if (row.size() == 2 && row[0] != "id") known[row[0]] = row[1];
    }
    return known;
}

void write(const std::map<std::string, std::string>& names, const fs::path& path) {
    common::write_file(path, [&](std::ostream& out) {
        // An id needs no quotes in CSV.
        out << "id,pseudonym\n";
        for (const auto& [id, name] : names) out << id << ',' << name << '\n';
    });
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
}

}  // namespace

std::map<std::string, std::string> pseudonyms(const std::vector<Student>& students,
                                              const fs::path& path) {
    std::map<std::string, std::string> names = read(path);
    std::set<std::string> taken;
    for (const auto& [id, name] : names) taken.insert(name);
    std::random_device random;  // of the kernel: who knows the roster cannot compute the names
    std::uniform_int_distribution<int> number(0, 0xffffff);
    for (const Student& student : students) {
        if (names.contains(student.id)) continue;
        std::string name;
        do {
            name = fmt::format("{:06x}", number(random));
        } while (!taken.insert(name).second);
        names[student.id] = name;
    }
    write(names, path);
    return names;
}

}  // namespace grading
