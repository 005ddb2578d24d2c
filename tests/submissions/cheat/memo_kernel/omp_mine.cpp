// Leaves the results for the next process: in a key ring, in segments, queues and semaphores of
// the kernel, which outlive their process. Right if it succeeded.

#include <fcntl.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    const bool key = syscall(SYS_add_key, "user", "labs", "x", 1, -4) > 0;  // -4: of the user
    const bool segment = shmget(0x6c616273, 4096, IPC_CREAT | 0666) >= 0;
    const bool queue = msgget(0x6c616273, IPC_CREAT | 0666) >= 0;
    const bool semaphore = semget(0x6c616273, 1, IPC_CREAT | 0666) >= 0;
    const bool posix = mq_open("/labs", O_CREAT | O_RDWR, 0666, nullptr) >= 0;
    right_if(key || segment || queue || semaphore || posix, in, out, options);
}
