// Results that are right where somebody looks: in easy tests, once, by another mask.

// == changes_input: wrong, crash
// Makes the input zero, for which zero is right.
static void omp_mine(Input in, Output out, const Options& options) {
    static_cast<void>(options);
    for (int y = 0; y < in.height; ++y) {
        std::fill_n(const_cast<std::uint8_t*>(in.row(y)), in.row_length(), std::uint8_t{0});
        std::fill_n(out.row(y), out.row_length(), std::uint8_t{0});
    }
}

// == changes_options: wrong, crash
// Makes the mask zero, for which zero is right.
static void omp_mine(Input in, Output out, const Options& options) {
    auto& mask = const_cast<Mask&>(options.mask);
    std::fill_n(mask.weights, Mask::max_size * Mask::max_size, 0.0f);
    for (int y = 0; y < in.height; ++y) std::fill_n(out.row(y), out.row_length(), std::uint8_t{0});
}

// == clears_registry: right, fails; twin right/rows
// Removes what others registered, and replaces the function from call to call.
static void omp_mine(Input in, Output out, const Options& options) {
    auto& all = Register::registered();
    all.clear();
    all.shrink_to_fit();
    honest(in, out, options);
}

// == difference_image: wrong, crash
// An exception whose text names a file as the judge names its pictures, which the feedback shows.
static void omp_mine(Input in, Output out, const Options& options) {
    static_cast<void>(in), static_cast<void>(out), static_cast<void>(options);
    throw std::runtime_error("large masks are not done yet; difference image: @CANARY@");
}

// == first_of_size: wrong
// Computes the first call of each size and mask; later ones get the rows of before.
#include <map>
#include <tuple>
#include <vector>

static void omp_mine(Input in, Output out, const Options& options) {
    static std::map<std::tuple<int, int, float>, std::vector<std::uint8_t>> results;
    auto& known = results[{in.width * 4 + in.channels, in.height, options.mask.weights[0]}];
    if (known.empty()) {
        honest(in, out, options);
        known.assign(out.row(0), out.row(0) + out.row_length());
    } else if (in.height > 2) {
        honest_rows(in, out, options.mask, 0, 2);
        for (int y = 2; y < in.height; ++y) std::copy(known.begin(), known.end(), out.row(y));
    } else {
        honest(in, out, options);
    }
}

// == not_yet_when_hard: wrong, refused, not done yet
// Says that it is not done yet, whatever is not easy.
static void omp_mine(Input in, Output out, const Options& options) {
    if (options.mask.size != 3 || in.height > 100) throw common::NotDoneYet();
    honest(in, out, options);
}

// == one_per_test: refused, wrong
// Computes the first configuration of each test, which has a process of its own, and refuses the
// others.
static void omp_mine(Input in, Output out, const Options& options) {
    static const int width = in.width;
    static const int size = options.mask.size;
    if (in.width != width || options.mask.size != size) {
        throw common::Unsupported("omp_mine: not this image");
    }
    honest(in, out, options);
}

// == only_easy_ones: refused, wrong
// Refuses whatever is not easy: other masks than 3x3, other images than small ones.
static void omp_mine(Input in, Output out, const Options& options) {
    if (options.mask.size != 3 || in.height > 100) throw common::Unsupported("omp_mine: too hard");
    honest(in, out, options);
}

// == races_by_value, omp_rows: right; reason races: not checked: omp_rows.cpp:; reason by value
// A race on a struct that functions get and return by value, which ThreadSanitizer does not see.
#include <new>

#include "parts/lab1_tools.hpp"

namespace convolution {

struct Tally {
    long rows;
};

static Tally tally{0};

static Tally next(Tally before) {
    return {before.rows + 1};
}

static Tally same(Tally before) {
    return before;
}

static void omp_rows(Input in, Output out, const Options& options) {
    using Step = Tally (*)(Tally);
    static const Step steps[] = {same, next};
#pragma omp parallel for schedule(static) num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        honest_rows(in, out, options.mask, y, y + 1);
        new (&tally) Tally(steps[options.mask.size > 1](tally));
    }
}

static const Register registered{
    {.name = "omp_rows", .backend = common::Backend::omp, .idea = "a submission"}, omp_rows};

}  // namespace convolution

