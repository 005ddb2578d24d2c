// The list of a lab's variants: what was registered, in the order of the files.

#include "harness/variants.hpp"

#include <gtest/gtest.h>

#include <array>

#include "harness/job.hpp"

namespace {

using common::Backend;
using harness::VariantFile;

struct NoOptions {};
using Variant = common::Variant<unsigned char, unsigned char, NoOptions>;
using Register = common::Register<Variant>;

void nothing(common::ImageView<const unsigned char>, common::ImageView<unsigned char>,
             const NoOptions&) {}

constexpr common::Agreement wide{.tolerance = 255, .inside_only = true};
const Register second{
    {.name = "omp_second", .backend = Backend::omp, .idea = "", .agreement = wide}, nothing};
const Register first{{.name = "seq", .backend = Backend::seq, .idea = ""}, nothing};
const Register copied{{.name = "seq", .backend = Backend::seq, .idea = "a copy"}, nothing};
const Register library{{.name = "peer_it", .backend = Backend::peer, .idea = "", .agreement = wide},
                       nothing};

std::vector<Variant> variants() {
    static constexpr std::array files{
        VariantFile{"seq", "", ""},
        VariantFile{"omp_second", "", ""},
        VariantFile{"omp_other", "an idea", ""},
        VariantFile{"cuda_it", "an idea", "no compiler"},
        VariantFile{"peer_it", "", ""},
    };
    return harness::variants_in_order<Variant>(files);
}

TEST(Variants, are_in_the_order_of_their_files) {
    std::vector<std::string> names;
    for (const Variant& variant : variants()) names.push_back(variant.name);
    EXPECT_EQ(names,
              (std::vector<std::string>{"seq", "omp_second", "omp_other", "cuda_it", "peer_it"}));
}

TEST(Variants, a_name_that_is_registered_twice_is_listed_once) {
    EXPECT_EQ(variants().size(), 5U);
    EXPECT_EQ(variants()[0].idea, "");
}

TEST(Variants, ours_have_to_agree_exactly_whatever_they_register) {
    EXPECT_EQ(variants()[1].agreement.tolerance, 0);
    EXPECT_FALSE(variants()[1].agreement.inside_only);
}

TEST(Variants, library_calls_may_differ_as_they_register) {
    EXPECT_EQ(variants()[4].agreement.tolerance, 255);
    EXPECT_TRUE(variants()[4].agreement.inside_only);
}

TEST(Variants, what_is_not_built_has_a_reason) {
    EXPECT_EQ(harness::why_unavailable(variants()[3]), "no compiler");
    EXPECT_EQ(variants()[3].backend, Backend::cuda);
    EXPECT_EQ(variants()[3].idea, "an idea");
    EXPECT_EQ(harness::why_unavailable(variants()[2]),
              "its file registers no variant of its own name");
    EXPECT_EQ(harness::why_unavailable(variants()[0]), std::nullopt);
}

}  // namespace
