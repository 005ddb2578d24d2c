#include "variant_call.hpp"

#include <algorithm>
#include <functional>

#include "harness/random.hpp"
#include "problem/oracle.hpp"
#include "problem/sums.hpp"

namespace {

using common::Block;
using harness::KnownMistake;
using Value = std::function<std::int64_t(int x, int y)>;

std::int64_t at(const cv::Mat& sums, int x, int y) {
    if (x < 0 || y < 0) return 0;
    return sums.type() == CV_32SC1 ? sums.ptr<std::int32_t>(y)[x] : sums.ptr<std::int64_t>(y)[x];
}

/// Sums of the type and size of `right`. Values beyond 32 bits wrap around.
cv::Mat made_of(const cv::Mat& right, const Value& value) {
    cv::Mat sums(right.size(), right.type());
    for (int y = 0; y < sums.rows; ++y) {
        for (int x = 0; x < sums.cols; ++x) {
            if (sums.type() == CV_32SC1) {
                sums.ptr<std::int32_t>(y)[x] = static_cast<std::int32_t>(value(x, y));
            } else {
                sums.ptr<std::int64_t>(y)[x] = value(x, y);
            }
        }
    }
    return sums;
}

/// The sums of an image whose last, partial tiles in x and y count as zero.
cv::Mat without_partial_tiles(const cv::Mat& image, Block tile) {
    cv::Mat kept = image.clone();
    kept.colRange(image.cols / tile.width * tile.width, image.cols).setTo(0);
    kept.rowRange(image.rows / tile.height * tile.height, image.rows).setTo(0);
    return integral::integral_image(kept);
}

enum class FirstWrong { nowhere, in_first_tile, beyond_first_tile };

FirstWrong first_wrong(const cv::Mat& out, const cv::Mat& right, Block tile) {
    const std::size_t size = out.elemSize();
    bool any = false;
    for (int y = 0; y < out.rows; ++y) {
        for (int x = 0; x < out.cols; ++x) {
            if (std::equal(out.ptr(y, x), out.ptr(y, x) + size, right.ptr(y, x))) continue;
            if (x < tile.width && y < tile.height) return FirstWrong::in_first_tile;
            any = true;
        }
    }
    return any ? FirstWrong::beyond_first_tile : FirstWrong::nowhere;
}

/// The mistakes that students make, with what they compute instead.
std::vector<KnownMistake> mistakes(const cv::Mat& image, std::optional<Block> tile) {
    const cv::Mat right = integral::integral_image(image);
    const auto sum = [right](int x, int y) { return at(right, x, y); };
    const int last_x = image.cols - 1;
    const int last_y = image.rows - 1;

    std::vector<KnownMistake> all;
    const auto add = [&](const std::string& name, const Value& value) {
        all.push_back({name, harness::is([=] { return made_of(right, value); })});
    };
    add("the sums are exclusive: neither the pixel's own row nor its own column is counted",
        [=](int x, int y) { return sum(x - 1, y - 1); });
    add("the sums run over the rows only", [=](int x, int y) { return sum(x, y) - sum(x, y - 1); });
    add("the sums run over the columns only",
        [=](int x, int y) { return sum(x, y) - sum(x - 1, y); });
    add("the sums run from the pixel to the end of the image", [=](int x, int y) {
        return sum(last_x, last_y) - sum(x - 1, last_y) - sum(last_x, y - 1) + sum(x - 1, y - 1);
    });
    add("the pixel itself is not counted",
        [=](int x, int y) { return sum(x, y) - image.ptr<std::int32_t>(y)[x]; });
    if (right.type() != CV_32SC1) {
        add("a 32-bit overflow: sums are added up in 32 bits and wrap around",
            [=](int x, int y) { return std::int64_t{static_cast<std::int32_t>(sum(x, y))}; });
    }
    if (!tile) return all;

    const cv::Mat partial = without_partial_tiles(image, *tile);
    add("the last, partial tiles are dropped", [=](int x, int y) { return at(partial, x, y); });
    const auto begins = [right, tile](FirstWrong where) {
        return [=](const cv::Mat& out) { return first_wrong(out, right, *tile) == where; };
    };
    all.push_back(
        {"wrong in the first tile already: is there a barrier after a tile is "
         "loaded, before it is summed up?",
         begins(FirstWrong::in_first_tile)});
    all.push_back(
        {"right in the first tile, wrong beyond it: is there a barrier after a tile "
         "is summed up, before the next one is loaded?",
         begins(FirstWrong::beyond_first_tile)});
    return all;
}

cv::Mat noise(int width, int height, std::int64_t low, std::int64_t high) {
    cv::Mat image(height, width, CV_32SC1);
    const auto values = static_cast<std::uint64_t>(high - low + 1);
    const auto seed = static_cast<std::uint64_t>(width * 1000 + height);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const auto index =
                static_cast<std::uint64_t>(y) * 100'000 + static_cast<std::uint64_t>(x);
            const auto value = static_cast<std::int64_t>(harness::random_at(seed, index) % values);
            image.ptr<std::int32_t>(y)[x] = static_cast<std::int32_t>(low + value);
        }
    }
    return image;
}

}  // namespace

harness::VariantCall variant_call_for(const common::VariantInfo& info, harness::Job job,
                                      const cv::Mat& image, const std::string& parameters,
                                      std::optional<Block> tile) {
    return {.variant = info,
            .job = std::move(job),
            .in = image,
            .out = {image.cols, image.rows, integral::sum_type(image)},
            .definition = integral::oracle,
            .parameters = parameters,
            .known_mistakes = [image, tile] { return mistakes(image, tile); }};
}

std::optional<Block> tile_of(const integral::Variant& variant, const integral::Options& options) {
    const bool tiled =
        variant.backend == common::Backend::cuda && variant.cost == integral::Cost::quadratic;
    return tiled ? std::optional(options.block.value_or(Block{16, 16})) : std::nullopt;
}

cv::Mat bytes(int width, int height) {
    return noise(width, height, 0, 255);
}

cv::Mat wide(int width, int height) {
    cv::Mat image = noise(width, height, -2147483648, 2147483647);
    image.ptr<std::int32_t>(0)[0] = 2147483647;
    return image;
}