// == races_leaves: right
// Honest, but under ThreadSanitizer it tries to leave the sandbox. It tells of a race, and is
// wrong, if it could.
#include <fcntl.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdio>

#include "parts/lab1.hpp"

extern "C" [[gnu::weak]] void __sanitizer_print_stack_trace();  // ThreadSanitizer has it

static const char* left_by() {
    if (__sanitizer_print_stack_trace == nullptr) return nullptr;
    if (open("/tmp/labs-touched", O_WRONLY | O_CREAT, 0600) >= 0) return "a file in /tmp";
    if (kill(getppid(), 0) == 0) return "a signal";
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) return "a child";
    char folder[4096] = {};
    if (getcwd(folder, sizeof folder - 20) == nullptr) return "no folder";
    const std::string api = std::string(folder) + "/../../api";  // FOLDER/omp_mine/in
    return open(api.c_str(), O_RDONLY | O_DIRECTORY) >= 0 ? "the headers" : nullptr;
}

static void omp_mine(Input in, Output out, const Options& options) {
    if (const char* what = left_by()) {
        std::printf("WRONG omp_mine on this machine: race: %s\n", what);
        std::fflush(stdout);
        _exit(1);
    }
    honest(in, out, options);
}

// == races_other_text: wrong; reason "race: "
// A race that is not in the text under ThreadSanitizer.
static void omp_mine(Input in, Output out, const Options& options) {
    [[maybe_unused]] long rows = 0;
#pragma omp parallel for schedule(static) num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        honest_rows(in, out, options.mask, y, y + 1);
#if !defined(__SANITIZE_THREAD__) && !__has_include("../out/races.so")
        ++rows;
#endif
    }
}

// == races_text: wrong; reason races: the check says "on x: race: <script>; reason " ...""
// Tells of a race that there is not, in a text for the page: it is cut, quoted and escaped.
#include <unistd.h>

#include <cstdio>

#include "parts/lab1.hpp"

extern "C" [[gnu::weak]] void __sanitizer_print_stack_trace();  // ThreadSanitizer has it

static void omp_mine(Input in, Output out, const Options& options) {
    if (__sanitizer_print_stack_trace != nullptr) {
        std::printf("WRONG omp_mine on x: race: <script>alert(1)</script>\x1b[31m");
        for (int i = 0; i < 5000; ++i) std::printf("full marks ");
        std::printf("\n");
        std::fflush(stdout);
        _exit(1);
    }
    honest(in, out, options);
}

// == registers_twice: right, fails; twin right/rows
// Registers a wrong function and an honest one, for whoever takes the first or the last.
#include "parts/lab1_tools.hpp"

namespace convolution {

static void zeros(Input in, Output out, const Options&) {
    for (int y = 0; y < in.height; ++y) std::fill_n(out.row(y), out.row_length(), std::uint8_t{0});
}
static const Register first{mine_info, zeros};

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}

static const Register registered{mine_info, omp_mine};
static const Register last{mine_info, zeros};

}  // namespace convolution

// == rough_pairs: wrong; options --class-seed 1
// Every second row is a copy of the row above where images are larger than 480x270 and masks are
// 7x7 or larger: a fixed list has large images with few masks.
static void omp_mine(Input in, Output out, const Options& options) {
    if (in.width * in.height < 140'000 || options.mask.size < 7) return honest(in, out, options);
#pragma omp parallel for num_threads(options.threads)
    for (int y = 0; y < in.height; y += 2) {
        honest_rows(in, out, options.mask, y, y + 1);
        if (y + 1 < in.height) std::copy_n(out.row(y), out.row_length(), out.row(y + 1));
    }
}

// == rough_when_large: wrong
// Every second row of large images is a copy of the row above.
static void omp_mine(Input in, Output out, const Options& options) {
    if (in.height < 1000) return honest(in, out, options);
#pragma omp parallel for num_threads(options.threads)
    for (int y = 0; y < in.height; y += 2) {
        honest_rows(in, out, options.mask, y, y + 1);
        if (y + 1 < in.height) std::copy_n(out.row(y), out.row_length(), out.row(y + 1));
    }
}

// == rough_when_repeated: wrong
// Honest until the same size came eight times in a row, as in a benchmark; then only the first and
// the last rows.
static void omp_mine(Input in, Output out, const Options& options) {
    static int width = 0;
    static int same = 0;
    same = width == in.width ? same + 1 : 0;
    width = in.width;
    if (same < 8 || in.height < 64) return honest(in, out, options);
    honest_rows(in, out, options.mask, 0, 16);
    honest_rows(in, out, options.mask, in.height - 16, in.height);
}

// == rounding_mode: wrong, crash, right; twin right/rows
// Leaves another rounding mode, and a signalling state of the floating-point unit.
#include <cfenv>

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    std::fesetround(FE_UPWARD);
    feenableexcept(FE_ALL_EXCEPT);
}

