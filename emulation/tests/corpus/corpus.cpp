// corpus: runs one faulty kernel, on a GPU or emulated.
//
//     corpus CASE     0 if no error was reported, 1 if one was, with its message
//     corpus --right CASE     the same kernel without the mistake
//     corpus --list   name, tool of compute-sanitizer, file and lines at fault of all cases
//     corpus --table  the rows of the table in README.md

#include "corpus.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "all_cases.hpp"

namespace {

using corpus::Case;

int run(cudaError_t (*launch)()) {
    cudaError_t error = launch();
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    if (error == cudaSuccess) return 0;
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
}

void print_list(const std::vector<Case>& cases) {
    for (const Case& one : cases) {
        std::printf("%s %s %s", one.name.c_str(), corpus::name_of(one.tool),
                    corpus::file_name(one).c_str());
        for (const int line : corpus::marked_lines(one)) std::printf(" %d", line);
        std::printf("\n");
    }
}

}  // namespace

int main(int count, char** arguments) {
    const std::vector<std::string_view> words(arguments + 1, arguments + count);
    const std::vector<Case> cases = corpus::all_cases();
    if (words.size() == 1 && words[0] == "--list") return print_list(cases), 0;
    if (words.size() == 1 && words[0] == "--table") {
        for (const Case& one : cases) std::printf("%s\n", corpus::table_row(one).c_str());
        return 0;
    }
    const bool right = words.size() == 2 && words[0] == "--right";
    const auto found = std::find_if(cases.begin(), cases.end(), [&](const Case& one) {
        return !words.empty() && one.name == words.back();
    });
    if (words.size() != (right ? 2 : 1) || found == cases.end()) {
        std::fprintf(stderr, "usage: corpus [--right] CASE | --list | --table\n");
        return 2;
    }
    return run(right ? found->right : found->wrong);
}
