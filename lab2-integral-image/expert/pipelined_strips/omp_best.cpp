// omp_simd is bound by memory bandwidth: its stores first read the lines that they overwrite. This
// variant stores past the caches, in the same pipeline of column strips. Then the row above is no
// longer in the cache. A buffer of column sums C takes its place; the scan along them is a row of
// the result:
//
//     C(x, y) = C(x, y-1) + I(x, y)
//     S(x, y) = S(begin-1, y) + C(begin, y) + ... + C(x, y)
//
// From the strip to its left, a strip needs one value per row: the carry S(begin-1, y). So the
// threads form a pipeline: each lags a few rows behind its left neighbour.
//
//   - SIMD (simd_scan.hpp): the scan along a row takes a vector at a time, in the best instruction
//     set that the machine has. Narrow images, and small ones with 64-bit sums, take scalar code.
//   - Register blocking: four rows at once share the loads of C. Four streams also keep the
//     hardware prefetchers busy, which start anew in every page. Where sums stay in the caches, two
//     rows at once, and a software prefetch of the next two.
//   - Where sums stay in the caches, more than two threads each scan a band of rows, below the sums
//     of the columns of all bands above: a pipeline waits too often for its short pieces. Two
//     threads do where the image fits their L2 caches: there, a pipeline of two threads can be
//     slower than one thread (designs.md of this lab's report).
//   - Non-temporal stores (streaming_store.hpp) for images that exceed the caches, in whole cache
//     lines: vectors shorter than a line go through a buffer in the L1 cache.
//
// Memory bandwidth bounds it: 8 bytes per pixel with 32-bit sums, 12 with 64-bit sums.
//
// It can exceed the rate of a copy: ordinary stores, as in the copy, read the lines that they
// overwrite.

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "common/caches.hpp"
#include "common/instruction_sets.hpp"
#include "common/vectors.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"
#include "simd_scan.hpp"

namespace integral {

static constexpr std::size_t line = 64;       // bytes of a cache line
static constexpr int streamed_rows = 4;       // at once, with non-temporal stores or short rows
static constexpr int cached_rows = 2;         // at once, through the caches: four need more room
static constexpr int lag = 16;                // rows between a strip and its left neighbour
static constexpr int max_strip_width = 4096;  // columns: their sums fit into a near cache
static constexpr int min_strip_width = 128;   // columns that are worth a thread
static constexpr int short_row = 64;          // columns: several such rows fit into the L1 cache
static constexpr std::int64_t parallel_pixels = 1 << 15;  // that are worth several threads
static constexpr std::int64_t worth_bands = 1 << 16;      // pixels that are worth several bands
static constexpr std::int64_t pixels_per_band = 1 << 13;  // that are worth one more
static constexpr int least_band = 16;                     // rows
static constexpr int parts_of_l3 = 24;                    // one of which may hold the sums
static constexpr std::int64_t usual_l2_bytes = 1 << 20;   // where the system does not say

/// True if SIMD is faster than scalar code. 64-bit sums need 8 lanes for that, or an image so large
/// that the stores bound it.
template <class Sum>
static bool simd_pays(ImageView<Sum> sums, InstructionSet set, bool streaming) {
    if (sizeof(Sum) == 4) return sums.width >= 32;
    return sums.width >= 40 && (set >= InstructionSet::avx512 || streaming);
}

/// The values that a strip passes to the strip at its right: the last sum of each row.
template <class Sum>
struct Carries {
    std::vector<Sum> sums;
    alignas(line) std::atomic<int> rows_done{0};  // a line of its own, against false sharing

