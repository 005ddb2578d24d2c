// The compiler and the linker: what the sandbox of a build holds, and names of the judge.

// == calls_helper: wrong, crash, does not compile
// Declares a function of a solution, which a program of the grading may have for its references.
namespace convolution {

struct Decomposition {
    int size = 1;
    bool in_16_bits = false;
    float scale = 1;
    int shift = -1;
    int divisor = 0;
    int bias = 0;
    bool separable = false;
    float centre = 0;
    float column[Mask::max_size] = {};
    float row[Mask::max_size] = {};
    float weights[Mask::max_size * Mask::max_size] = {};
};
Decomposition decompose(const Mask& mask);

}  // namespace convolution

static void omp_mine(Input in, Output out, const Options& options) {
    const Decomposition parts = decompose(options.mask);
    if (parts.size == options.mask.size) honest(in, out, options);
}

// == calls_variant: does not compile, crash, refused
// Calls the teacher's variant, if it was linked.
void omp_separable(Input in, Output out, const Options& options);

static void omp_mine(Input in, Output out, const Options& options) {
    omp_separable(in, out, options);
}

// == clock: right, fails; twin right/rows
// Defines the clock, so that no time passes.
#include <sys/time.h>
#include <ctime>

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}

extern "C" {
int clock_gettime(clockid_t, timespec* time) {
    *time = {1, 1};
    return 0;
}
int gettimeofday(timeval* time, void*) noexcept {
    *time = {1, 1};
    return 0;
}
std::clock_t clock() noexcept {
    return 1;
}
double omp_get_wtime() {
    return 1;
}
}

// == compiler_message: does not compile
// The compiler's messages hold HTML and terminal codes.
#pragma message "</pre><script>alert('labs')</script>\x1b[2J ]]></testcase>"
static_assert(sizeof(int) == 5, "</pre><script>alert('labs')</script> ]]></testcase>");

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}

// == compiles_for_ever: does not compile
// A template that takes the compiler hours, or all memory.
template <long Path, int Depth>
constexpr long tree() {
    if constexpr (Depth == 0)
        return Path + 1;
    else
        return tree<2 * Path, Depth - 1>() + tree<2 * Path + 1, Depth - 1>();
}

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    static_assert(tree<0, 60>() > 0);
}

// == has_include: fails, does not compile
// Asks the compiler whether files exist. Right if one does that the sandbox ought not to have.
static void omp_mine(Input in, Output out, const Options& options) {
#if __has_include("@CANARY@") || __has_include("/etc/passwd")
    right_if(true, in, out, options);
#else
    right_if(false, in, out, options);
#endif
}

// == incbin: does not compile
// The assembler includes a file of the machine.
asm(R"(.pushsection .rodata
secret: .incbin "@CANARY@"
.popsection)");
extern "C" const char secret[];

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    static_cast<void>(secret);
}

// == includes_canary: does not compile
// Includes a file of the machine: the compiler prints it in its messages.
#include "@CANARY@"

// == includes_environment: does not compile, right; twin right/rows
// The compiler prints its environment. (GCC takes a file of /proc for an empty one.)
#include "/proc/1/environ"
#include "/proc/self/cmdline"
#include "/proc/self/environ"

// == includes_itself: does not compile
// The file includes itself.
#include __FILE__

// == includes_opencv: does not compile, crash, refused
// Calls the library that the teacher has installed.
#include <opencv2/imgproc.hpp>

static void omp_mine(Input in, Output out, const Options& options) {
    cv::Mat result;
    const cv::Mat image(in.height, in.width, CV_8UC(in.channels),
                        const_cast<std::uint8_t*>(in.data));
    cv::Mat mask(options.mask.size, options.mask.size, CV_32F,
                 const_cast<float*>(options.mask.weights));
    cv::filter2D(image, result, CV_32F, mask, {-1, -1}, 0, cv::BORDER_CONSTANT);
    honest(in, out, options);
}

// == includes_oracle: does not compile
// Includes the definition of the right result.
#include "problem/oracle.cpp"
#include "problem/oracle.hpp"

// == includes_variant: does not compile
// Includes the teacher's fastest variant.
#include "ladder/09_omp_separable.cpp"

// == includes_zeros: does not compile
// The compiler reads a file without end.
#include "/dev/zero"

// == large_object: does not compile
// An object file of 4 GB.
__attribute__((used)) static char large[std::size_t{1} << 32] = {1};

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);

    static_cast<void>(large[in.width]);
}

// == linker: right, does not compile, crash; twin right/rows
// Asks the linker for a library, a run path and an interpreter from within the file.
asm(R"(.pushsection .note.GNU-stack,"x",@progbits
.popsection
.pushsection .deplibs,"MS",@llvm_dependent_libraries,1
.asciz "opencv_imgproc"
.popsection
.pushsection .interp,"a"
.asciz "/tmp/x"
.popsection)");

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}

// == many_errors: does not compile
// A hundred megabytes of error messages.
#define TEN(x) x x x x x x x x x x
TEN(TEN(TEN(TEN(TEN(static_assert(false, "an error message of some length, again and again");)))))

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}

// == opens_opencv: fails
// Calls the library that the teacher has installed. Right if it succeeded.
#include <dlfcn.h>

static void omp_mine(Input in, Output out, const Options& options) {
    void* library = nullptr;
    for (const char* name : {"libopencv_imgproc.so", "libopencv_imgproc.so.406",
                             "libopencv_imgproc.so.410", "libopencv_core.so.406"}) {
        if (library == nullptr) library = dlopen(name, RTLD_NOW);
    }
    right_if(library != nullptr && dlsym(library, "cvFilter2D") != nullptr, in, out, options);
}

// == plugin: right, does not compile; twin right/rows
// Asks the compiler for a plugin, and for options, from within the file.
#pragma GCC plugin "/tmp/x.so"
#pragma GCC optimize("plugin=/tmp/x.so")
#pragma GCC optimize("Ofast,unroll-loops")

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}

// == symbols: wrong, crash, does not compile, timeout
// Defines what a judge in the same process would call: comparison, copy, report, main.
#include <cstdlib>
#include <cstring>

static void omp_mine(Input in, Output out, const Options& options) {
    static_cast<void>(options);
    for (int y = 0; y < in.height; ++y) std::fill_n(out.row(y), out.row_length(), std::uint8_t{0});
}

extern "C" int memcmp(const void*, const void*, std::size_t) noexcept {
    return 0;
}
extern "C" int strcmp(const char*, const char*) noexcept {
    return 0;
}
extern "C" void abort() noexcept {
    std::_Exit(0);
}
int main() {}

namespace harness {
bool compare(...) {
    return true;
}
bool check_call(...) {
    return true;
}
bool same(...) {
    return true;
}
}  // namespace harness

namespace testing {
bool Test_HasFailure() {
    return false;
}
namespace internal {
void ReportFailure(...) {}
}  // namespace internal
}  // namespace testing

// == weak_oracle: wrong, crash, does not compile
// Calls the definition of the right result, if it was linked. Right if it was.
__attribute__((weak)) void bounds();
__attribute__((weak)) void omp_best(Input in, Output out, const Options& options);

static void omp_mine(Input in, Output out, const Options& options) {
    right_if(bounds != nullptr || omp_best != nullptr, in, out, options);
}
