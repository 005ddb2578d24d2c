#pragma once

// The GPU as the grader sees it. What calls the driver is a shared object of its own,
// grade_gpu.so, so that the grader's programs start where there is no driver.

#include <cstddef>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace grading {

/// Some bytes out of GPU memory: `lines` times sample_bytes, `stride` apart.
struct Sample {
    std::size_t offset = 0;
    std::size_t stride = 0;
    std::size_t lines = 0;
};
inline constexpr std::size_t sample_bytes = 64;
inline constexpr std::size_t most_sampled_bytes = 4 << 20;  ///< of all samples of a call

/// GPU memory of this process which another process can map, with page-locked host memory of the
/// same size for its content.
class GpuMemory {
  public:
    virtual ~GpuMemory() = default;
    virtual std::size_t size() const = 0;
    virtual std::span<std::byte> host() = 0;
    virtual int descriptor() const = 0;  ///< a process that gets it can map the memory

    /// Copies the first bytes of host() to the GPU, or back.
    virtual void upload(std::size_t bytes) = 0;
    virtual void download(std::size_t bytes) = 0;

    /// Copies the samples one after the other. The result lasts until the next call.
    virtual std::span<const std::byte> sample(std::span<const Sample> samples) = 0;

    /// The time of a copy of the first half to the second one.
    virtual double copy_ms() = 0;
};

/// The files that a process needs for CUDA; all have to be visible in the sandbox.
struct GpuAccess {
    std::vector<std::filesystem::path> devices{};
    std::vector<std::filesystem::path> libraries{};  ///< of the driver
    std::string library_path{};                      ///< for the loader
    int capability = 0;                              ///< 90: compute capability 9.0
    bool share = true;                               ///< try to share memory with workers
};

void to_json(nlohmann::json& to, const GpuAccess& access);
void from_json(const nlohmann::json& from, GpuAccess& access);

/// Returns nothing if no GPU answers or LABS_GRADE_GPU is `off`. With `copies`, memory is not
/// shared.
std::optional<GpuAccess> find_gpu();

/// Throws Failed.
std::unique_ptr<GpuMemory> allocate_on_gpu(std::size_t bytes);

}  // namespace grading
