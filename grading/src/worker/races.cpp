// The program that runs a variant under ThreadSanitizer is restricted as a worker is.

#include "sandbox/filter.hpp"

/// harness/testing/races_main.cpp calls it.
extern "C" void labs_confine();
extern "C" void labs_confine() {
    constexpr int no_channel = -1;
    grading::apply_worker_filter(no_channel, false);
}
