#include "all_cases.hpp"

#include <fstream>
#include <sstream>

namespace corpus {
namespace {

/// True if a line is a mark with that name, perhaps among others.
bool marks(const std::string& line, const std::string& name) {
    const std::string mark = "// fault: ";
    const std::size_t begin = line.find(mark);
    if (begin == std::string::npos) return false;
    std::istringstream names(line.substr(begin + mark.size()));
    for (std::string word; names >> word;) {
        if (word.back() == ',') word.pop_back();
        if (word == name) return true;
    }
    return false;
}

bool is_mark(const std::string& line) {
    return line.find("// fault: ") != std::string::npos;
}

/// The report of a compute-sanitizer tool, from the output of on_gpu.sh.
std::string said_on_gpu(const Case& one) {
    std::ifstream results(one.file.substr(0, one.file.find_last_of('/') + 1) + "h200.txt");
    for (std::string line; std::getline(results, line);) {
        if (line.rfind(one.name + ", ", 0) != 0) continue;
        const std::string verdict = line.substr(line.rfind(", ") + 2);
        const char* said = verdict == "agrees"    ? "the same line"
                           : verdict == "nothing" ? "no line"
                                                  : "another line";
        return std::string(name_of(one.tool)) + ": " + said;
    }
    return "not run";
}

}  // namespace

std::vector<Case> all_cases() {
    std::vector<Case> all;
    for (const auto cases :
         {lab1_cases, lab2_cases, lab2_expert_cases, lab3_cases, lab4_cases, lab4_expert_cases}) {
        const std::vector<Case> some = cases();
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

std::vector<int> marked_lines(const Case& one) {
    std::vector<int> lines;
    std::ifstream source(one.file);
    bool pending = false;
    std::string line;
    for (int number = 1; std::getline(source, line); ++number) {
        if (marks(line, one.name)) {
            pending = true;
        } else if (pending && !is_mark(line)) {
            lines.push_back(number);
            pending = false;
        }
    }
    return lines;
}

std::string file_name(const Case& one) {
    return one.file.substr(one.file.find_last_of('/') + 1);
}

const char* name_of(Tool tool) {
    switch (tool) {
        case Tool::memcheck:
            return "memcheck";
        case Tool::racecheck:
            return "racecheck";
        case Tool::initcheck:
            return "initcheck";
        default:
            return "synccheck";
    }
}

std::string table_row(const Case& one) {
    const std::string right =
        "[" + one.from.substr(one.from.find_last_of('/') + 1) + "](../../../" + one.from + ")";
    return "| `" + one.name + "` | " + right + " | " + one.mistake + " | " + one.says + " | " +
           said_on_gpu(one) + " |";
}

}  // namespace corpus