    void wait_for(int rows) const {
        // The neighbour is mostly done within a microsecond, which is what a system call takes.
        for (int tries = 0; rows_done.load(std::memory_order_acquire) < rows; ++tries) {
            if (tries > 1000) std::this_thread::yield();
        }
    }
};

/// Scans columns [begin, end) from top to bottom. Null: there is no strip on that side, or nothing
/// above, where `above` has the sums of the columns.
template <class Sum>
static void scan_strip(ImageView<const Pixel> in, ImageView<Sum> sums, int begin, int end,
                       const Carries<Sum>* carry_in, Carries<Sum>* carry_out, InstructionSet set,
                       bool streaming, const Sum* above = nullptr) {
    ScanRows<Sum>* const scan_one = dispatch<1>(sums, streaming, set);
    ScanRows<Sum>* const scan_several = streaming ? dispatch<streamed_rows>(sums, streaming, set)
                                                  : dispatch<cached_rows>(sums, streaming, set);
    const int several = streaming ? streamed_rows : cached_rows;
    alignas(line) Sum columns[max_strip_width];
    std::fill_n(columns, end - begin, Sum{0});
    if (above != nullptr) std::copy_n(above, end - begin, columns);

    for (int top = 0; top < in.height; top += lag) {
        const int bottom = std::min(top + lag, in.height);
        if (carry_in != nullptr) carry_in->wait_for(bottom);
        for (int y = top, count = 0; y < bottom; y += count) {
            count = y + several <= bottom ? several : 1;
            const auto first = static_cast<std::size_t>(y);
            Sum carry[streamed_rows]{};
            if (carry_in != nullptr) std::copy_n(&carry_in->sums[first], count, carry);
            const Rows<Sum> rows{in.row(y) + begin, in.pitch, sums.row(y) + begin, sums.pitch,
                                 end - begin};
            (count == 1 ? scan_one : scan_several)(rows, columns, carry);
            if (carry_out != nullptr) std::copy_n(carry, count, &carry_out->sums[first]);
        }
        if (carry_out != nullptr) carry_out->rows_done.store(bottom, std::memory_order_release);
    }
    common::fence_streams();
}

/// Threads that the pipeline keeps busy: each starts `lag` rows after its left neighbour.
static int useful_threads(int width, int height, int threads) {
    if (std::int64_t{width} * height < parallel_pixels) return 1;
    return std::clamp(std::min(width / min_strip_width, height / (2 * lag)), 1, threads);
}

/// Threads for bands of rows.
static int useful_bands(int width, int height, int threads) {
    const std::int64_t pixels = std::int64_t{width} * height;
    if (width > max_strip_width || pixels < worth_bands) return 1;
    return static_cast<int>(std::clamp<std::int64_t>(
        std::min(pixels / pixels_per_band, std::int64_t{height} / least_band), 1, threads));
}

/// Rows [top, bottom).
template <class Value>
static ImageView<Value> rows_of(ImageView<Value> image, int top, int bottom) {
    return {image.row(top), image.width, bottom - top, image.channels, image.pitch};
}

/// Each thread scans a band of rows, after all have added up the columns of their bands. The pixels
/// are read twice, but no thread waits for rows of another one. All `threads` take part, even if
/// there are fewer bands: libgomp ends threads that a smaller team leaves out, and the next team
/// starts them again.
template <class Sum>
static void scan_bands(ImageView<const Pixel> in, ImageView<Sum> sums, int bands, int threads,
                       InstructionSet set) {
    const auto width = static_cast<std::size_t>(in.width);
    std::vector<Sum> columns(width * static_cast<std::size_t>(bands));  // above each band
    const auto above = [&](int band) {
        return columns.data() + width * static_cast<std::size_t>(band);
    };
    const auto top_of = [&](int band) {
        return static_cast<int>(std::int64_t{in.height} * band / bands);
    };
    AddUpColumns<Sum>* const add_up = version_of_add_up_columns<Sum>(set);
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static, 1)
        for (int band = 0; band < bands - 1; ++band) {
            add_up(rows_of(in, top_of(band), top_of(band + 1)), above(band + 1));
        }
#pragma omp for schedule(static)
        for (int x = 0; x < in.width; ++x) {
            for (int band = 1; band < bands; ++band) above(band)[x] += above(band - 1)[x];
        }
#pragma omp for schedule(static, 1)
        for (int band = 0; band < bands; ++band) {
            const int top = top_of(band), bottom = top_of(band + 1);
            scan_strip<Sum>(rows_of(in, top, bottom), rows_of(sums, top, bottom), 0, in.width,
                            nullptr, nullptr, set, false, above(band));
        }
    }
}

/// Two bands without a barrier: the second thread adds up the columns of the first band itself. To
/// add up a row takes about a quarter of the time of its scan.
template <class Sum>
static void scan_two_bands(ImageView<const Pixel> in, ImageView<Sum> sums, int threads,
                           InstructionSet set) {
    const int middle = in.height * 4 / 7;
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int band = 0; band < 2; ++band) {
        const int top = band == 0 ? 0 : middle, bottom = band == 0 ? middle : in.height;
        alignas(line) Sum above[max_strip_width];
        std::fill_n(above, in.width, Sum{0});
        if (band == 1) version_of_add_up_columns<Sum>(set)(rows_of(in, 0, middle), above);
        scan_strip<Sum>(rows_of(in, top, bottom), rows_of(sums, top, bottom), 0, in.width, nullptr,
                        nullptr, set, false, above);
    }
}

