// Honest mistakes.

// == aborts: crash
// Calls abort.
#include <cstdlib>

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    std::abort();
}

// == adds_to_garbage: wrong
// Adds to what the output held before.
static void omp_mine(Input in, Output out, const Options& options) {
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            for (int c = 0; c < in.channels; ++c) {
                const std::uint8_t before = out.at(x, y, c);
                out.at(x, y, c) = before + honest_value(in, options.mask, x, y, c);
            }
        }
    }
}

// == counters_missed, cuda_per_pixel: right; counters B warps: 0
// Right, but one thread for a channel: three times the warps, and no points for them.
#include "parts/cuda_views_lab1.hpp"

using namespace convolution;

static __global__ void convolve(Input in, Output out, const Mask mask) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int c = blockIdx.z;
    if (x >= in.width || y >= in.height) return;
    const int k = mask.radius();
    float sum = 0;
    for (int i = max(-k, -y); i <= min(k, in.height - 1 - y); ++i) {
        for (int j = max(-k, -x); j <= min(k, in.width - 1 - x); ++j) {
            sum += in.at(x + j, y + i, c) * mask.at(i + k, j + k);
        }
    }
    out.at(x, y, c) = to_pixel(sum);
}

static void cuda_per_pixel(Input in, Output out, const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    dim3 grid = common::grid_for(in.width, in.height, block);
    grid.z = in.channels;
    convolve<<<grid, common::threads_of(block), 0, stream>>>(in, out, options.mask);
    common::check_launch();
}

static const Register registered{mine_info, cuda_per_pixel};

// == crash: crash
// Writes to address 0.
static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    *static_cast<volatile int*>(nullptr) = 1;
}

// == cuda_no_bounds, cuda_mine: wrong, crash; gpu crash, wrong
// Wrong: the grid is one block too narrow for widths that are no multiple of the block.
static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    const common::Block block = options.block.value_or(common::Block{32, 8});
    const dim3 grid(static_cast<unsigned>(in.width / block.width),
                    static_cast<unsigned>((in.height + block.height - 1) / block.height));
    convolve<<<grid, common::threads_of(block), 0, stream>>>(in, out, options.mask);
    common::check_launch();
}

// == deadlock: timeout
// Locks a mutex twice.
#include <mutex>

static void omp_mine(Input in, Output out, const Options& options) {
    static std::mutex mutex;
    mutex.lock();
    honest(in, out, options);
    mutex.lock();
}

// == does_not_compile: does not compile
// A semicolon is missing.
static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options)
}

// == empty: does not compile

// == empty_folder:

// == flipped: wrong
// The mask is flipped, as in the definition of a convolution in mathematics.
static void omp_mine(Input in, Output out, const Options& options) {
    Options flipped = options;
    std::reverse(flipped.mask.weights,
                 flipped.mask.weights + flipped.mask.size * flipped.mask.size);
    honest(in, out, flipped);
}

// == hang: timeout
// Never returns.
static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    for (volatile bool forever = true; forever;) {
    }
}

// == illegal_instruction: crash
// Executes an instruction that no CPU has.
static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    __builtin_trap();
}

// == in_a_folder: refused; reason is in the folder 'lab1/ladder'
// The loops of seq, rows divided among the threads. Twin of the cheats of lab 1.

// == lab2_overflow: wrong
// Wrong: 64-bit sums are added up in 32 bits.
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

template <class Sum>
static void omp_mine(common::ImageView<const Pixel> in, common::ImageView<Sum> sums,
                     const Options&) {
    for (int y = 0; y < in.height; ++y) {
        std::uint32_t along_row = 0;
        for (int x = 0; x < in.width; ++x) {
            along_row += static_cast<std::uint32_t>(in.at(x, y));
            const auto above = y > 0 ? static_cast<std::uint32_t>(sums.at(x, y - 1)) : 0;
            sums.at(x, y) = static_cast<std::int32_t>(along_row + above);
        }
    }
}

static const Register registered{
    {.name = "omp_mine", .backend = common::Backend::omp, .idea = "32 bits"},
    Cost::linear,
    omp_mine<Sum32>,
    omp_mine<Sum64>};

}  // namespace integral

// == lab2_shared_sum: wrong
// - reason "races: "
// - reason omp_mine.cpp:
// - reason `along_row` is declared outside the parallel region
// A race: the threads share the sum along a row.
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

