// Mutation tests: each of these variants has one mistake that students make. The tests must find
// it, and the message must name it. Kernels run thread by thread on the CPU, in an order that a GPU
// may choose and that exposes the mistake.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <latch>
#include <thread>

#include "harness/ranks.hpp"
#include "mistakes.hpp"
#include "problem/oracle.hpp"
#include "variant_call.hpp"

namespace {

using common::Block;
using common::ImageView;
using integral::Pixel;
using integral::Sum32;
using integral::Sum64;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// True if pixel (i, j) counts in the sum at (x, y).
using Counts = std::function<bool(int i, int j, int x, int y)>;

template <class Sum>
void sum_up(ImageView<const Pixel> in, ImageView<Sum> sums, const Counts& counts) {
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            Sum sum = 0;
            for (int j = 0; j < in.height; ++j) {
                for (int i = 0; i < in.width; ++i) {
                    if (counts(i, j, x, y)) sum += in.at(i, j);
                }
            }
            sums.at(x, y) = sum;
        }
    }
}

/// cuda_shared on a CPU: one thread of a block after the other, from one barrier to the next.
struct TiledKernel {
    static constexpr Block block{8, 4};
    bool skips_partial_tiles = false;

    void operator()(ImageView<const Pixel> in, ImageView<Sum32> sums) const {
        for (int block_y = 0; block_y * block.height < in.height; ++block_y) {
            for (int block_x = 0; block_x * block.width < in.width; ++block_x) {
                run_block(in, sums, block_x, block_y);
            }
        }
    }

  private:
    struct Tile {
        int x, y;
    };

    Pixel pixel(ImageView<const Pixel> in, Tile tile, int thread) const {
        const int x = tile.x * block.width + thread % block.width;
        const int y = tile.y * block.height + thread / block.width;
        const bool partial =
            (tile.x + 1) * block.width > in.width || (tile.y + 1) * block.height > in.height;
        return x < in.width && y < in.height && !(partial && skips_partial_tiles) ? in.at(x, y) : 0;
    }

    static Sum32 part(const Pixel* shared, Tile tile, int block_x, int block_y, int thread) {
        const int last_x = tile.x < block_x ? block.width - 1 : thread % block.width;
        const int last_y = tile.y < block_y ? block.height - 1 : thread / block.width;
        Sum32 sum = 0;
        for (int j = 0; j <= last_y; ++j) {
            for (int i = 0; i <= last_x; ++i) sum += shared[j * block.width + i];
        }
        return sum;
    }

    void run_block(ImageView<const Pixel> in, ImageView<Sum32> sums, int block_x,
                   int block_y) const {
        Pixel shared[block.threads()] = {};
        Sum32 sum[block.threads()] = {};
        std::vector<Tile> tiles;
        for (int y = 0; y <= block_y; ++y) {
            for (int x = 0; x <= block_x; ++x) tiles.push_back({x, y});
        }
        const auto load = [&](std::size_t t, int thread) {
            if (t < tiles.size()) shared[thread] = pixel(in, tiles[t], thread);
        };
        const auto add = [&](std::size_t t, int thread) {
            sum[thread] += part(shared, tiles[t], block_x, block_y, thread);
        };
        const auto all_threads = [](auto step) {
            for (int thread = 0; thread < block.threads(); ++thread) step(thread);
        };
        for (std::size_t t = 0; t < tiles.size(); ++t) {
            all_threads([&](int thread) { load(t, thread); });
            all_threads([&](int thread) { add(t, thread); });
        }
        all_threads([&](int thread) {
            const int x = block_x * block.width + thread % block.width;
            const int y = block_y * block.height + thread / block.width;
            if (x < in.width && y < in.height) sums.at(x, y) = sum[thread];
        });
    }
};

/// Threads that add to one variable without a reduction: load and store are apart. They begin
/// together, so that each call loses updates.
void lose_updates(ImageView<const Pixel> in, ImageView<Sum32> sums) {
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            std::atomic<Sum32> sum = 0;
            std::latch begin(2);
            const auto add_rows = [&](int first) {
                begin.arrive_and_wait();
                for (int j = first; j <= y; j += 2) {
                    for (int i = 0; i <= x; ++i) {
                        const Sum32 before = sum.load();
                        std::this_thread::yield();
                        sum.store(before + in.at(i, j));
                    }
                }
            };
            std::thread other(add_rows, 1);
            add_rows(0);
            other.join();
            sums.at(x, y) = sum;
        }
    }
}

template <class Sum, class Function>
std::string check_call(const cv::Mat& image, Function function,
                       std::optional<Block> tile = std::nullopt) {
    common::VariantInfo info;
    info.name = "planted";
    const harness::Job job{[function](const cv::Mat& in, cv::Mat& out) {
        function(harness::view_of<const Pixel>(in), harness::view_of<Sum>(out));
    }};
    return harness::check_call(variant_call_for(info, job, image, "none", tile));
}

std::string check_counting(const Counts& counts) {
    return check_call<Sum32>(bytes(29, 18),
                             [counts](auto in, auto sums) { sum_up(in, sums, counts); });
}

