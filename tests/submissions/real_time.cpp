// For tests/real_time.sh alone.

// == spins: right
// Right, and wastes 3 s of all cores in each large call: tests/real_time.sh times it.
#include <chrono>

static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
    if (in.width < 1000) return;
#pragma omp parallel
    {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
        while (std::chrono::steady_clock::now() < end) {
        }
    }
}