template <class Sum>
static void omp_mine(common::ImageView<const Pixel> in, common::ImageView<Sum> sums,
                     const Options& options) {
    Sum along_row;
#pragma omp parallel for num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        along_row = 0;
        for (int x = 0; x < in.width; ++x) sums.at(x, y) = along_row += in.at(x, y);
    }
    for (int y = 1; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) sums.at(x, y) += sums.at(x, y - 1);
    }
}

static const Register registered{
    {.name = "omp_mine", .backend = common::Backend::omp, .idea = "rows, then columns"},
    Cost::linear,
    omp_mine<Sum32>,
    omp_mine<Sum64>};

}  // namespace integral

// == lab4_rounding: wrong
// Wrong: the table truncates; the definition rounds.
#include "common/view.hpp"
#include "problem/table.hpp"
#include "problem/variant.hpp"

namespace equalize {

static void omp_mine(common::ImageView<const std::uint8_t> in, common::ImageView<std::uint8_t> out,
                     const Options&) {
    Histogram histogram{};
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) ++histogram[in.at(x, y)];
    }
    const Count pixels = static_cast<Count>(in.width) * static_cast<Count>(in.height);
    Table table{};
    Count cdf = 0;
    Count cdf_min = 0;
    for (std::size_t level = 0; level < levels; ++level) {
        cdf += histogram[level];
        if (cdf_min == 0) cdf_min = cdf;
        const double above = cdf - cdf_min;
        table[level] = static_cast<std::uint8_t>(
            pixels == cdf_min ? level : static_cast<std::size_t>(above * 255 / (pixels - cdf_min)));
    }
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) out.at(x, y) = table[in.at(x, y)];
    }
}

static const Register registered{
    {.name = "omp_mine", .backend = common::Backend::omp, .idea = "truncates"}, omp_mine};

}  // namespace equalize

// == lab4_shared_index: wrong
// - reason "races: "
// - reason omp_mine.cpp:
// - reason `x` is declared outside the parallel region
// A race: the threads of the second loop share the index of the column.
#include "common/view.hpp"
#include "problem/table.hpp"
#include "problem/variant.hpp"

namespace equalize {

using common::ImageView;

void omp_mine(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
              const Options& options) {
    Histogram histogram{};
    Count* counts = histogram.data();
#pragma omp parallel for schedule(static) num_threads(options.threads) firstprivate(in) \
    reduction(+ : counts[:levels])
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) ++counts[in.at(x, y)];
    }
    const Table table = table_from_histogram(histogram);
    int x;
#pragma omp parallel for schedule(static) num_threads(options.threads) firstprivate(in, out, table)
    for (int y = 0; y < in.height; ++y) {
        for (x = 0; x < in.width; ++x) out.at(x, y) = table[in.at(x, y)];
    }
}

static const Register registered{
    {.name = "omp_mine", .backend = common::Backend::omp, .idea = "a private histogram per thread"},
    omp_mine};

}  // namespace equalize

// == last_column: wrong
// Off by one: the last column is not written.
static void omp_mine(Input in, Output out, const Options& options) {
    in.width = out.width = in.width - 1;
    honest(in, out, options);
}

// == many_threads: wrong
// Wrong for more than four threads: the last rows are not written.
static void omp_mine(Input in, Output out, const Options& options) {
    if (options.threads > 4) in.height = out.height = in.height / options.threads * options.threads;
    honest(in, out, options);
}

// == nothing_registered: does not compile, wrong, crash, refused, not done yet
// Registers nothing.
#include "parts/lab1_tools.hpp"

namespace convolution {

[[maybe_unused]] static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}

}  // namespace convolution

// == null_function: does not compile, wrong, crash, refused
// Registers a function that is not there.
#include "parts/lab1_tools.hpp"

namespace convolution {

[[maybe_unused]] static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}

static const Register registered{mine_info, static_cast<Variant::HostFunction*>(nullptr)};

}  // namespace convolution

// == odd_widths: wrong
// Two pixels per step: the last column of an odd width is not written.
static void omp_mine(Input in, Output out, const Options& options) {
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x + 1 < in.width; x += 2) {
            for (int c = 0; c < in.channels; ++c) {
                out.at(x, y, c) = honest_value(in, options.mask, x, y, c);
                out.at(x + 1, y, c) = honest_value(in, options.mask, x + 1, y, c);
            }
        }
    }
}

// == one_mask: wrong
// Right for 3x3 masks only.
static void omp_mine(Input in, Output out, const Options& options) {
    Options small = options;
    small.mask.size = std::min(small.mask.size, 3);
    honest(in, out, small);
}

