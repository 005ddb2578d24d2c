// The translation names each construct that it refuses.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace {

std::string contents(const std::filesystem::path& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

/// The translation of a text, or the error.
std::string translation(const std::string& text) {
    const auto folder =
        std::filesystem::path(testing::TempDir()) / fmt::format("translate-{}", getpid());
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "in.cu") << text;
    setenv("TRANSLATE", TRANSLATE, 1);  // its path may contain any character
    const std::string command =
        fmt::format("\"$TRANSLATE\" '{}' '{}' 2> '{}'", (folder / "in.cu").string(),
                    (folder / "out.cpp").string(), (folder / "errors").string());
    const bool done = std::system(command.c_str()) == 0;
    std::string result = contents(folder / (done ? "out.cpp" : "errors"));
    std::filesystem::remove_all(folder);
    return result;
}

TEST(translate, comments_and_literals_stay) {
    const std::string text = "// a<<<b>>>(c) threadIdx\nconst char* s = \"threadIdx <<<\";\n";
    EXPECT_THAT(translation(text), testing::HasSubstr(text));
}

TEST(translate, lines_keep_their_numbers) {
    const std::string text = "k<a,\n  b>\n<<<1,\n 2>>>(x,\n y);\n__shared__\n int a[4];\nend";
    const std::string result = translation(text);
    EXPECT_EQ(std::count(result.begin(), result.end(), '\n'),
              std::count(text.begin(), text.end(), '\n') + 1);
    EXPECT_THAT(result, testing::EndsWith("\nend"));
}

TEST(translate, members_keep_their_names) {
    EXPECT_THAT(translation("launch.gridDim = blockDim;\n"),
                testing::HasSubstr("launch.gridDim = ::emulation::blockDim();"));
}

TEST(translate, variables_of_the_gpu) {
    EXPECT_THAT(translation("int x;\n#define N 4\nstatic __device__ int a[N],\n *b = 0; // c\nend"),
                testing::AllOf(testing::HasSubstr("static auto& a = ::emulation::device_variable("),
                               testing::HasSubstr("return emulated_initial; })\n; // c\nend")));
    for (const char* kind : {"__device__", "__constant__", "__shared__"}) {
        const std::string two = kind + std::string(" std::array<int, 2> a[1 << 3], b[1 << 4];");
        EXPECT_THAT(translation(two), testing::HasSubstr("auto& b = ")) << kind;
    }
    EXPECT_THAT(translation("void f() { static __device__ int a; }"),
                testing::HasSubstr("{ auto& a = ::emulation::device_variable("));
    for (const char* text : {"__device__ int f(int a = 1);\n", "__device__ const int a = 1;\n",
                             "#define F __device__ int a;\n", "__device__ bool operator==(A, A);\n",
                             "[] __device__ (int i) { return i; };\n"}) {
        EXPECT_THAT(translation(text), testing::HasSubstr(text));
    }
}

TEST(translate, arguments_of_launches_stay) {
    for (const char* arguments :
         {"", "f(a, b)", "g<a, b>(c), T{1, 2}", "\")\", ')'", "R\"k()\")k\", 1'0, u8')'",
          "[=](int i) { return i > 1; }, a->b", "a, // )\n b /* ) */", "args..."}) {
        const std::string end = std::string(*arguments != 0 ? "), " : ")") + arguments + ");";
        EXPECT_THAT(translation("k<a<(2 > 1)>><<<f<g<h<int>>>::n, 2>>>(" + std::string(arguments) +
                                ");\nend"),
                    testing::EndsWith("Configuration(f<g<h<int>>>::n, 2" + end + "\nend"));
    }
}

TEST(translate, lists_in_braces_are_in_the_call) {
    const std::string result = translation(
        "k<<<1, 2>>>(a, {b,\n {}, {.c = d(e, 1), .f{g}}},\n -1.5f, "
        "h...);\nend");
    EXPECT_THAT(result, testing::HasSubstr("k(emulated_0, {emulated_1, {}, {.c =emulated_2, "
                                           ".f{emulated_3}}}, -1.5f, h...); _Pragma"));
    EXPECT_THAT(result, testing::EndsWith("Configuration(1, 2)), a, b, d(e, 1), g\n\n);\nend"));
}

TEST(translate, unknown_forms_are_refused_with_their_line) {
    EXPECT_THAT(translation("\n__shared__ ;\n"), testing::HasSubstr("in.cu:2: error:"));
    EXPECT_THAT(translation("\n__device__ __managed__ int a;\n"),
                testing::HasSubstr("in.cu:2: error:"));
    EXPECT_THAT(translation("\nextern __device__ int a;\n"), testing::HasSubstr("in.cu:2: error:"));
    EXPECT_THAT(translation("\n\n<<<1, 2>>>(x);"), testing::HasSubstr("in.cu:3: error:"));
}

}  // namespace
