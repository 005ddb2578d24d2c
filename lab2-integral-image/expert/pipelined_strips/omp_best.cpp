// One pass over the image. Every thread owns a strip of columns, keeps the sums C of its columns so
// far in a buffer that stays in its cache, and goes down the image. It adds the pixels of the next
// row to them, and the running sum along them is that row of the result:
//
//     C(x, y) = C(x, y-1) + I(x, y)
//     S(x, y) = S(begin-1, y) + C(begin, y) + ... + C(x, y)
//
// All that a strip needs from outside is the last sum of the same row in the strip to its left, one
// value for each row. So the threads follow each other at a distance of a few rows.
//
// Against omp_scan: no pixel is read twice, and there is no barrier. Three things help the memory:
//
//   - the running sum takes a whole vector at a time, with the best instruction set that the
//     machine has: every lane adds what the lane 1, 2, 4, ... places to its left has. Where that
//     does not pay, in short rows or with few sums to a vector, it is done as in seq_scan, in short
//     rows for four of them at once;
//   - a thread does four rows at once. The hardware prefetches within a page and has to begin anew
//     in the next one; of four rows, three go on meanwhile. Where the sums stay in the caches, it
//     does two, and asks itself for the place where the sums of the next two go;
//   - the sums of a large image go past the caches. A plain store would first read the line that
//     it is going to overwrite.
//
// Bound by memory: 8 bytes for each pixel with 32-bit sums, 12 with 64, over the rate of a copy. A
// vector of 16 pixels takes about 20 instructions, a fraction of the time that its 128 bytes take.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "common/instruction_sets.hpp"
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

using common::ImageView;
using common::InstructionSet;

static constexpr std::size_t line = 64;  // bytes of a cache line
static constexpr int rows_at_once = 4;   // where sums go past the caches, or rows are short
static constexpr int cached_rows = 2;    // where they stay there: four rows leave room for less
static constexpr int rows_between = 16;  // a thread and the next one; also how often they look
static constexpr int widest = 4096;      // columns of a strip: their sums stay in a near cache
static constexpr int narrowest = 256;    // columns that are worth a thread
static constexpr std::int64_t for_threads = 1 << 18;  // pixels that are worth several
static constexpr int narrow = 64;  // columns: of such short rows, several stay in the nearest cache
static constexpr std::int64_t cache_bytes = 8 << 20;  // sums that may stay in the caches

/// Some rows of a strip: pixels, and where their sums go.
template <class Sum>
struct Rows {
    const Pixel* pixels;
    std::ptrdiff_t pixels_pitch;
    Sum* sums;
    std::ptrdiff_t sums_pitch;
    int width;
};

/// `columns` has the sums of the columns above, `left` those left of each row; both are updated.
template <int Height, class Sum>
ALWAYS_INLINE inline void scan_columns(const Rows<Sum>& rows, int begin, int end, Sum* columns,
                                       Sum* left) {
    Sum along[Height];  // not in memory, which the stores might change as far as a compiler knows
    std::copy_n(left, Height, along);
    for (int x = begin; x < end; ++x) {
        Sum column = columns[x];
        for (int y = 0; y < Height; ++y) {
            column += rows.pixels[y * rows.pixels_pitch + x];
            along[y] += column;
            rows.sums[y * rows.sums_pitch + x] = along[y];
        }
        columns[x] = column;
    }
    std::copy_n(along, Height, left);
}

/// Every lane adds what the lane `Distance` places to its left has; then again, twice as far.
template <int Distance, class Lanes, int... I>
ALWAYS_INLINE inline void scan_lanes(Lanes& lanes, std::integer_sequence<int, I...> all) {
    constexpr int count = sizeof...(I);
    if constexpr (Distance < count) {
        lanes += __builtin_shufflevector(Lanes{}, lanes, count + I - Distance...);
        scan_lanes<2 * Distance>(lanes, all);
    }
}

template <class Lanes, int... I>
ALWAYS_INLINE inline void take_last_lane(Lanes& to, const Lanes& lanes,
                                         std::integer_sequence<int, I...>) {
    constexpr int count = sizeof...(I);
    to = __builtin_shufflevector(lanes, lanes, (I - I + count - 1)...);
}