/// Whether the pixels and the sums fit the L2 caches of two cores.
template <class Sum>
static bool fits_two_l2_caches(ImageView<Sum> sums) {
    static const std::int64_t told = sysconf(_SC_LEVEL2_CACHE_SIZE);
    const std::int64_t bytes = told > 0 ? told : usual_l2_bytes;
    return std::int64_t{sums.width} * sums.height * std::int64_t{sizeof(Pixel) + sizeof(Sum)} <=
           2 * bytes;
}

/// seq_scan for several rows: independent chains of additions hide each other's latency, and the
/// row above is read once.
template <int Height, class Sum>
ALWAYS_INLINE inline void scan_below(const Rows<Sum>& rows, const Sum* above) {
    Sum along[Height] = {};
    for (int x = 0; x < rows.width; ++x) {
        Sum sum = above != nullptr ? above[x] : 0;
#pragma GCC unroll 4
        for (int y = 0; y < Height; ++y) {
            along[y] += rows.pixels[y * rows.pixels_pitch + x];
            sum += along[y];
            rows.sums[y * rows.sums_pitch + x] = sum;
        }
    }
}

/// Not inlined: that measured slower.
template <int Height, class Sum>
[[gnu::noinline]] static void scan_scalar(ImageView<const Pixel> in, ImageView<Sum> sums) {
    for (int y = 0, count = 0; y < in.height; y += count) {
        count = y + Height <= in.height ? Height : 1;
        const Sum* above = y > 0 ? sums.row(y - 1) : nullptr;
        const Rows<Sum> rows{in.row(y), in.pitch, sums.row(y), sums.pitch, in.width};
        count == 1 ? scan_below<1>(rows, above) : scan_below<Height>(rows, above);
    }
}

template <class Sum>
static void omp_best(ImageView<const Pixel> in, ImageView<Sum> sums, const Options& options) {
    const InstructionSet set = common::best_instruction_set(options.limits.instruction_set);
    const bool streaming =
        common::exceeds_caches(std::int64_t{sums.width} * sums.height * std::int64_t{sizeof(Sum)},
                               options.limits, parts_of_l3);
    const bool near = in.width <= max_strip_width && fits_two_l2_caches(sums);
    const int team = near ? 1 : useful_threads(in.width, in.height, options.threads);
    const int bands = streaming ? 1 : useful_bands(in.width, in.height, options.threads);
    if (near && bands == 2) return scan_two_bands(in, sums, options.threads, set);
    if (bands > 2 || bands > team) return scan_bands(in, sums, bands, options.threads, set);
    if (team == 1 && !simd_pays(sums, set, streaming)) {
        return in.width < short_row ? scan_scalar<streamed_rows>(in, sums)
                                    : scan_scalar<1>(in, sums);
    }
    const int strips = (in.width + team * max_strip_width - 1) / (team * max_strip_width) * team;
    if (strips == 1)
        return scan_strip<Sum>(in, sums, 0, in.width, nullptr, nullptr, set, streaming);

    const auto begin_of = [&](int strip) {  // a cache line, if the rows begin with one
        constexpr std::int64_t unit = line / sizeof(Pixel);
        const std::int64_t lines = (in.width + unit - 1) / unit;
        return static_cast<int>(std::min<std::int64_t>(lines * strip / strips * unit, in.width));
    };
    std::vector<Carries<Sum>> carries(static_cast<std::size_t>(strips) - 1);
    for (Carries<Sum>& each : carries) each.sums.resize(static_cast<std::size_t>(in.height));

#pragma omp parallel for schedule(static, 1) num_threads(team)
    for (int strip = 0; strip < strips; ++strip) {
        // schedule(static, 1): a strip waits for none that comes later on its thread.
        Carries<Sum>* out = carries.data() + strip;
        scan_strip(in, sums, begin_of(strip), begin_of(strip + 1), strip > 0 ? out - 1 : nullptr,
                   strip + 1 < strips ? out : nullptr, set, streaming);
    }
}

static const Register registered{
    {.name = "omp_best",
     .backend = common::Backend::omp,
     .idea = "one pass: a pipeline of column strips; SIMD, non-temporal stores"},
    Cost::linear,
    omp_best<Sum32>,
    omp_best<Sum64>};

}  // namespace integral
