// The copies between an image and page-locked memory: what is called when, and with which rows.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "common/view.hpp"
#include "expert/streamed_transfers/staging.hpp"

namespace {

using common::ImageView;
using equalize::ChunkCalls;
using equalize::Chunks;
using equalize::copy_through;

constexpr int width = 7;

/// Rows of `width` pixels, each with a pitch of its own.
class Image {
  public:
    Image(int height, int pitch, bool filled)
        : data_(height * pitch), height_(height), pitch_(pitch) {
        if (filled) std::iota(data_.begin(), data_.end(), std::uint8_t{1});
    }

    ImageView<std::uint8_t> view() { return {data_.data(), width, height_, 1, pitch_}; }
    ImageView<const std::uint8_t> read_only() const {
        return {data_.data(), width, height_, 1, pitch_};
    }

  private:
    std::vector<std::uint8_t> data_;
    int height_;
    std::ptrdiff_t pitch_;
};

bool same_rows(const Image& a, const Image& b, const Chunks& chunks, int chunk) {
    const int first = chunks.first_row(chunk);
    for (int y = first; y < first + chunks.rows_of(chunk); ++y) {
        const std::uint8_t* row = a.read_only().row(y);
        if (!std::equal(row, row + width, b.read_only().row(y))) return false;
    }
    return true;
}

void negate(Image& image, int first, int rows) {
    for (int y = first; y < first + rows; ++y) {
        std::uint8_t* row = image.view().row(y);
        std::transform(row, row + width, row, [](std::uint8_t value) { return ~value; });
    }
}

std::vector<int> up_to(int count) {
    std::vector<int> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

/// For all numbers of rows, rows in a chunk and threads.
template <class Function>
void for_all(Function function) {
    for (const int height : {1, 2, 5, 16, 33, 100}) {
        for (const int rows : {1, 2, 3, 16, 100}) {
            for (const int threads : {1, 2, 4, 7}) {
                SCOPED_TRACE(testing::Message() << height << " rows, " << rows << " in a chunk, "
                                                << threads << " threads");
                function(Chunks{height, std::min(rows, height)}, threads);
            }
        }
    }
}

TEST(Staging, chunks_are_handed_on_in_order_when_all_their_rows_are_there) {
    for_all([](const Chunks& chunks, int threads) {
        const Image in(chunks.height, 9, true);
        Image staged(chunks.height, 12, false);
        Image out(chunks.height, 7, false);
        std::vector<int> calls;
        copy_through(staged.view(), in.read_only(), out.view(), chunks, threads,
                     {.staged =
                          [&](int chunk) {
                              calls.push_back(chunk);
                              EXPECT_TRUE(same_rows(in, staged, chunks, chunk));
                          },
                      .all_staged = [&] { EXPECT_EQ(calls, up_to(chunks.count())); },
                      .wait_for = [](int) {}});
        EXPECT_EQ(calls, up_to(chunks.count()));
    });
}

TEST(Staging, no_result_is_copied_before_its_chunk_has_arrived) {
    for_all([](const Chunks& chunks, int threads) {
        const Image in(chunks.height, 9, true);
        Image staged(chunks.height, 12, false);
        Image out(chunks.height, 7, false);
        std::vector<int> arrived;
        copy_through(staged.view(), in.read_only(), out.view(), chunks, threads,
                     {.staged = [](int) {},
                      .all_staged = [&] { negate(staged, 0, chunks.height); },
                      .wait_for =
                          [&](int chunk) {
                              arrived.push_back(chunk);
                              negate(staged, chunks.first_row(chunk), chunks.rows_of(chunk));
                          }});
        EXPECT_EQ(arrived, up_to(chunks.count()));
        for (int chunk = 0; chunk < chunks.count(); ++chunk) {
            EXPECT_TRUE(same_rows(in, out, chunks, chunk));
        }
    });
}

TEST(Staging, what_a_call_throws_comes_out_and_nothing_is_called_after_it) {
    for_all([](const Chunks& chunks, int threads) {
        const Image in(chunks.height, 9, true);
        Image staged(chunks.height, 12, false);
        Image out(chunks.height, 7, false);
        int later = 0;
        const ChunkCalls calls{.staged = [](int) { throw std::runtime_error("a failed transfer"); },
                               .all_staged = [&] { ++later; },
                               .wait_for = [&](int) { ++later; }};
        EXPECT_THROW(
            copy_through(staged.view(), in.read_only(), out.view(), chunks, threads, calls),
            std::runtime_error);
        EXPECT_EQ(later, 0);
    });
}

}  // namespace
