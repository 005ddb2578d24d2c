// The table of variants, as the harness sees it.

#include "common/variant.hpp"

#include <gtest/gtest.h>

namespace {

using common::Agreement;
using common::Backend;

struct NoOptions {};
using Variant = common::Variant<unsigned char, unsigned char, NoOptions>;

void nothing(common::ImageView<const unsigned char>, common::ImageView<unsigned char>,
             const NoOptions&) {}

std::vector<Variant> table_of(Backend backend, Variant::HostFunction* function,
                              common::NotBuilt reasons = {}) {
    const Agreement wide{.tolerance = 255, .inside_only = true};
    return common::finished<Variant>({Variant({"it", backend, "an idea", wide}, function)},
                                     reasons);
}

TEST(Variants, ours_have_to_agree_exactly_whatever_their_row_says) {
    for (const Backend backend : {Backend::seq, Backend::omp, Backend::cuda}) {
        const Agreement agreement = table_of(backend, nothing).front().agreement;
        EXPECT_EQ(agreement.tolerance, 0) << to_string(backend);
        EXPECT_FALSE(agreement.inside_only) << to_string(backend);
    }
}

TEST(Variants, library_calls_may_differ_as_their_row_says) {
    const Agreement agreement = table_of(Backend::peer, nothing).front().agreement;
    EXPECT_EQ(agreement.tolerance, 255);
    EXPECT_TRUE(agreement.inside_only);
}

TEST(Variants, what_is_not_built_has_a_reason) {
    const std::pair<std::string_view, std::string_view> reasons[] = {{"it", "no compiler"}};
    EXPECT_EQ(why_unavailable(table_of(Backend::seq, nullptr, reasons).front()), "no compiler");
    EXPECT_EQ(why_unavailable(table_of(Backend::seq, nullptr).front()),
              "no file of that name in src/variants");
    EXPECT_EQ(why_unavailable(table_of(Backend::seq, nothing).front()), std::nullopt);
}

}  // namespace
