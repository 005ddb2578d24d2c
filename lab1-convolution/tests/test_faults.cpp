// Planted faults: each of these variants has one common mistake. The tests have to find it, and the
// message has to name it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "harness/ranks.hpp"
#include "harness/scenes.hpp"
#include "masks.hpp"
#include "variant_call.hpp"

namespace {

using common::ImageView;
using convolution::Mask;

/// The difference of a variant from the definition.
struct Mistake {
    std::function<float(const Mask&, int i, int j)> weight = [](const Mask& mask, int i, int j) {
        return mask.at(i, j);
    };
    std::function<std::uint8_t(float)> pixel = convolution::to_pixel;
    std::function<int(int c, int channels)> channel = [](int c, int) { return c; };
    int skipped_columns = 0;  ///< at the left, when reading
    int unwritten_columns = 0;
};

void convolve(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, const Mask& mask,
              const Mistake& mistake) {
    const int k = mask.radius();
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width - mistake.unwritten_columns; ++x) {
            for (int c = 0; c < in.channels; ++c) {
                float sum = 0;
                for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
                    for (int j = -k; j <= k; ++j) {
                        if (x + j < mistake.skipped_columns || x + j >= in.width) continue;
                        sum += static_cast<float>(in.at(x + j, y + i, c)) *
                               mistake.weight(mask, i + k, j + k);
                    }
                }
                out.at(x, y, mistake.channel(c, in.channels)) = mistake.pixel(sum);
            }
        }
    }
}

std::string message_for(const Mistake& mistake) {
    common::VariantInfo info;
    info.name = "planted";
    const auto make_job = [mistake](const convolution::Options& options) {
        return harness::Job{[mask = options.mask, mistake](const cv::Mat& in, cv::Mat& out) {
            convolve(harness::view_of<const std::uint8_t>(in), harness::view_of<std::uint8_t>(out),
                     mask, mistake);
        }};
    };
    const cv::Mat image = harness::make_scene("random", 57, 38, 3, 4);
    return harness::check_call(
        variant_call_for(info, make_job, {{}, asymmetric_mask(5)}, image, "mask=asymmetric5"));
}

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

auto is_reported_as(const std::string& cause) {
    return AllOf(StartsWith("WRONG planted on "), HasSubstr(": first wrong value at"),
                 HasSubstr("on 57x38x3 (mask=asymmetric5)"), HasSubstr("looks like: " + cause),
                 HasSubstr("difference image: "));
}

TEST(PlantedFault, none) {
    EXPECT_EQ(message_for({}), "");
}

TEST(PlantedFault, mask_flipped_in_x) {
    Mistake mistake;
    mistake.weight = [](const Mask& m, int i, int j) { return m.at(i, m.size - 1 - j); };
    EXPECT_THAT(message_for(mistake), is_reported_as("the mask is flipped left to right"));
}

TEST(PlantedFault, mask_flipped_in_y) {
    Mistake mistake;
    mistake.weight = [](const Mask& m, int i, int j) { return m.at(m.size - 1 - i, j); };
    EXPECT_THAT(message_for(mistake), is_reported_as("the mask is flipped upside down"));
}

TEST(PlantedFault, mask_transposed) {
    Mistake mistake;
    mistake.weight = [](const Mask& m, int i, int j) { return m.at(j, i); };
    EXPECT_THAT(message_for(mistake), is_reported_as("the mask is transposed"));
}

TEST(PlantedFault, border_off_by_one) {
    Mistake mistake;
    mistake.skipped_columns = 1;
    EXPECT_THAT(message_for(mistake), is_reported_as("column 0 counts as outside"));
}

TEST(PlantedFault, clamp_missing) {
    Mistake mistake;
    mistake.pixel = [](float sum) { return static_cast<std::uint8_t>(static_cast<int>(sum)); };
    EXPECT_THAT(message_for(mistake), is_reported_as("the sum is not clamped"));
}

TEST(PlantedFault, channels_swapped) {
    Mistake mistake;
    mistake.channel = [](int c, int channels) { return channels - 1 - c; };
    EXPECT_THAT(message_for(mistake), is_reported_as("the channels are swapped"));
}

TEST(PlantedFault, last_column_unwritten) {
    Mistake mistake;
    mistake.unwritten_columns = 1;
    EXPECT_THAT(message_for(mistake),
                is_reported_as("12 values are never written: column 19 (the last)"));
}

TEST(PlantedFault, rounding_instead_of_truncation) {
    Mistake mistake;
    mistake.pixel = [](float sum) { return convolution::to_pixel(std::max(sum, 0.0f) + 0.5f); };
    EXPECT_THAT(message_for(mistake), is_reported_as("the sum is rounded to nearest"));
}

TEST(PlantedFault, nan_is_wrong) {
    const cv::Mat_<float> expected(2, 2, 0.0f);
    cv::Mat_<float> out = expected.clone();
    out(1, 0) = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(harness::compare(expected, expected, out, {.tolerance = 1000}).wrong, 1);
}

/// Three ranks, whose halos are zeros: from above, from below, or both.
std::string message_for_halos(bool above, bool below) {
    common::VariantInfo info;
    info.name = "planted";
    info.backend = common::Backend::mpi;
    const auto make_job = [=](const convolution::Options& options) {
        return harness::Job{[=](const cv::Mat& in, cv::Mat& out) {
            const int k = options.mask.radius();
            const auto first = harness::first_rows_of_ranks(in.rows, k, options.ranks);
            for (std::size_t rank = 0; rank + 1 < first.size(); ++rank) {
                const int begin = above ? first[rank] : std::max(first[rank] - k, 0);
                const int end = below ? first[rank + 1] : std::min(first[rank + 1] + k, in.rows);
                const cv::Mat rows = in.rowRange(begin, end).clone();
                cv::Mat result(rows.size(), rows.type());
                convolve(harness::view_of<const std::uint8_t>(rows),
                         harness::view_of<std::uint8_t>(result), options.mask, {});
                result.rowRange(first[rank] - begin, first[rank + 1] - begin)
                    .copyTo(out.rowRange(first[rank], first[rank + 1]));
            }
        }};
    };
    const convolution::Options options{{.ranks = 3, .block = {}}, asymmetric_mask(5)};
    const cv::Mat image = harness::make_scene("random", 57, 38, 3, 4);
    return harness::check_call(
        variant_call_for(info, make_job, options, image, "mask=asymmetric5"));
}

TEST(PlantedFault, halos_of_ranks_missing) {
    EXPECT_EQ(message_for_halos(false, false), "");
    EXPECT_THAT(message_for_halos(true, false), is_reported_as("the halo above: it is not used"));
    EXPECT_THAT(message_for_halos(false, true), is_reported_as("the halo below: it is not used"));
    EXPECT_THAT(message_for_halos(true, true), is_reported_as("each halo: it is not used"));
}

}  // namespace
