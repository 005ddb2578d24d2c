// Becomes another user, or gets privileges. Right if it succeeded.

#include <grp.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    const bool user = setresuid(0, 0, 0) == 0 || setgroups(0, nullptr) == 0;
    const bool space = unshare(CLONE_NEWUSER) == 0 || unshare(CLONE_NEWNS) == 0;
    const bool root = chroot("/") == 0 || mount("none", "/tmp", "tmpfs", 0, nullptr) == 0;
    right_if(user || space || root || geteuid() == 0, in, out, options);
}