/// Pixels as sums. What is one instruction in AVX2 and AVX-512, compilers do with four.
template <class Pixels, class Sums>
ALWAYS_INLINE inline void widen(const Pixel* from, Sums& sums) {
    Pixels pixels;
    std::memcpy(&pixels, from, sizeof pixels);
#if defined(__x86_64__)
    if constexpr (sizeof sums > sizeof pixels && sizeof sums > 16) {
        asm("vpmovsxdq %1, %0" : "=v"(sums) : "vm"(pixels));
        return;
    }
#endif
    sums = __builtin_convertvector(pixels, Sums);
}

/// Stores past the caches, where that is possible; `to` is aligned to a whole vector.
template <class Sum, class Lanes>
ALWAYS_INLINE inline void stream(Sum* to, const Lanes& lanes) {
#if defined(__x86_64__)
    // The intrinsics exist for one instruction set each; this is for the one of the caller.
    asm("vmovntdq %1, %0" : "=m"(*reinterpret_cast<Lanes*>(to)) : "v"(lanes));
#else
    std::memcpy(to, &lanes, sizeof lanes);
#endif
}

/// Stores past the caches are not ordered with later ones; this makes sure that they are done.
static void end_streams() {
#if defined(__x86_64__)
    __builtin_ia32_sfence();
#endif
}

/// Where the sums go: into the caches; past them, from rows that are aligned to vectors; or past
/// them from any rows.
enum class Stores { cached, aligned, shifted };

/// Makes vectors for aligned addresses from the end of one vector and the beginning of the next.
/// What does not fill one, at both ends of a row, is stored as usual: a line that is stored partly
/// like this and partly like that would be read from memory in between.
template <class Sum, int Bytes>
struct ShiftedStream {
    static constexpr int lanes = Bytes / static_cast<int>(sizeof(Sum));
    using Sums [[gnu::vector_size(Bytes)]] = Sum;

    Sums last;  // its last lanes, `late` of them, are not yet stored
    Sums turn;  // which lanes of two vectors make one for an aligned address
    int late;

    /// The first vector. Stores what comes before the first aligned address.
    ALWAYS_INLINE void begin(Sum* to, const Sums& sums) {
        const auto misaligned = reinterpret_cast<std::uintptr_t>(to) % Bytes;
        late = static_cast<int>(misaligned / sizeof(Sum));
        for (int i = 0; i < lanes; ++i) turn[i] = lanes - late + i;
        last = sums;
        store(to, 0, lanes - late);
    }
    ALWAYS_INLINE void push(Sum* to, const Sums& sums) {
        stream(to - late, __builtin_shuffle(last, sums, turn));
        last = sums;
    }
    ALWAYS_INLINE void end(Sum* to) const { store(to - late, lanes - late, late); }

    ALWAYS_INLINE void store(Sum* to, int first, int count) const {
        Sum values[lanes];
        std::memcpy(values, &last, sizeof values);
        for (int i = 0; i < count; ++i) to[i] = values[first + i];
    }
};

/// As scan_columns for all columns, with vectors of so many bytes.
template <int Bytes, Stores How, int Height, class Sum>
ALWAYS_INLINE inline void scan_rows(const Rows<Sum>& all_rows, Sum* columns, Sum* left) {
    const Rows<Sum> rows = all_rows;  // not in memory, as above
    constexpr int lanes = Bytes / static_cast<int>(sizeof(Sum));
    using Sums [[gnu::vector_size(Bytes)]] = Sum;
    using Pixels [[gnu::vector_size(lanes * sizeof(Pixel))]] = Pixel;
    constexpr std::make_integer_sequence<int, lanes> all;
    constexpr bool shifted = How == Stores::shifted;
    if (shifted && rows.width < lanes) {
        return scan_rows<Bytes, Stores::cached, Height>(rows, columns, left);
    }
    const auto sums_at = [&](int x, int y) { return rows.sums + y * rows.sums_pitch + x; };

    int x = 0;
    Sums before[Height];
    ShiftedStream<Sum, Bytes> streams[Height];
    for (int y = 0; y < Height; ++y) before[y] = Sums{} + left[y];
    for (; x + lanes <= rows.width; x += lanes) {
        Sums column;
        std::memcpy(&column, columns + x, sizeof column);
#pragma GCC unroll 4
        for (int y = 0; y < Height; ++y) {
            Sums wide;
            widen<Pixels>(rows.pixels + y * rows.pixels_pitch + x, wide);
            column += wide;
            Sums scanned = column;
            scan_lanes<1>(scanned, all);
            const Sums sums = before[y] + scanned;
            take_last_lane(before[y], sums, all);
            if constexpr (shifted) {
                x == 0 ? streams[y].begin(sums_at(x, y), sums)
                       : streams[y].push(sums_at(x, y), sums);
            } else if constexpr (How == Stores::aligned) {
                stream(sums_at(x, y), sums);
            } else {
                std::memcpy(sums_at(x, y), &sums, sizeof sums);
                __builtin_prefetch(sums_at(x, y + Height), 1);  // where the next rows will go
            }
        }
        std::memcpy(columns + x, &column, sizeof column);
    }
    for (int y = 0; y < Height; ++y) {
        left[y] = before[y][0];
        if constexpr (shifted) streams[y].end(sums_at(x, y));
    }
    if constexpr (Bytes > 16) {
        const Rows<Sum> rest{rows.pixels + x, rows.pixels_pitch, rows.sums + x, rows.sums_pitch,
                             rows.width - x};
        scan_rows<Bytes / 2, Stores::cached, Height>(rest, columns + x, left);
    } else {
        scan_columns<Height>(rows, x, rows.width, columns, left);
    }
}

