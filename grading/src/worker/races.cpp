// The program that runs a variant under ThreadSanitizer is restricted as a worker is.

#include "sandbox/filter.hpp"

extern "C" void confine_races();  // races_main.cpp calls it

void confine_races() {
    constexpr int no_channel = -1;
    grading::apply_worker_filter(no_channel, false);
}
