// The programs that load students' modules export only functions of a lab that are declared in a
// header that students have.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// All names in headers.
std::set<std::string> names_in(const fs::path& api) {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(api)) {
        std::ifstream file(entry.path());
        std::string name;
        for (char c = ' '; entry.is_regular_file() && file.get(c);) {
            const bool is_part = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
            if (is_part) name += c;
            if (!is_part) names.insert(std::exchange(name, ""));
        }
    }
    return names;
}

/// The functions and variables that a program has for its modules, as in the language; without
/// those of the system's libraries and of the emulation, and without inline ones, which are no
/// secret of a source file.
std::vector<std::string> exported_by(const fs::path& program) {
    const std::unique_ptr<FILE, int (*)(FILE*)> listed(
        popen(fmt::format("nm -DC --defined-only '{}'", program.string()).c_str(), "r"), pclose);
    const std::regex own("[0-9a-f]+ [TDBR] ((?!std::|emulation::)[a-z][a-z0-9_]*::.*)\\n");
    std::array<char, 65536> line{};
    std::vector<std::string> names;
    while (fgets(line.data(), line.size(), listed.get()) != nullptr) {
        std::cmatch name;
        if (std::regex_match(line.data(), name, own)) names.push_back(name[1]);
    }
    return names;
}

/// Of "space::Class::name(int) const": "name"; of a destructor its class.
std::string own_name(const std::string& exported) {
    std::string name = exported.substr(0, exported.find('('));
    if (name.find('<') != std::string::npos) name.resize(name.find('<'));
    name = name.substr(name.rfind(':') + 1);
    return name.starts_with('~') ? name.substr(1) : name;
}

TEST(exports, are_declared_in_headers_of_students) {
    int labs = 0;
    for (const auto& entry : fs::directory_iterator(BUILD "/api")) {
        if (!entry.is_directory()) continue;
        ++labs;
        const std::string lab = entry.path().filename();
        const std::set<std::string> declared = names_in(entry.path());
        for (const std::string kind : {"worker", "gpu_worker", "races"}) {
            const fs::path program = fmt::format("{}/grade_{}_{}", BUILD, kind, lab);
            if (!fs::exists(program)) continue;
            const std::vector<std::string> all = exported_by(program);
            EXPECT_FALSE(all.empty()) << program;
            for (const std::string& name : all) {
                EXPECT_FALSE(name.starts_with("grading::")) << program << ": " << name;
                EXPECT_TRUE(declared.contains(own_name(name))) << program << ": " << name;
            }
        }
    }
    EXPECT_GE(labs, 4);
}

}  // namespace
