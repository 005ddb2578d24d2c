// Which threads of a launch access each byte of an image.

#include "emulation/users.hpp"

#include <algorithm>
#include <utility>

#include "counting.hpp"

namespace emulation {
namespace {

constexpr std::uint64_t most_threads = 1024;  // of a block

uint3 place_in(dim3 size, std::uint64_t number) {
    return {static_cast<unsigned>(number % size.x), static_cast<unsigned>(number / size.x % size.y),
            static_cast<unsigned>(number / size.x / size.y)};
}

ImageUsers& users_of(std::vector<ImageUsers>& all, std::uint64_t launch, const Image& image,
                     bool are_stores, const KernelTally& tally) {
    const auto known = std::ranges::find_if(all, [&](const ImageUsers& one) {
        return one.launch == launch && one.image == image.begin && one.are_stores == are_stores;
    });
    if (known != all.end()) return *known;
    const std::size_t rows = image.bytes / image.pitch;
    return all.emplace_back(
        ImageUsers{kernel_name(tally.stack), launch, image.begin, are_stores, tally.counts.grid,
                   tally.counts.block, image.width, rows,
                   std::vector<std::vector<std::uint64_t>>(rows * image.width)});
}

}  // namespace

uint3 ImageUsers::block_of(std::uint64_t thread) const {
    return place_in(grid, thread / most_threads);
}

uint3 ImageUsers::index_of(std::uint64_t thread) const {
    return place_in(block, thread % most_threads);
}

void Users::note(const Thread& thread, bool is_store, std::uint64_t offset, std::size_t bytes) {
    const std::uint64_t number = thread.block->number * most_threads + thread.number;
    for (std::size_t i = 0; i < bytes; ++i) {
        auto& known = (is_store ? stores_ : loads_)[offset + i];
        if (std::ranges::find(known, number) == known.end()) known.push_back(number);
    }
}

void Users::add_to(std::vector<ImageUsers>& all, std::uint64_t launch,
                   const KernelTally& tally) const {
    for (const auto* const bytes : {&loads_, &stores_}) {
        for (const auto& [offset, threads] : *bytes) {
            const auto image = image_at(memory_begin + offset);
            if (!image) continue;
            const std::size_t at = memory_begin + offset - image->begin;
            if (at % image->pitch >= image->width) continue;
            ImageUsers& users = users_of(all, launch, *image, bytes == &stores_, tally);
            auto& known = users.threads[at / image->pitch * image->width + at % image->pitch];
            known.insert(known.end(), threads.begin(), threads.end());
        }
    }
}

}  // namespace emulation
