// Honest work: slow, fast, odd.

// == async: right
// Odd but right: std::async on a copy of the input, which has a border of zeros.
#include <future>
#include <vector>

static void omp_mine(Input in, Output out, const Options& options) {
    const int k = options.mask.radius();
    const int n = options.mask.size;
    const int width = in.width + 2 * k;
    std::vector<float> padded(static_cast<std::size_t>(width) * (in.height + 2 * k) * in.channels);
    const auto at = [&](int x, int y, int c) -> float& {
        return padded[(static_cast<std::size_t>(y) * width + x) * in.channels + c];
    };
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            for (int c = 0; c < in.channels; ++c) at(x + k, y + k, c) = in.at(x, y, c);
        }
    }
    const auto rows = [&](int begin, int end) {
        for (int y = begin; y < end; ++y) {
            for (int x = 0; x < in.width; ++x) {
                for (int c = 0; c < in.channels; ++c) {
                    float sum = 0;
                    for (int tap = 0; tap < n * n; ++tap) {
                        sum += at(x + tap % n, y + tap / n, c) * options.mask.weights[tap];
                    }
                    out.at(x, y, c) = to_pixel(sum);
                }
            }
        }
    };
    auto upper = std::async(std::launch::async, rows, 0, in.height / 2);
    rows(in.height / 2, in.height);
    upper.get();
}

// == avx2: right
// Fast: AVX2 intrinsics where the CPU has them, eight bytes of the interior at a time.
#include <immintrin.h>

__attribute__((target("avx2"))) static void eight(Input in, Output out, const Mask& mask, int y,
                                                  std::ptrdiff_t b) {
    const int k = mask.radius();
    __m256 sums = _mm256_setzero_ps();
    for (int i = -k; i <= k; ++i) {
        for (int j = -k; j <= k; ++j) {
            const auto* bytes = in.row(y + i) + b + j * in.channels;
            const __m128i loaded = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes));
            const __m256 values = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(loaded));
            sums =
                _mm256_add_ps(sums, _mm256_mul_ps(values, _mm256_set1_ps(mask.at(i + k, j + k))));
        }
    }
    float values[8];
    _mm256_storeu_ps(values, sums);
    std::transform(values, values + 8, out.row(y) + b, to_pixel);
}

static void omp_mine(Input in, Output out, const Options& options) {
    const bool vectors = __builtin_cpu_supports("avx2") != 0;
    const std::ptrdiff_t halo = std::ptrdiff_t{options.mask.radius()} * in.channels;
#pragma omp parallel for schedule(static) num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        std::ptrdiff_t begin = halo;
        if (!vectors || y < options.mask.radius() || y >= in.height - options.mask.radius()) {
            honest_rows(in, out, options.mask, y, y + 1);
            continue;
        }
        for (; begin + 8 <= in.row_length() - halo; begin += 8)
            eight(in, out, options.mask, y, begin);
        for (std::ptrdiff_t b = 0; b < in.row_length(); ++b) {
            if (b >= halo && b < begin) continue;
            const int x = static_cast<int>(b / in.channels);
            out.row(y)[b] = honest_value(in, options.mask, x, y, static_cast<int>(b % in.channels));
        }
    }
}

// == big_stack: right
// Odd but right: 4 MB on the stack.
static void omp_mine(Input in, Output out, const Options& options) {
    float values[1 << 20];
    if (in.row_length() > 1 << 20)
        throw common::Unsupported("omp_mine: rows of at most 2^20 bytes");
    const int k = options.mask.radius();
    for (int y = 0; y < in.height; ++y) {
        std::fill_n(values, in.row_length(), 0.0f);
        for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
            for (int j = -k; j <= k; ++j) {
                const int first = std::max(0, -j) * in.channels;
                const int last = (in.width - std::max(0, j)) * in.channels;
                for (int b = first; b < last; ++b) {
                    values[b] += static_cast<float>(in.row(y + i)[b + j * in.channels]) *
                                 options.mask.at(i + k, j + k);
                }
            }
        }
        std::transform(values, values + in.row_length(), out.row(y), to_pixel);
    }
}

