#include "device/report.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "harness/device.hpp"
#include "harness/machine.hpp"
#include "measure/least_time.hpp"

namespace harness {
namespace {

void print_kernels(const Lab& lab, const VariantInfo& variant) {
    const Problem problem =
        lab.problem(parse_source("scene:landscape:1920x1080"), variant, RunOptions{});
    const Job& job = problem.trials.front().job;
    if (!job.needs_transfers())
        return;  // does its own transfers; its kernels are those of other variants
    const cv::Mat in = input_of(lab, problem);
    const auto kernels =
        kernels_of(job, job.adapted_input(in), job.adapted_output(problem.output_shape(in)));
    for (const KernelFacts& kernel : kernels) {
        fmt::print("{:<20} {:<24} {:>9} {:>10} {:>9} {:>10} {:>9} {:>9.0f}%\n", variant.name,
                   kernel.name, kernel.registers, kernel.shared_bytes, kernel.local_bytes,
                   fmt::format("{}x{}x{}", kernel.block_x, kernel.block_y, kernel.block_z),
                   kernel.blocks_per_multiprocessor, 100 * kernel.occupancy);
    }
}

void print_gpu(const DeviceFacts& gpu) {
    fmt::print("GPU  {}, compute capability {}.{}, {} multiprocessors at up to {} MHz\n", gpu.name,
               gpu.compute_capability / 10, gpu.compute_capability % 10, gpu.multiprocessors,
               gpu.clock_mhz);
    fmt::print(
        "     {:.1f} GiB of memory, L2 cache {:.0f} MiB, {:.0f} KiB shared memory and {} "
        "threads per multiprocessor\n",
        static_cast<double>(gpu.memory_bytes) / (1u << 30),
        static_cast<double>(gpu.l2_bytes) / (1u << 20),
        static_cast<double>(gpu.shared_bytes_per_multiprocessor) / 1024,
        gpu.max_threads_per_multiprocessor);
    fmt::print("     driver for CUDA {}.{}, runtime {}.{}\n\n", gpu.driver_version / 1000,
               gpu.driver_version % 1000 / 10, gpu.runtime_version / 1000,
               gpu.runtime_version % 1000 / 10);
}

void print_all_kernels(const Lab& lab) {
    fmt::print("{:<20} {:<24} {:>9} {:>10} {:>9} {:>10} {:>9} {:>10}\n", "variant", "kernel",
               "registers", "shared [B]", "local [B]", "block", "blocks/SM", "occupancy");
    for (const VariantInfo& variant : lab.variants) {
        if (variant.backend == Backend::cuda && !why_unavailable(variant)) {
            print_kernels(lab, variant);
        }
    }
}

}  // namespace

void print_device(const Lab& lab) {
    fmt::print("CPU  {}\n", machine().cpu);
    const DeviceFacts& gpu = device_facts();
    if (!gpu.usable()) {
        fmt::print("GPU  none: {}\n", gpu.why_unusable);
    } else if (gpu.emulated) {
        fmt::print("GPU  none: emulated kernels run on the CPU and are checked, never timed\n");
    } else {
        print_gpu(gpu);
        for (const std::string& link : gpu_links()) fmt::print("     {}\n", link);
        print_all_kernels(lab);
    }
    std::fflush(stdout);  // the measurements take a while
    const Work work = large_work(lab);
    fmt::print("\n{}", least_times(work, measured_rates(work.bytes)));
}

}  // namespace harness
