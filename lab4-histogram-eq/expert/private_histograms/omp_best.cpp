// `omp_shuffle` spends most of its time counting, with one store per pixel. Here one addition
// counts two neighbouring pixels: together they are an index of 16 bits (pair_histograms.hpp). The
// look-up takes the widest instructions of the machine: AVX-512 VBMI selects from 128 bytes per
// instruction, AVX-512 without it from 64 words of two bytes, AVX2 from 16 bytes. Large results are
// written with non-temporal stores, which do not read the lines that they overwrite. The threads
// start once for both passes, and look up the rows that they counted. A smaller image takes a
// histogram per pixel of a word, a small one a single thread, the smallest a single histogram.
//
// Predicted: half of the stores, so counting takes half of the time. But half as many additions do
// not take half of the time; why was not examined.
//
// Bound by counting, most of the time, and by memory: the two passes move 3 bytes per pixel.

#include <algorithm>
#include <functional>

#include "common/instruction_sets.hpp"
#include "common/view.hpp"
#include "ladder/parts/look_up_row.hpp"
#include "ladder/parts/word_histograms.hpp"
#include "pair_histograms.hpp"
#include "problem/table.hpp"
#include "problem/variant.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace equalize {

using common::ImageView;
using common::InstructionSet;

static constexpr std::int64_t eight_from = 4096;            // pixels that repay eight histograms
static constexpr std::int64_t worth_threads = 1 << 16;      // pixels that repay starting threads
static constexpr std::int64_t pixels_per_thread = 1 << 13;  // that repay one more of them
static constexpr std::int64_t cacheable = 1 << 21;  // larger results take non-temporal stores

#if defined(__x86_64__)

[[gnu::target("avx512bw,avx512vbmi")]] static void look_up_vbmi(const std::uint8_t* in,
                                                                std::uint8_t* out, int width,
                                                                const Table& table, bool streamed) {
    constexpr int step = 64;
    const __m512i first = _mm512_loadu_si512(table.data());
    const __m512i second = _mm512_loadu_si512(table.data() + 64);
    const __m512i third = _mm512_loadu_si512(table.data() + 128);
    const __m512i fourth = _mm512_loadu_si512(table.data() + 192);
    const auto values_of = [=](__m512i pixels) __attribute__((target("avx512bw,avx512vbmi"))) {
        const __m512i lower = _mm512_permutex2var_epi8(first, pixels, second);  // without bit 7
        const __m512i upper = _mm512_permutex2var_epi8(third, pixels, fourth);
        return _mm512_mask_blend_epi8(_mm512_movepi8_mask(pixels), lower, upper);
    };
    const auto look_up_some = [=](int x, int count) __attribute__((target("avx512bw,avx512vbmi"))) {
        const __mmask64 some = (std::uint64_t{1} << count) - 1;  // fewer than 64
        _mm512_mask_storeu_epi8(out + x, some, values_of(_mm512_maskz_loadu_epi8(some, in + x)));
    };
    int x = std::min(up_to_aligned(out, step), width);
    if (x > 0) look_up_some(0, x);
    for (; x <= width - step; x += step) {
        const __m512i values = values_of(_mm512_loadu_si512(in + x));
        auto* to = reinterpret_cast<__m512i*>(out + x);
        streamed ? _mm512_stream_si512(to, values) : _mm512_store_si512(to, values);
    }
    if (x < width) look_up_some(x, width - x);
}

