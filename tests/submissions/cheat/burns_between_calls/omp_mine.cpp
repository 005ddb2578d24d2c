// Threads that never rest slow down the references and the judge.

#include <atomic>
#include <thread>

#include "parts/lab1.hpp"

static std::atomic<bool> working = false;

static void omp_mine(Input in, Output out, const Options& options) {
    static const bool started = [] {
        for (int i = 0; i < 8; ++i) {
            std::thread([] {
                for (volatile std::uint64_t n = 0;; n = n + 1) {
                    if (working) std::this_thread::yield();
                }
            }).detach();
        }
        return true;
    }();
    working = started;
    honest(in, out, options);
    working = false;
}