std::string check_kernel(const TiledKernel& kernel) {
    return check_call<Sum32>(bytes(29, 18), kernel, TiledKernel::block);
}

auto is_reported_as(const std::string& cause) {
    return AllOf(StartsWith("WRONG planted on "), HasSubstr(": first wrong value at"),
                 HasSubstr("on 29x18x1 (none)"), HasSubstr("looks like: " + cause),
                 HasSubstr("difference image: "));
}

TEST(PlantedFault, none) {
    EXPECT_EQ(check_counting([](int i, int j, int x, int y) { return i <= x && j <= y; }), "");
    EXPECT_EQ(check_kernel({}), "");
}

TEST(PlantedFault, exclusive_for_inclusive) {
    EXPECT_THAT(check_counting([](int i, int j, int x, int y) { return i < x && j < y; }),
                is_reported_as("along rows and columns: the scan is exclusive"));
}

TEST(PlantedFault, sums_over_rows_only) {
    EXPECT_THAT(check_counting([](int i, int j, int x, int y) { return i <= x && j == y; }),
                is_reported_as("the sums run over the rows only"));
}

TEST(PlantedFault, sums_over_columns_only) {
    EXPECT_THAT(check_counting([](int i, int j, int x, int y) { return i == x && j <= y; }),
                is_reported_as("the sums run over the columns only"));
}

TEST(PlantedFault, sums_to_the_end_of_the_image) {
    EXPECT_THAT(check_counting([](int i, int j, int x, int y) { return i >= x && j >= y; }),
                is_reported_as("the sums run from the pixel to the end of the image"));
}

TEST(PlantedFault, partial_tiles_dropped) {
    EXPECT_THAT(check_kernel({.skips_partial_tiles = true}),
                is_reported_as("the last, partial tiles are dropped"));
}

TEST(PlantedFault, partial_tiles_not_launched) {
    const auto rounds_down = [](ImageView<const Pixel> in, ImageView<Sum32> sums) {
        sums.width = in.width = in.width / 8 * 8;
        sums.height = in.height = in.height / 4 * 4;
        TiledKernel{}(in, sums);
    };
    EXPECT_THAT(check_call<Sum32>(bytes(29, 18), rounds_down, TiledKernel::block),
                is_reported_as("48 values are never written: columns 16 to 19; the grid has no"));
}

TEST(PlantedFault, overflow_of_32_bits) {
    const auto in_32_bits = [](ImageView<const Pixel> in, ImageView<Sum64> sums) {
        for (int y = 0; y < in.height; ++y) {
            for (int x = 0; x < in.width; ++x) {
                std::uint32_t sum = 0;
                for (int j = 0; j <= y; ++j) {
                    for (int i = 0; i <= x; ++i) sum += static_cast<std::uint32_t>(in.at(i, j));
                }
                sums.at(x, y) = static_cast<std::int32_t>(sum);
            }
        }
    };
    EXPECT_THAT(check_call<Sum64>(wide(29, 18), in_32_bits), is_reported_as("a 32-bit overflow"));
}

TEST(PlantedFault, lost_update) {
    EXPECT_THAT(check_call<Sum32>(bytes(29, 18), lose_updates, TiledKernel::block),
                is_reported_as("two runs differ: a race (a lost update?)"));
}

/// The names of mistakes of ranks that explain these sums, of three ranks.
std::vector<std::string> named(const cv::Mat& image, const cv::Mat& sums) {
    std::vector<std::string> names;
    for (const auto& known : mistakes::of(image, {}, 3)) {
        if (known.explains(sums)) names.push_back(known.name);
    }
    return names;
}

/// The output if a rank adds to its own sums the rows above the rank `above_of_next` ranks further
/// on, or nothing (`own`).
cv::Mat of_three_ranks(const cv::Mat& image, int above_of_next, bool own) {
    const cv::Mat right = integral::integral_image(image);
    cv::Mat out = right.clone();
    const std::vector<int> first = harness::first_rows_of_ranks(image.rows, 0, 3);
    for (std::size_t rank = 0; rank < 3; ++rank) {
        for (int y = first[rank]; y < first[rank + 1]; ++y) {
            for (int x = 0; x < image.cols; ++x) {
                const auto before = [&](std::size_t other) {
                    return other == 0 ? 0 : right.at<Sum32>(first[other] - 1, x);
                };
                const std::size_t to = rank + static_cast<std::size_t>(above_of_next);
                out.at<Sum32>(y, x) += (own ? 0 : before(to)) - before(rank);
            }
        }
    }
    return out;
}

TEST(PlantedFault, ranks_that_add_the_wrong_rows) {
    const cv::Mat image = bytes(20, 13);
    EXPECT_THAT(named(image, of_three_ranks(image, 0, true)),
                testing::ElementsAre(HasSubstr("each rank has its own sums only")));
    EXPECT_THAT(named(image, of_three_ranks(image, 1, false)),
                testing::ElementsAre(HasSubstr("MPI_Scan in place of MPI_Exscan")));
}

}  // namespace