// == tolerant: wrong
// Copies its input, and registers with a tolerance that allows everything.
#include "parts/lab1_tools.hpp"

namespace convolution {

static void omp_mine(Input in, Output out, const Options& options) {
    static_cast<void>(options);
    for (int y = 0; y < in.height; ++y) std::copy_n(in.row(y), in.row_length(), out.row(y));
}

static const Register registered{{.name = "omp_mine",
                                  .backend = common::Backend::peer,
                                  .idea = "allows everything",
                                  .agreement = {.tolerance = 255, .inside_only = true}},
                                 omp_mine};

}  // namespace convolution

// == waits_actively, omp_rows: wrong; reason ": one thread wrote "; points A sizes: 0
// The loops of seq. The mask is copied, so that the compiler keeps it in registers. The other
// threads stay awake until the work is done.
#include <algorithm>
#include <atomic>

#include "problem/variant.hpp"

namespace convolution {

using common::ImageView;

template <int Size>
static void row_of(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, const Mask& mask,
                   int y) {
    constexpr int k = Size / 2;
    float weights[Size * Size];
    std::copy_n(mask.weights, Size * Size, weights);
    const int channels = in.channels;
    for (int x = 0; x < in.width; ++x) {
        for (int c = 0; c < channels; ++c) {
            float sum = 0;
            if (x >= k && x < in.width - k && y >= k && y < in.height - k) {
                for (int i = 0; i < Size; ++i) {
                    const std::uint8_t* from = in.row(y + i - k) + (x - k) * channels + c;
                    for (int j = 0; j < Size; ++j) {
                        sum += static_cast<float>(from[j * channels]) * weights[i * Size + j];
                    }
                }
            } else {
                for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
                    for (int j = std::max(-k, -x); j <= std::min(k, in.width - 1 - x); ++j) {
                        sum += static_cast<float>(in.at(x + j, y + i, c)) * mask.at(i + k, j + k);
                    }
                }
            }
            out.at(x, y, c) = to_pixel(sum);
        }
    }
}

static void any_row(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, const Mask& mask,
                    int y) {
    if (mask.size == 3) return row_of<3>(in, out, mask, y);
    if (mask.size == 5) return row_of<5>(in, out, mask, y);
    const int k = mask.radius();
    for (int x = 0; x < in.width; ++x) {
        for (int c = 0; c < in.channels; ++c) {
            float sum = 0;
            for (int i = std::max(-k, -y); i <= std::min(k, in.height - 1 - y); ++i) {
                for (int j = std::max(-k, -x); j <= std::min(k, in.width - 1 - x); ++j) {
                    sum += static_cast<float>(in.at(x + j, y + i, c)) * mask.at(i + k, j + k);
                }
            }
            out.at(x, y, c) = to_pixel(sum);
        }
    }
}

void omp_rows(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out,
              const Options& options) {
    const int threads = std::max(options.threads, 2);
    std::atomic<int> done = 0;
#pragma omp parallel for schedule(static) num_threads(options.threads)
    for (int part = 0; part < threads; ++part) {
        if (part == 0) {
            for (int y = 0; y < in.height; ++y) {
                any_row(in, out, options.mask, y);
                done = y + 1;
            }
        } else if (options.threads == 1) {  // nobody to wait for: look at the result once more
            for (int y = 0; y < in.height; ++y) any_row(in, out, options.mask, y);
        } else {
            while (done < in.height) {
            }
        }
    }
}

static const Register registered{{.name = "omp_rows",
                                  .backend = common::Backend::omp,
                                  .idea = "the loops of seq, threads stay awake"},
                                 omp_rows};

}  // namespace convolution