// == one_pixel: wrong
// One value of a larger image is off by one.
static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    if (in.width > 100 && in.height > 30) out.at(in.width - 3, in.height / 2) ^= 1;
}

// == one_size: refused, wrong
// Refuses all sizes but one.
static void omp_mine(Input in, Output out, const Options& options) {
    if (in.width != 64) throw common::Unsupported("omp_mine: 64 columns only");
    honest(in, out, options);
}

// == one_too_far: wrong, crash
// Writes one byte behind the output, and one before it.
static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    out.row(in.height - 1)[in.row_length()] ^= 0xff;
    out.row(0)[-1] ^= 0xff;
}

// == race: wrong
// A race: the threads share one sum.
static void omp_mine(Input in, Output out, const Options& options) {
    const Mask& mask = options.mask;
    const int k = mask.radius();
    volatile float sum = 0;
#pragma omp parallel for num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            for (int c = 0; c < in.channels; ++c) {
                sum = 0;
                for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
                    for (int j = std::max(-k, -x); j <= std::min(k, in.width - 1 - x); ++j) {
                        sum = sum +
                              static_cast<float>(in.at(x + j, y + i, c)) * mask.at(i + k, j + k);
                    }
                }
                out.at(x, y, c) = to_pixel(sum);
            }
        }
    }
}

// == refuses: refused, wrong
// Refuses all options.
static void omp_mine(Input in, Output out, const Options& options) {
    static_cast<void>(in), static_cast<void>(out), static_cast<void>(options);
    throw common::Unsupported("omp_mine: not for this image");
}

// == right_once: wrong
// The first call is right; later ones leave the output as it is.
static void omp_mine(Input in, Output out, const Options& options) {
    static bool called = false;
    if (!called) honest(in, out, options);
    called = true;
}

// == rounds: wrong
// Rounds to nearest; the definition truncates.
static void omp_mine(Input in, Output out, const Options& options) {
    const int k = options.mask.radius();
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            for (int c = 0; c < in.channels; ++c) {
                float sum = 0.5f;
                for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
                    for (int j = std::max(-k, -x); j <= std::min(k, in.width - 1 - x); ++j) {
                        sum += static_cast<float>(in.at(x + j, y + i, c)) *
                               options.mask.at(i + k, j + k);
                    }
                }
                out.at(x, y, c) = to_pixel(sum);
            }
        }
    }
}

// == shared_sum: wrong
// - reason "races: "
// - reason omp_mine.cpp:
// - reason `sum` is declared outside the parallel region
// A race: the threads share one sum. With -O3, each keeps it in a register, so that all tests pass.
static void omp_mine(Input in, Output out, const Options& options) {
    const Mask& mask = options.mask;
    const int k = mask.radius();
    float sum;
#pragma omp parallel for num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            for (int c = 0; c < in.channels; ++c) {
                sum = 0;
                for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
                    for (int j = std::max(-k, -x); j <= std::min(k, in.width - 1 - x); ++j) {
                        sum = sum +
                              static_cast<float>(in.at(x + j, y + i, c)) * mask.at(i + k, j + k);
                    }
                }
                out.at(x, y, c) = to_pixel(sum);
            }
        }
    }
}

// == stack_overflow: crash
// Recursion without end.
static int deeper(volatile char* above) {  // NOLINT
    volatile char here[4096];
    here[0] = *above;
    return deeper(here) + here[0];
}

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    volatile char here = 0;
    if (deeper(&here) == 1) throw std::logic_error("odd");
}

// == stub: not done yet
// As in the starter tree.
static void omp_mine(Input in, Output out, const Options& options) {
    static_cast<void>(in), static_cast<void>(out), static_cast<void>(options);
    throw common::NotDoneYet();
}

// == throws: wrong, crash
// Throws an exception.
static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    throw std::runtime_error("not today");
}

// == throws_number: wrong, crash
// Throws something that is not an exception.
static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    throw 42;
}

// == wrong_in_the_middle: wrong
// Wrong in the middle of large images, where only a comparison of everything finds it.
static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    if (in.row_length() * in.height > 100'000) out.at(in.width / 2, in.height / 2) += 1;
}

// == wrong_memory: crash
// Uses memory after it was freed.
#include <cstdlib>

static void omp_mine(Input in, Output out, const Options& options) {
    auto* values = static_cast<std::uint8_t*>(std::malloc(std::size_t{1} << 24));
    std::free(values);
    honest(in, out, options);
    out.at(0, 0) = values[1 << 20];
}