#if defined(__x86_64__)
template <Stores How, int Height, class Sum>
[[gnu::target("arch=x86-64-v4")]] static void scan_rows_avx512(const Rows<Sum>& rows, Sum* columns,
                                                               Sum* left) {
    scan_rows<64, How, Height>(rows, columns, left);
}

template <Stores How, int Height, class Sum>
[[gnu::target("arch=x86-64-v3")]] static void scan_rows_avx2(const Rows<Sum>& rows, Sum* columns,
                                                             Sum* left) {
    scan_rows<32, How, Height>(rows, columns, left);
}
#endif

template <class Sum>
using ScanRows = void(const Rows<Sum>& rows, Sum* columns, Sum* left);

/// Whether all rows begin at a multiple of so many bytes; then strips do too, see scan().
template <class Sum>
static bool aligned_to(std::size_t bytes, ImageView<Sum> sums) {
    const auto row_bytes = static_cast<std::size_t>(sums.pitch) * sizeof(Sum);
    return (reinterpret_cast<std::uintptr_t>(sums.data) | row_bytes) % bytes == 0;
}

/// The function for what the machine has and for where these sums go. Only AVX-512 shifts vectors
/// by any number of lanes in one instruction.
template <int Height, class Sum>
static ScanRows<Sum>* best_scan([[maybe_unused]] ImageView<Sum> sums, [[maybe_unused]] bool past,
                                [[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
    if (set >= InstructionSet::avx512) {
        if (!past) return scan_rows_avx512<Stores::cached, Height, Sum>;
        return aligned_to(64, sums) ? scan_rows_avx512<Stores::aligned, Height, Sum>
                                    : scan_rows_avx512<Stores::shifted, Height, Sum>;
    }
    if (set >= InstructionSet::avx2) {
        return past && aligned_to(32, sums) ? scan_rows_avx2<Stores::aligned, Height, Sum>
                                            : scan_rows_avx2<Stores::cached, Height, Sum>;
    }
#endif
    return scan_rows<16, Stores::cached, Height, Sum>;
}

template <class Sum>
static bool past_caches(ImageView<Sum> sums) {
    return std::int64_t{sums.width} * sums.height * std::int64_t{sizeof(Sum)} > cache_bytes;
}

/// Whether vectors are faster than one sum after the other. With sums of 64 bits it takes 8 of
/// them, or so many that the stores are what counts.
template <class Sum>
static bool vectors_pay(ImageView<Sum> sums, InstructionSet set) {
    if (sizeof(Sum) == 4) return sums.width >= 32;
    return sums.width >= 40 && (set >= InstructionSet::avx512 || past_caches(sums));
}

/// What a strip hands over to the one at its right: the last sum of each row that it has done.
template <class Sum>
struct Edge {
    std::vector<Sum> sums;
    alignas(line) std::atomic<int> rows_done{0};

    void wait_for(int rows) const {
        while (rows_done.load(std::memory_order_acquire) < rows) std::this_thread::yield();
    }
};

/// Columns [begin, end) of the image, at most `widest`, from top to bottom. An edge is null where
/// there is no strip.
template <class Sum>
static void scan_strip(ImageView<const Pixel> in, ImageView<Sum> sums, int begin, int end,
                       const Edge<Sum>* left_edge, Edge<Sum>* right_edge, InstructionSet set) {
    const bool past = past_caches(sums);
    ScanRows<Sum>* const scan_one = best_scan<1>(sums, past, set);
    ScanRows<Sum>* const scan_several =
        past ? best_scan<rows_at_once>(sums, past, set) : best_scan<cached_rows>(sums, past, set);
    const int several = past ? rows_at_once : cached_rows;
    alignas(line) Sum columns[widest];
    std::fill_n(columns, end - begin, Sum{0});

    for (int top = 0; top < in.height; top += rows_between) {
        const int bottom = std::min(top + rows_between, in.height);
        if (left_edge != nullptr) left_edge->wait_for(bottom);
        for (int y = top, count = 0; y < bottom; y += count) {
            count = y + several <= bottom ? several : 1;
            const auto first = static_cast<std::size_t>(y);
            Sum left[rows_at_once]{};
            if (left_edge != nullptr) std::copy_n(&left_edge->sums[first], count, left);
            const Rows<Sum> rows{in.row(y) + begin, in.pitch, sums.row(y) + begin, sums.pitch,
                                 end - begin};
            (count == 1 ? scan_one : scan_several)(rows, columns, left);
            if (right_edge != nullptr) std::copy_n(left, count, &right_edge->sums[first]);
        }
        if (right_edge != nullptr) right_edge->rows_done.store(bottom, std::memory_order_release);
    }
    end_streams();
}

/// Threads that an image keeps busy: they start one after the other, `rows_between` rows apart.
static int useful_threads(int width, int height, int threads) {
    if (std::int64_t{width} * height < for_threads) return 1;
    return std::clamp(std::min(width / narrowest, height / (2 * rows_between)), 1, threads);
}

/// As seq_scan, but several rows at once: that many running sums do not wait for each other, and
/// the row above them is read once. Long ones would be too much for the nearest cache.
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

/// Several rows at once, as long as there are as many. Inlined into the rest, it comes out slower.
template <int Height, class Sum>
[[gnu::noinline]] static void scan_without_vectors(ImageView<const Pixel> in, ImageView<Sum> sums) {
    for (int y = 0, count = 0; y < in.height; y += count) {
        count = y + Height <= in.height ? Height : 1;
        const Sum* above = y > 0 ? sums.row(y - 1) : nullptr;
        const Rows<Sum> rows{in.row(y), in.pitch, sums.row(y), sums.pitch, in.width};
        count == 1 ? scan_below<1>(rows, above) : scan_below<Height>(rows, above);
    }
}

template <class Sum>
static void scan(ImageView<const Pixel> in, ImageView<Sum> sums, const Options& options) {
    const InstructionSet set = common::best_instruction_set(options.instruction_set);
    const int team = useful_threads(in.width, in.height, options.threads);
    if (team == 1 && !vectors_pay(sums, set)) {
        return in.width < narrow ? scan_without_vectors<rows_at_once>(in, sums)
                                 : scan_without_vectors<1>(in, sums);
    }
    const int strips = (in.width + team * widest - 1) / (team * widest) * team;
    if (strips == 1) return scan_strip<Sum>(in, sums, 0, in.width, nullptr, nullptr, set);

    const auto begin_of = [&](int strip) {  // whole cache lines, if the rows begin with one
        constexpr std::int64_t unit = line / sizeof(Pixel);
        const std::int64_t lines = (in.width + unit - 1) / unit;
        return static_cast<int>(std::min<std::int64_t>(lines * strip / strips * unit, in.width));
    };
    std::vector<Edge<Sum>> edges(static_cast<std::size_t>(strips) - 1);
    for (Edge<Sum>& edge : edges) edge.sums.resize(static_cast<std::size_t>(in.height));

        // In order, so that a strip never waits for one that has to wait for this thread.
#pragma omp parallel for schedule(static, 1) num_threads(team)
    for (int strip = 0; strip < strips; ++strip) {
        Edge<Sum>* right = edges.data() + strip;
        scan_strip(in, sums, begin_of(strip), begin_of(strip + 1), strip > 0 ? right - 1 : nullptr,
                   strip + 1 < strips ? right : nullptr, set);
    }
}

void omp_best(ImageView<const Pixel> in, ImageView<Sum32> sums, const Options& options) {
    scan(in, sums, options);
}

void omp_best(ImageView<const Pixel> in, ImageView<Sum64> sums, const Options& options) {
    scan(in, sums, options);
}

static const Register registered{
    {.name = "omp_best",
     .backend = common::Backend::omp,
     .idea = "one pass by strips of columns in a pipeline; vectors, non-temporal stores"},
    Cost::linear,
    omp_best,
    omp_best};

}  // namespace integral