// == clones_and_versions: right
// Odd but right: function versions by ifunc (target_clones), and a constructor with a side effect.
static int calls_before_main = 0;
__attribute__((constructor)) static void at_start() {
    ++calls_before_main;
}

__attribute__((target_clones("avx2", "default"))) static void one_row(Input in, Output out,
                                                                      const Mask& mask, int y) {
    honest_rows(in, out, mask, y, y + 1);
}

static void omp_mine(Input in, Output out, const Options& options) {
    if (calls_before_main != 1) throw std::logic_error("the constructor did not run");
#pragma omp parallel for schedule(guided) num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) one_row(in, out, options.mask, y);
}

// == counters_memcpy, cuda_per_pixel: right; counters B warps: 4
// Right: loads pixels with memcpy, which is counted like loads of bytes.
#include <cstring>

#include "parts/cuda_views_lab1.hpp"

using namespace convolution;

static __device__ float load(Input in, int x, int y, int c) {
    std::uint8_t pixel[3];
    std::memcpy(pixel, &in.at(x, y), in.channels);
    return pixel[c];
}

#include "parts/kernel_lab1.hpp"

static const Register registered{mine_info, honest};

// == counters_reached, cuda_per_pixel: right; counters B warps: 4
// Right: one thread for a pixel, so few enough warps.
#include "parts/cuda_lab1_tools.hpp"

namespace convolution {

static const Register registered{mine_info, honest};

}  // namespace convolution

// == cuda_own_stream, cuda_mine: right; gpu right
// Right: a stream of its own, which the given one waits for.
#include "common/scratch.hpp"
#include "parts/cuda_lab1.hpp"

static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    const cudaStream_t own = options.scratch->stream(0);
    const cudaEvent_t event = options.scratch->event(0);
    common::check(cudaEventRecord(event, stream));
    common::check(cudaStreamWaitEvent(own, event, 0));
    honest(in, out, options, own);
    common::check(cudaEventRecord(event, own));
    common::check(cudaStreamWaitEvent(stream, event, 0));
}

// == cuda_pixels, cuda_mine: right; gpu right
// Right: one thread per pixel. Twin of the cheats in CUDA.
static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    honest(in, out, options, stream);
}

// == cuda_waits, cuda_mine: right; gpu right
// Right: waits for its stream before it returns, which costs time and nothing else.
static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    honest(in, out, options, stream);
    common::check(cudaStreamSynchronize(stream));
}

// == dynamic: right
// Odd but right: nested teams, a dynamic schedule, columns outside.
#include <omp.h>

static void omp_mine(Input in, Output out, const Options& options) {
    omp_set_max_active_levels(2);
#pragma omp parallel for schedule(dynamic, 8) num_threads(options.threads)
    for (int x = 0; x < in.width; ++x) {
#pragma omp parallel for num_threads(2) if (in.height > 512)
        for (int y = 0; y < in.height; ++y) {
            for (int c = 0; c < in.channels; ++c) {
                out.at(x, y, c) = honest_value(in, options.mask, x, y, c);
            }
        }
    }
}

// == fast: right
// Fast: sums of a row in a buffer, one tap at a time, so that the compiler vectorises.
#include <vector>

static void add_tap(Input in, int y, int j, float weight, float* sums) {
    const std::ptrdiff_t shift = std::ptrdiff_t{j} * in.channels;
    const std::ptrdiff_t begin = std::max<std::ptrdiff_t>(0, -shift);
    const std::ptrdiff_t end = in.row_length() - std::max<std::ptrdiff_t>(0, shift);
    const std::uint8_t* row = in.row(y);
#pragma omp simd
    for (std::ptrdiff_t b = begin; b < end; ++b) {
        sums[b] += static_cast<float>(row[b + shift]) * weight;
    }
}

