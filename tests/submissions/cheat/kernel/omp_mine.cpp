// Opens large parts of the kernel that a filter ought not to leave open. Right if it succeeded.

#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    perf_event_attr event{};
    event.size = sizeof(event);
    event.exclude_kernel = 1;
    io_uring_params ring{};
    const long faults = syscall(SYS_userfaultfd, O_CLOEXEC | 1);
    const bool open = syscall(SYS_io_uring_setup, 4, &ring) >= 0 || faults >= 0 ||
                      syscall(SYS_perf_event_open, &event, 0, -1, -1, 0) >= 0 ||
                      syscall(SYS_bpf, 0, nullptr, 0) >= 0 || syscall(SYS_keyctl, 0, -3, 1) > 0;
    right_if(open, in, out, options);
}
