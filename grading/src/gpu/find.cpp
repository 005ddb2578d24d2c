#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>

#include "common/error.hpp"
#include "gpu/gpu.hpp"

namespace grading {
namespace {

namespace fs = std::filesystem;

/// grade_gpu.so beside this program, or nullptr: there is no driver, or the build has no CUDA.
void* driver_part() {
    static void* const part =
        dlopen((fs::read_symlink("/proc/self/exe").parent_path() / "grade_gpu.so").c_str(),
               RTLD_NOW | RTLD_LOCAL);
    return part;
}

template <class Function>
Function* function(const char* name) {
    void* const part = driver_part();
    return part == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(part, name));
}

/// Those of the driver that CUDA loads; there are more, for graphics.
constexpr std::string_view cuda_libraries[] = {"libcuda.so", "libnvidia-ptxjitcompiler.so",
                                               "libnvidia-nvvm.so", "libnvidia-gpucomp.so"};

bool is_device(const std::string& name) {
    constexpr std::string_view begin = "nvidia";
    if (name == "nvidiactl" || name == "nvidia-uvm") return true;
    return name.size() > begin.size() && name.starts_with(begin) &&
           std::all_of(name.begin() + begin.size(), name.end(),
                       [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::vector<fs::path> files_in(const fs::path& folder, bool (*wanted)(const std::string&)) {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
        if (wanted(entry.path().filename())) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// The folder of the driver's library, which this process has loaded.
fs::path driver_folder() {
    const link_map* loaded = nullptr;
    void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (driver == nullptr || dlinfo(driver, RTLD_DI_LINKMAP, &loaded) != 0) return {};
    return fs::path(loaded->l_name).parent_path();
}

}  // namespace

void to_json(nlohmann::json& to, const GpuAccess& access) {
    to = {{"devices", access.devices},
          {"libraries", access.libraries},
          {"library_path", access.library_path},
          {"capability", access.capability},
          {"share", access.share}};
}

void from_json(const nlohmann::json& from, GpuAccess& access) {
    for (const std::string path : from.at("devices")) access.devices.emplace_back(path);
    for (const std::string path : from.at("libraries")) access.libraries.emplace_back(path);
    access.library_path = from.at("library_path");
    access.capability = from.at("capability");
    access.share = from.at("share");
}

std::optional<GpuAccess> find_gpu() {
    const char* setting = std::getenv("LABS_GRADE_GPU");
    const std::string wanted = setting == nullptr ? "" : setting;
    auto* const capability = function<int()>("grade_gpu_capability");
    if (wanted == "off" || capability == nullptr) return std::nullopt;
    GpuAccess access;
    access.capability = capability();
    if (access.capability == 0) return std::nullopt;
    access.share = wanted != "copies";
    access.devices = files_in("/dev", is_device);
    const fs::path folder = driver_folder();
    access.libraries = files_in(folder, [](const std::string& name) {
        return std::ranges::any_of(cuda_libraries,
                                   [&](std::string_view begin) { return name.starts_with(begin); });
    });
    access.library_path = folder;
    return access;
}

std::unique_ptr<GpuMemory> allocate_on_gpu(std::size_t bytes) {
    auto* const allocate = function<GpuMemory*(std::size_t)>("grade_gpu_allocate");
    if (allocate == nullptr) throw common::Failed("the GPU's driver cannot be loaded");
    return std::unique_ptr<GpuMemory>(allocate(bytes));
}

}  // namespace grading