static void omp_mine(Input in, Output out, const Options& options) {
    const int k = options.mask.radius();
#pragma omp parallel num_threads(options.threads)
    {
        std::vector<float> sums(static_cast<std::size_t>(in.row_length()));
#pragma omp for schedule(static)
        for (int y = 0; y < in.height; ++y) {
            std::fill(sums.begin(), sums.end(), 0.0f);
            for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
                for (int j = -k; j <= k; ++j) {
                    add_tap(in, y + i, j, options.mask.at(i + k, j + k), sums.data());
                }
            }
            std::transform(sums.begin(), sums.end(), out.row(y), to_pixel);
        }
    }
}

// == gigabyte: right
// Odd but right: holds 1 GB.
#include <cstddef>
#include <vector>

static void omp_mine(Input in, Output out, const Options& options) {
    static const std::vector<std::byte> held(std::size_t{1} << 30, std::byte{1});
    if (held.back() != std::byte{1}) throw std::logic_error("the memory changed");
    honest(in, out, options);
}

// == lab2_columns: right
// Right: a scan along each row, then the rows are added from top to bottom.
#include "common/view.hpp"
#include "problem/variant.hpp"

namespace integral {

template <class Sum>
static void omp_mine(common::ImageView<const Pixel> in, common::ImageView<Sum> sums,
                     const Options& options) {
#pragma omp parallel for num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        Sum along_row = 0;
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

// == lab3_rows: right
// Right: the loops of seq, rows divided among the threads.
#include <algorithm>

#include "common/view.hpp"
#include "problem/variant.hpp"

namespace upscale {

static void omp_mine(common::ImageView<const std::uint8_t> in, common::ImageView<std::uint8_t> out,
                     const Options& options) {
    const Weights& weights = options.weights;
    const int r = weights.radius;
#pragma omp parallel for num_threads(options.threads)
    for (int Y = 0; Y < out.height; ++Y) {
        for (int b = 0; b < static_cast<int>(out.row_length()); ++b) {
            const int X = b / out.channels;
            float sum = 0;
            for (int j = -r; j <= r; ++j) {
                const int y = std::clamp(Y / 2 + j * direction(Y), 0, in.height - 1);
                float row = 0;
                for (int i = -r; i <= r; ++i) {
                    const int x = std::clamp(X / 2 + i * direction(X), 0, in.width - 1);
                    row += static_cast<float>(in.at(x, y, b % out.channels)) * weights.at(i);
                }
                sum += row * weights.at(j);
            }
            out.row(Y)[b] = to_pixel(sum);
        }
    }
}

static const Register registered{
    {.name = "omp_mine", .backend = common::Backend::omp, .idea = "the loops of seq"},
    omp_mine,
    Traits{.operations = direct_sum_operations, .slow = true}};

}  // namespace upscale

// == lab4_atomics: right
// Right, and slow: one atomic counter per level.
#include <atomic>

#include "common/view.hpp"
#include "problem/table.hpp"
#include "problem/variant.hpp"

namespace equalize {

static void omp_mine(common::ImageView<const std::uint8_t> in, common::ImageView<std::uint8_t> out,
                     const Options& options) {
    std::array<std::atomic<Count>, levels> counts{};
#pragma omp parallel for num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            counts[in.at(x, y)].fetch_add(1, std::memory_order_relaxed);
        }
    }
    Histogram histogram{};
    for (std::size_t level = 0; level < levels; ++level) histogram[level] = counts[level];
    const Table table = table_from_histogram(histogram);
#pragma omp parallel for num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) out.at(x, y) = table[in.at(x, y)];
    }
}

static const Register registered{
    {.name = "omp_mine", .backend = common::Backend::omp, .idea = "atomic counters"}, omp_mine};

}  // namespace equalize

// == lab4_cuda, cuda_mine: right; gpu right
// Right: a histogram in global memory, a table by one thread, a look-up.
static void cuda_mine(Input in, Output out, const Options& options, cudaStream_t stream) {
    honest(in, out, options, stream);
}

// == lab4_rows: right
// Honest: each thread counts its rows in a histogram of its own.
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
#pragma omp parallel for schedule(static) num_threads(options.threads) firstprivate(in, out, table)
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) out.at(x, y) = table[in.at(x, y)];
    }
}

static const Register registered{
    {.name = "omp_mine", .backend = common::Backend::omp, .idea = "a private histogram per thread"},
    omp_mine};

}  // namespace equalize