// 16-bit words: two instructions select from 64 words each, which hold the values of 128 levels.
[[gnu::target("avx512bw")]] static void look_up_avx512(const std::uint8_t* in, std::uint8_t* out,
                                                       int width, const Table& table,
                                                       bool streamed) {
    constexpr int step = 64;
    if (width < 2 * step) return look_up(in, out, width, table, false);
    const __m512i first = _mm512_loadu_si512(table.data());
    const __m512i second = _mm512_loadu_si512(table.data() + 64);
    const __m512i third = _mm512_loadu_si512(table.data() + 128);
    const __m512i fourth = _mm512_loadu_si512(table.data() + 192);
    // The values of levels 2i and 2i + 1, for a word whose bits 0 to 5 are i, with or without bit 7
    // of the level.
    const auto pairs = [=](__m512i i, __mmask32 upper) __attribute__((target("avx512bw"))) {
        return _mm512_mask_blend_epi16(upper, _mm512_permutex2var_epi16(first, i, second),
                                       _mm512_permutex2var_epi16(third, i, fourth));
    };
    const __m512i from_even = _mm512_set4_epi32(0x800e800c, 0x800a8008, 0x80068004, 0x80028000);
    const __m512i from_odd = _mm512_slli_epi16(from_even, 8) | _mm512_set1_epi16(0x0080);
    const int head = std::min(up_to_aligned(out, step), width);
    look_up(in, out, head, table, false);
    int x = head;
    for (; x <= width - step; x += step) {
        const __m512i pixels = _mm512_loadu_si512(in + x);
        const __m512i even =
            pairs(_mm512_srli_epi16(pixels, 1), _mm512_movepi16_mask(_mm512_slli_epi16(pixels, 8)));
        const __m512i odd = pairs(_mm512_srli_epi16(pixels, 9), _mm512_movepi16_mask(pixels));
        // Bit 0 of each level selects one of two bytes.
        const __m512i select = pixels & _mm512_set1_epi8(1);
        const __m512i values =
            _mm512_shuffle_epi8(even, from_even | (select & _mm512_set1_epi16(0x00ff))) |
            _mm512_shuffle_epi8(odd, from_odd | (select & _mm512_set1_epi16(-256)));
        auto* to = reinterpret_cast<__m512i*>(out + x);
        streamed ? _mm512_stream_si512(to, values) : _mm512_store_si512(to, values);
    }
    look_up(in + x, out + x, width - x, table, false);
}

static LookUp& best_look_up(InstructionSet at_most) {
    const InstructionSet set = common::best_instruction_set(at_most);
    if (set >= InstructionSet::avx512_vbmi) return look_up_vbmi;
    if (set >= InstructionSet::avx512) return look_up_avx512;
    return set >= InstructionSet::avx2 ? look_up_avx2 : look_up;
}

/// Orders non-temporal stores before later stores of this thread.
static void fence_streamed() {
    _mm_sfence();
}

#else

static LookUp& best_look_up(InstructionSet) {
    return look_up;
}
static void fence_streamed() {}

#endif

/// One thread and one histogram.
static void equalize_small(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                           LookUp& look_up_row) {
    Histogram histogram{};
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) ++histogram[in.at(x, y)];
    }
    const Table table = table_from_histogram(histogram);
    if (in.pitch == in.width && out.pitch == out.width) {  // vectors may span rows
        return look_up_row(in.data, out.data, in.width * in.height, table, false);
    }
    for (int y = 0; y < in.height; ++y) {
        look_up_row(in.row(y), out.row(y), in.width, table, false);
    }
}

/// `Histograms` are those of one thread.
template <typename Histograms>
static void equalize_large(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
                           LookUp& look_up_row, int threads, bool streamed) {
    const auto begin_of = [=](int band) {  // one band of rows per thread
        return static_cast<int>(std::int64_t{in.height} * band / threads);
    };
    Histogram histogram{};
#pragma omp parallel num_threads(threads)
    {
        Histograms mine;
#pragma omp for schedule(static) nowait
        for (int band = 0; band < threads; ++band) {
            for (int y = begin_of(band); y < begin_of(band + 1); ++y) {
                mine.count(in.row(y), in.width);
            }
        }
        Histogram sums{};
        mine.add_to(sums);
#pragma omp critical(equalize_omp_best)
        std::transform(sums.begin(), sums.end(), histogram.begin(), histogram.begin(), std::plus{});
#pragma omp barrier
        const Table table = table_from_histogram(histogram);
        // The same static schedule: a thread may find the rows that it counted in its caches.
#pragma omp for schedule(static) nowait
        for (int band = 0; band < threads; ++band) {
            for (int y = begin_of(band); y < begin_of(band + 1); ++y) {
                look_up_row(in.row(y), out.row(y), in.width, table, streamed);
            }
        }
        fence_streamed();
    }
}

void omp_best(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
              const Options& options) {
    const std::int64_t pixels = std::int64_t{in.width} * in.height;
    LookUp& look_up_row = best_look_up(options.limits.instruction_set);
    if (pixels < eight_from) return equalize_small(in, out, look_up_row);
    const std::int64_t most = pixels < worth_threads ? 1 : pixels / pixels_per_thread;
    const std::int64_t threads = std::clamp<std::int64_t>(most, 1, options.threads);
    auto* const equalize = pixels / threads < PairHistograms::worth
                               ? equalize_large<WordHistograms>
                               : equalize_large<PairHistograms>;
    equalize(in, out, look_up_row, static_cast<int>(threads), pixels > cacheable);
}

static const Register registered{
    {.name = "omp_best",
     .backend = common::Backend::omp,
     .idea = "one addition counts two pixels; the widest look-up; non-temporal stores"},
    omp_best};

}  // namespace equalize
