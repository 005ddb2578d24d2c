// Fault: it waits for something that never happens, without using the CPU meanwhile.

#include <chrono>
#include <thread>

#include "common/view.hpp"
#include "options.hpp"

namespace convolution {

using common::ImageView;

void omp_hangs(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, const Options&) {
    volatile bool done = false;
    while (!done) std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

}  // namespace convolution