// == locks: right
// Odd but right: threads take rows from a queue behind a lock, and a task computes each row.
#include <omp.h>

static void omp_mine(Input in, Output out, const Options& options) {
    int next = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(options.threads)
    for (;;) {
        omp_set_lock(&lock);
        const int y = next++;
        omp_unset_lock(&lock);
        if (y >= in.height) break;
#pragma omp task firstprivate(y)
        for (int x = 0; x < in.width; ++x) {
            for (int c = 0; c < in.channels; ++c) {
                out.at(x, y, c) = honest_value(in, options.mask, x, y, c);
            }
        }
    }
    omp_destroy_lock(&lock);
}

// == number: right
// -- 77_omp_mine.cpp
// Odd but right: the number of the file is not the example's.

// == other_files: right
// - not_graded omp_rows.CPP is not called
// - not_graded the nearest expected name is omp_rows.cpp
// - not_graded parts/answers.txt.txt is not called
// - not_graded the nearest expected name is answers.txt
// - not_graded notes.txt is not called [NN_](omp|cuda)_NAME.(cpp|cu) or answers.txt
// - not_graded common/error.hpp is not
// Odd but right: the folder holds other files, two of them named as headers that this one includes.
// -- common/error.hpp
#error "not this header"
// -- problem/variant.hpp
#error "not this header"

// == other_name: right
// Odd but right: it registers under another name and as another backend. The name of the file
// counts.
#include "parts/lab1_tools.hpp"

namespace convolution {

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}

static const Register registered{
    {.name = "seq", .backend = common::Backend::seq, .idea = "a wrong name"}, omp_mine};

}  // namespace convolution

// == recursion: right
// Odd but right: OpenMP tasks halve the rows until one is left.
static void halve(Input in, Output out, const Mask& mask, int begin, int end) {
    if (end - begin <= 1) return honest_rows(in, out, mask, begin, end);
    const int middle = begin + (end - begin) / 2;
#pragma omp task
    halve(in, out, mask, begin, middle);
    halve(in, out, mask, middle, end);
#pragma omp taskwait
}

static void omp_mine(Input in, Output out, const Options& options) {
#pragma omp parallel num_threads(options.threads)
#pragma omp single
    halve(in, out, options.mask, 0, in.height);
}

// == rows: right
// The loops of seq, rows divided among the threads. Twin of the cheats of lab 1.

// == slow: right
// Slow: sleeps in every call.
#include <chrono>
#include <thread>

static void omp_mine(Input in, Output out, const Options& options) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    honest(in, out, options);
}

// == std_threads: right
// Odd but right: std::thread instead of OpenMP, new ones in every call.
#include <thread>
#include <vector>

static void omp_mine(Input in, Output out, const Options& options) {
    std::vector<std::jthread> threads;
    for (int t = 0; t < options.threads; ++t) {
        threads.emplace_back([&, t] {
            for (int y = t; y < in.height; y += options.threads) {
                honest_rows(in, out, options.mask, y, y + 1);
            }
        });
    }
}

// == tables: right
// Odd but right: static tables of products, made again when the mask differs.
#include <cstring>
#include <vector>

static void omp_mine(Input in, Output out, const Options& options) {
    static Mask known{};
    static std::vector<float> products;
    if (products.empty() || std::memcmp(&known, &options.mask, sizeof(Mask)) != 0) {
        known = options.mask;
        products.resize(Mask::max_size * Mask::max_size * 256);
        for (int tap = 0; tap < known.size * known.size; ++tap) {
            for (int v = 0; v < 256; ++v) {
                products[tap * 256 + v] = static_cast<float>(v) * known.weights[tap];
            }
        }
    }
    const int k = known.radius();
#pragma omp parallel for num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        for (int x = 0; x < in.width; ++x) {
            for (int c = 0; c < in.channels; ++c) {
                float sum = 0;
                for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
                    for (int j = std::max(-k, -x); j <= std::min(k, in.width - 1 - x); ++j) {
                        const int tap = (i + k) * known.size + j + k;
                        sum += products[tap * 256 + in.at(x + j, y + i, c)];
                    }
                }
                out.at(x, y, c) = to_pixel(sum);
            }
        }
    }
}

