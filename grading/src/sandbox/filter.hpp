#pragma once

#include "sandbox/descriptor.hpp"

namespace grading {

/// A file that contains the seccomp filter of all sandboxed programs, the compiler among them: no
/// sockets, no tracing, no namespaces, no mounts, no signals to other processes. The option
/// --seccomp of bubblewrap takes it. `on_gpu`: CUDA makes a local socket with its context, which is
/// there before the student's code is loaded.
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
