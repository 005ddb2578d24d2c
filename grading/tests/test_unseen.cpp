#include <gtest/gtest.h>

#include <string>

#include "check/unseen.hpp"

namespace {

using grading::Looking;
using grading::unseen_access;

// The output of nm for a variable, a constant and a function.
const std::string symbols =
    "0000000000000008 b _ZN11convolutionL5tallyE\n0000000000000000 r _ZL9constants\n"
    "0000000000000000 t _ZN11convolutionL4stepENS_5TallyE\n";

std::string function(const std::string& name, const std::string& statements) {
    return ";; Function convolution::f (" + name + ", funcdef_no=7, decl_uid=1)\n\n" + statements;
}

std::string said_of(const std::string& call, Looking looking = Looking::emulation) {
    return unseen_access(function("_Z1fv", "  [mine.cu:45:27] gimple_call <" + call + ">\n"),
                         symbols, "mine.cu", looking);
}

TEST(Unseen, are_structs_in_memory_that_are_passed_by_value) {
    for (const char* operand :
         {"[mine.cu:45:27] *_20", "in_3(D)->values", "MEM[(const struct Value &)_4 + 8B]",
          "MEM <struct Value> [(void (*) (int) *)_4]", "(*_5)[i_3]", "_ZN11convolutionL5tallyE",
          "_ZN11convolutionL5tallyE.first", "MEM[(struct Tally *)&_ZN11convolutionL5tallyE + 8B]",
          "VIEW_CONVERT_EXPR<struct Value>(*_5)", "BIT_FIELD_REF <*_5, 8, 0>"}) {
        for (const Looking looking : {Looking::emulation, Looking::thread_sanitizer}) {
            EXPECT_EQ(said_of(std::string("tap_51, _63, ") + operand + ", _75", looking),
                      "mine.cu:45 passes a struct in memory by value")
                << operand;
        }
    }
}

TEST(Unseen, are_places_of_results) {
    EXPECT_EQ(said_of("step_3, *_7, D.12"),
              "mine.cu:45 stores the struct that a function returns by value");
    EXPECT_NE(said_of("step_3, _ZN11convolutionL5tallyE, _7", Looking::thread_sanitizer), "");
    // The called function has the address of its result.
    EXPECT_EQ(said_of("_ZStplv, *_11(D), &D.7, _5"), "");
    const std::string call = "  gimple_call <_Z4makev, this_3(D)->counts_, 7>\n";
    const auto said = [&](const std::string& declared) {
        return unseen_access(function("_Z1fv", call) + function("_Z4makev", declared), symbols,
                             "mine.cu", Looking::emulation);
    };
    EXPECT_EQ(said("  struct unique_ptr & _12(D);\n"), "");
    EXPECT_NE(said("  struct Value & value_12(D);\n"), "");
}

TEST(Unseen, are_no_stacks_addresses_constants_and_functions) {
    EXPECT_EQ(said_of("tap_51, D.118512, local, local.field, MEM[(struct X *)&local + 8B]"), "");
    EXPECT_EQ(said_of("tap_51, NULL, &*_5, \"a, *_5 \\\" ->\", 4, _ZL9constants, {CLOBBER}"), "");
    EXPECT_EQ(said_of("_Z1gv, _3, _ZN11convolutionL4stepENS_5TallyE, _ZN11convolutionL5tallyEx"),
              "");
}

TEST(Unseen, are_accesses_of_built_in_functions) {
    const auto copied = [](const std::string& file, const std::string& call) {
        return unseen_access(
            function("_Z1fv", "  [mine.cu:9:1] gimple_assign <x>\n  [" + file +
                                  ":431:30 discrim 2] gimple_call <" + call + ">\n"),
            symbols, "mine.cu", Looking::emulation);
    };
    EXPECT_EQ(copied("/usr/include/c++/12/bits/stl_algobase.h", "memset, NULL, _4, 7, 24"),
              "mine.cu:9 fills, copies or compares memory by 'memset'");
    EXPECT_NE(copied("/usr/include/x.h", "__builtin_memcmp_eq, _7, &a, _5, 24"), "");
    EXPECT_EQ(copied("/usr/include/x.h", "__builtin_memcmp_eq, _7, &a, &b, 24"), "");
    EXPECT_EQ(copied("/usr/include/x.h", "memset, NULL, _4, 7, _6"), "");  // a call, counted
    EXPECT_EQ(copied("/usr/include/x.h", "memmove, NULL, _4, _5, 24"), "");
    EXPECT_EQ(copied("mine.cu", "memcpy, NULL, &a, _5, 24"), "");
    EXPECT_NE(copied("mine.cu", ".MASK_LOAD, _7, _5, 8B, _6"), "");
}

TEST(Unseen, are_no_arguments_of_launches_and_of_hosts) {
    const std::string call = "  [mine.cu:8:3] gimple_call <_Z8grid_forv, D.7, _3(D)->block>\n";
    const std::string launch = "  gimple_call <_ZN9emulation8run_gridEv, NULL, &a>\n";
    const auto said = [](const std::string& dump) {
        return unseen_access(dump, symbols, "mine.cu", Looking::emulation);
    };
    EXPECT_NE(said(function("_Z4hostv", call)), "");
    EXPECT_EQ(said(function("_Z4hostv", call + launch)), "");
    EXPECT_EQ(said(function("_Z4hostv", call + "  gimple_call <_Z4passv, NULL>\n") +
                   function("_Z4passv", launch)),
              "");
    EXPECT_NE(said(function("_Z4hostv", call + launch) +
                   function("_Z6kernelv", "  gimple_call <_Z4hostv, NULL>\n") +
                   function("_ZZN9emulation11launch_callIiE4_FUNEv",
                            "  gimple_call <_Z6kernelv, NULL>\n")),
              "");
    EXPECT_NE(said(function("_Z4hostv", "  gimple_call <_Z1gv, *_7, 3>\n" + launch)), "");
    EXPECT_EQ(said(function("_Z1fv",
                            "  [/api/emulation/include/emulation/launch.hpp:66:5] "
                            "gimple_call <_Z6kernelv, NULL, *_5>\n")),
              "");
}

TEST(Unseen, are_all_accesses_if_the_dump_is_another_one) {
    EXPECT_NE(unseen_access("", symbols, "mine.cu", Looking::emulation), "");
    EXPECT_NE(unseen_access(function("_Z1fv", "  tap (*_5);\n"), symbols, "mine.cu",
                            Looking::thread_sanitizer),
              "");
}

TEST(Unseen, are_no_views_that_threads_share) {
    const std::string call = "_Z3rowv, NULL, MEM[(const struct View &)_4], 3";
    EXPECT_EQ(said_of(call, Looking::thread_sanitizer), "");
    EXPECT_NE(said_of(call, Looking::emulation), "");
}

}  // namespace