// == talkative: right
// Odd but right: prints in every call, catches its own exceptions, reads clock and environment.
#include <omp.h>
#include <cstdlib>
#include <iostream>

static void omp_mine(Input in, Output out, const Options& options) {
    try {
        const double start = omp_get_wtime();
        honest(in, out, options);
        const char* home = std::getenv("HOME");
        std::cout << in.width << 'x' << in.height << ": " << omp_get_wtime() - start << " s, "
                  << (home != nullptr ? home : "no home") << std::endl;
        std::cerr << "wrong? error? FAILED? [  FAILED  ] no" << std::endl;
        throw 7;
    } catch (int) {
    }
}

// == task_std_threads, omp_rows: right
// A task for several threads, by std::thread.
#include <algorithm>
#include <thread>
#include <vector>

#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

void omp_rows(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
              const Options& options) {
    const Mask& mask = options.mask;
    const int k = mask.radius();
    const auto work = [&](int first) {
        for (int y = first; y < in.height; y += options.threads) {
            for (int x = 0; x < in.width; ++x) {
                for (int c = 0; c < in.channels; ++c) {
                    float sum = 0;
                    for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
                        for (int j = std::max(-k, -x); j <= std::min(k, in.width - 1 - x); ++j) {
                            sum +=
                                static_cast<float>(in.at(x + j, y + i, c)) * mask.at(i + k, j + k);
                        }
                    }
                    out.at(x, y, c) = to_pixel(sum);
                }
            }
        }
    };
    std::vector<std::thread> team;
    for (int t = 1; t < options.threads; ++t) team.emplace_back(work, t);
    work(0);
    for (std::thread& thread : team) thread.join();
}

static const Register registered{{.name = "omp_rows",
                                  .backend = common::Backend::omp,
                                  .idea = "the loops of seq, rows divided among the threads"},
                                 omp_rows};

}  // namespace convolution

// == text_file: right
// Odd but right: prepare.sh gives this file a byte order mark, CR LF, and no newline at its end.
// Comments may hold anything: ümlaut, <script>, "quotes", */ and a backslash.

// == thread_pool: right
// Odd but right: a thread pool of its own, which lives from call to call.
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class Pool {
  public:
    explicit Pool(int size) {
        for (int i = 0; i < size; ++i) threads_.emplace_back([this, i, size] { work(i, size); });
    }
    ~Pool() {
        change([this] { stop_ = true; });
        for (std::thread& thread : threads_) thread.join();
    }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    void run(const std::function<void(int, int)>& part) {
        change([&] {
            part_ = &part;
            busy_ = static_cast<int>(threads_.size());
            ++round_;
        });
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return busy_ == 0; });
    }

  private:
    template <class Change>
    void change(Change set) {
        {
            const std::scoped_lock lock(mutex_);
            set();
        }
        changed_.notify_all();
    }
    void work(int i, int size) {
        for (int seen = 0;; ++seen) {
            {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [&] { return stop_ || round_ != seen; });
                if (stop_) return;
            }
            (*part_)(i, size);
            change([this] { --busy_; });
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    const std::function<void(int, int)>* part_ = nullptr;
    int round_ = 0;
    int busy_ = 0;
    bool stop_ = false;
    std::vector<std::thread> threads_;
};

static void omp_mine(Input in, Output out, const Options& options) {
    static Pool pool(2);
    pool.run([&](int part, int parts) {
        const auto first = [&](int p) {
            return static_cast<int>(std::int64_t{in.height} * p / parts);
        };
        honest_rows(in, out, options.mask, first(part), first(part + 1));
    });
}

// == two_files: right
// Right, beside a file that is wrong: each gets its own verdict.
// -- omp_other: wrong
// Wrong: all zeros.
static void omp_mine(Input in, Output out, const Options& options) {
    if (options.threads < 1) return;
    for (int y = 0; y < in.height; ++y) std::fill_n(out.row(y), out.row_length(), std::uint8_t{0});
}
