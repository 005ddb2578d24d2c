#pragma once

#include "sandbox/descriptor.hpp"

#pragma GCC visibility push(hidden)  // from modules of students

namespace grading {

/// A file that contains a seccomp filter, as the option --seccomp of bubblewrap takes it: what g++,
/// nvcc, their assemblers and linkers call, and a worker that starts. Whatever is not named does
/// not exist. `on_gpu` is for workers with a GPU: CUDA calls more while it makes its context,
/// before the student's code is loaded, so this one only names what is refused: sockets but local
/// ones, tracing, namespaces, mounts, signals to other processes.
Descriptor base_filter(bool on_gpu);

/// Restricts this process, for ever, to what an image algorithm needs: memory, threads of this
/// process, clocks, reading of files, and the descriptors 1 and 2 to write to and `channel` to send
/// on. Whatever is not named is refused, so that a system call that this list does not know, or a
/// new one, is no way out. In particular no signal can arrive that makes a stopped process continue
/// (timers, asynchronous I/O), and nothing writes into memory while its threads are stopped. With a
/// GPU, the driver's calls are allowed too, its own threads have only the filter of the sandbox,
/// and its kernels do run while the process is stopped.
void apply_worker_filter(int channel, bool on_gpu);

}  // namespace grading

#pragma GCC visibility pop
