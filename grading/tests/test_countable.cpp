#include <gtest/gtest.h>

#include <string>

#include "check/countable.hpp"

namespace {

using grading::forbidden_symbol;
using grading::hides_accesses;

/// The output of the compiler for these lines of the student, after a header with assembly.
std::string preprocessed(const std::string& own) {
    return "# 1 \"/usr/include/x.h\" 1\nasm(\"pause\");\n# 1 \"/in/mine.cu\" 2\n" + own + "\n";
}

std::string said_of_code(const std::string& own) {
    return hides_accesses(own, preprocessed(own), "mine.cu");
}

TEST(Countable, are_plain_kernels) {
    EXPECT_EQ(said_of_code("int x = ::emulation::threadIdx().x; float f = __builtin_inff();"), "");
    EXPECT_EQ(
        said_of_code(
            "::emulation::launch([=]<class... Emulated>(Emulated... emulated_arguments) { f("),
        "");
    EXPECT_EQ(said_of_code("#pragma unroll\nint plasma_asm_ = atomicAdd(to_string(x));"), "");
}

TEST(Countable, may_have_any_text_in_literals_and_comments) {
    EXPECT_EQ(
        said_of_code("f({.idea = \"an atomic \\\" asm per block\", .c = 'a'}); int x = 1'000;"),
        "");
    EXPECT_EQ(said_of_code("f(R\"x(asm )\" __asm__)x\");"), "");
    EXPECT_EQ(said_of_code("  // #1: the first step\nint x;  // # line\n"), "");
}

TEST(Countable, are_no_words_between_marks_that_begin_no_literal) {
    for (const char* text :
         {"int x = 0x1'a'b; asm(); char c = 'z';", "float f = 0x1.a'bp0; asm(); char c = 'z';",
          "f(R\"(\")\"); asm(); f(\"\");", "f('\"'); asm(); f('\"');",
          "f(\"\\\\\"); asm(); f(\"\");", "f(\"'\"); asm(); f(\"'\");", "'\nasm(); '",
          "f(xR\"(\"); asm(); f(\")\");"}) {
        EXPECT_EQ(said_of_code(text), "asm") << text;
    }
    EXPECT_EQ(said_of_code("/* \n*/ /* */ # line 7\n"), "#line");
    EXPECT_EQ(said_of_code("/* // \n // */ #line 7\n"), "#line");
}

TEST(Countable, are_no_words_that_may_hide_accesses) {
    for (const char* word :
         {"asm", "__asm__", "__attribute__", "gnu", "emulation", "__tsan_read4", "no_sanitize",
          "no_instrument_function", "__builtin_memcpy", "_ZN9emulation13current_tallyEv", "GCC",
          "__wrap_memcpy", "_mm_loadl_pi", "__atomic_load_n", "atomic_ref", "char_traits",
          "string_view", "strlen"}) {
        EXPECT_EQ(said_of_code(std::string("x ") + word + ";"), word);
    }
    EXPECT_EQ(said_of_code("::emulation::Counting counting;"), "emulation");
    EXPECT_EQ(
        said_of_code("::emulation::launch([=](auto emulated_0) {\n#pragma GCC diagnostic push\n"),
        "");
    EXPECT_EQ(said_of_code("_Pragma(\"x\") GCC"), "GCC");
}

TEST(Countable, are_no_files_whose_lines_have_other_names) {
    for (const char* text : {"#line 1 \"/usr/x.h\"", "# 1 \"/usr/x.h\"",
                             "# /* a\n */ li\\\nne 1 \"x\"", "%: line 7", "#\\ \n line 7"}) {
        EXPECT_EQ(said_of_code(text), "#line") << text;
    }
    EXPECT_NE(hides_accesses("int x;", "# 1 \"/usr/x.h\"\nint x;\n", "mine.cu"), "");
    EXPECT_EQ(said_of_code("R\"(\n# x \"/usr/x.h\"\n)\"; asm();"), "asm");
    for (const char* text : {"# /*", "#", "\\", "%:"}) {
        EXPECT_EQ(hides_accesses(text, preprocessed("int x;"), "mine.cu"), "") << text;
    }
}

TEST(Countable, are_no_files_whose_macros_change_a_header) {
    EXPECT_EQ(said_of_code("#define to_pixel a##sm\n #  include \"problem/variant.hpp\""),
              "#define before #include");
    EXPECT_EQ(said_of_code("#include \"a.hpp\"\n#define A 1\n"), "");
}

TEST(Countable, are_modules_that_call_what_kernels_need) {
    EXPECT_EQ(
        forbidden_symbol("                 U __tsan_read4\n                 w __cxa_finalize@G\n"
                         " U _ZN9emulation9threadIdxEv\n U _Z13cudaGetDevicePi\n"
                         " U _ZNSt13runtime_errorD2Ev@GLIBCXX_3.4\n U memcpy\n"
                         " U _Unwind_Resume\n U _ZN9threshold12find_optionsEv\n"
                         " U _ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE15_M_replace_"
                         "coldEPcmPKcmm\n U __stack_chk_fail\n",
                         "threshold"),
        "");
    for (const char* symbol :
         {"send", "syscall", "__tsan_atomic32_load", "dlsym", "__memcpy_chk", "mmap",
          "_ZN9emulation8CountingC1Ev", "_Z15cudaMemcpyAsyncPvPKvm14cudaMemcpyKindP11CUstream_st",
          "_Z18cudaLaunchHostFuncP11CUstream_stPFvPvES1_", "_ZN7grading4sendEv",
          "_ZN8integral4sendEv"}) {
        EXPECT_EQ(forbidden_symbol(std::string(" U ") + symbol + "\n", "threshold"), symbol);
    }
}

}  // namespace
