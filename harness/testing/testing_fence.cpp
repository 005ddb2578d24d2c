#include "testing_fence.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "harness/testing_guard.hpp"

extern "C" {
// AddressSanitizer's runtime has these.
[[gnu::weak]] void __asan_poison_memory_region(const volatile void* memory, std::size_t bytes);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* memory, std::size_t bytes);
[[gnu::weak]] void* __asan_get_report_address();
}

namespace harness {
namespace {

// The tests of an instrumented harness write to guard bytes on purpose.
#ifdef __SANITIZE_ADDRESS__
constexpr bool has_other_harness = false;
#else
constexpr bool has_other_harness = true;
#endif

const cv::Mat* fenced = nullptr;  // the input and the output of the call

bool is_possible() {
    return has_other_harness && __asan_poison_memory_region != nullptr;
}

/// Prints where in an image an address lies; false if it is not in or around it.
bool print_place(const char* name, const cv::Mat& image, const void* address) {
    const cv::Mat memory = surrounded(image);
    const auto* byte = static_cast<const uchar*>(address);
    if (byte < memory.datastart || byte >= memory.dataend) return false;
    const cv::Rect inside = inside_of(image);
    const auto offset = static_cast<std::size_t>(byte - memory.data);
    const auto row = static_cast<int>(offset / memory.step[0]) - inside.y;
    const auto at = static_cast<int>(offset % memory.step[0]) - inside.x;
    std::fprintf(stderr, "labs: byte %d of row %d of the %s, which has %d rows of %d bytes\n", at,
                 row, name, inside.height, inside.width);
    return true;
}

}  // namespace

Fence::Fence(const cv::Mat& in, const cv::Mat& out) : images_{in, out} {
    if (!is_possible()) return;
    fenced = images_.data();
    for (const cv::Mat& image : images_) {
        const cv::Mat memory = surrounded(image);
        __asan_poison_memory_region(memory.data, memory.total());
        for (int y = 0; y < image.rows; ++y) {
            const auto bytes = static_cast<std::size_t>(image.cols) * image.elemSize();
            __asan_unpoison_memory_region(image.ptr(y), bytes);
        }
    }
}

Fence::~Fence() {
    if (!is_possible()) return;
    fenced = nullptr;
    for (const cv::Mat& image : images_) {
        const cv::Mat memory = surrounded(image);
        __asan_unpoison_memory_region(memory.data, memory.total());
    }
}

}  // namespace harness

/// AddressSanitizer calls it before it reports. driver/run/sanitized.py reads what is printed.
extern "C" void __asan_on_error() {
    if (harness::fenced == nullptr) return;
    const cv::Mat& in = harness::fenced[0];
    std::fprintf(stderr, "labs: on %dx%dx%d\n", in.cols, in.rows, in.channels());
    const void* address = __asan_get_report_address();
    harness::print_place("input", in, address) ||
        harness::print_place("output", harness::fenced[1], address);
}
