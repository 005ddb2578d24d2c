#include "staging.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <thread>
#include <vector>

namespace equalize {

using common::ImageView;
namespace {

/// A copy of an image's chunks, each in as many pieces as there are threads. A thread takes the
/// first piece that is left.
class Pieces {
  public:
    Pieces(ImageView<const std::uint8_t> from, ImageView<std::uint8_t> to, const Chunks& chunks,
           int threads)
        : from_(from), to_(to), chunks_(chunks), per_chunk_(threads), copied_(chunks.count()) {}

    /// Copies all pieces of the first `chunks` that are left, and calls `after` after each.
    template <class Function>
    void copy(int chunks, Function after) {
        while (const auto piece = take(chunks * per_chunk_)) {
            copy_piece(*piece / per_chunk_, *piece % per_chunk_);
            copied_[*piece / per_chunk_].fetch_add(1);
            after();
        }
    }

    bool is_copied(int chunk) const { return copied_[chunk].load() == per_chunk_; }

  private:
    std::optional<int> take(int below) {
        int piece = next_.load();
        while (piece < below) {
            if (next_.compare_exchange_weak(piece, piece + 1)) return piece;
        }
        return std::nullopt;
    }

    void copy_piece(int chunk, std::int64_t index) const {
        const std::int64_t rows = chunks_.rows_of(chunk);
        const auto first = chunks_.first_row(chunk) + rows * index / per_chunk_;
        const auto end = chunks_.first_row(chunk) + rows * (index + 1) / per_chunk_;
        for (auto y = first; y < end; ++y) {
            std::copy_n(from_.data + y * from_.pitch, from_.row_length(), to_.data + y * to_.pitch);
        }
    }

    ImageView<const std::uint8_t> from_;
    ImageView<std::uint8_t> to_;
    Chunks chunks_;
    int per_chunk_;
    std::vector<std::atomic<int>> copied_;  // pieces of each chunk
    std::atomic<int> next_ = 0;
};

/// Keeps what a call throws, because no exception may leave a parallel region, and calls nothing
/// after it.
class Failure {
  public:
    template <class Function, class... Arguments>
    void call(const Function& function, Arguments... arguments) noexcept {
        try {
            if (!failure_) function(arguments...);
        } catch (...) {
            failure_ = std::current_exception();
        }
    }

    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    std::exception_ptr failure_;
};

}  // namespace

void copy_through(ImageView<std::uint8_t> staged, ImageView<const std::uint8_t> in,
                  ImageView<std::uint8_t> out, const Chunks& chunks, int threads,
                  const ChunkCalls& calls) {
    const ImageView<const std::uint8_t> results{staged.data, staged.width, staged.height,
                                                staged.channels, staged.pitch};
    Pieces to_staged(in, staged, chunks, threads);
    Pieces from_staged(results, out, chunks, threads);
    std::atomic<int> arrived = 0;  // chunks
    Failure failure;
#pragma omp parallel num_threads(threads)
    if (omp_get_thread_num() == 0) {
        int called = 0;
        const auto call = [&] {
            while (called < chunks.count() && to_staged.is_copied(called)) {
                failure.call(calls.staged, called++);
            }
        };
        to_staged.copy(chunks.count(), call);
        while (called < chunks.count()) {
            std::this_thread::yield();
            call();
        }
        failure.call(calls.all_staged);
        for (int chunk = 0; chunk < chunks.count(); ++chunk) {
            failure.call(calls.wait_for, chunk);
            arrived.store(chunk + 1);
            from_staged.copy(chunk + 1, [] {});
        }
    } else {
        to_staged.copy(chunks.count(), [] {});
        for (int here = 0; here < chunks.count();) {
            while (arrived.load() == here) std::this_thread::yield();
            here = arrived.load();
            from_staged.copy(here, [] {});
        }
    }
    failure.rethrow();
}

}  // namespace equalize
