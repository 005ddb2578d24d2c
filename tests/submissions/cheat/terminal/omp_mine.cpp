// Types into the terminal from which the judge was started. Right if it succeeded.

#include <fcntl.h>
#include <sys/ioctl.h>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    const int terminal = open("/dev/tty", O_RDWR);
    char letter = ' ';
    bool typed = false;
    for (const int fd : {terminal, 0, 1, 2}) typed |= ioctl(fd, TIOCSTI, &letter) == 0;
    right_if(typed, in, out, options);
}
