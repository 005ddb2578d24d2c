// Variants of the repository: those that try the tools, and the references of speeds.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "check/files.hpp"
#include "check/workshop.hpp"
#include "common/error.hpp"

namespace grading {

namespace fs = std::filesystem;

SubmittedFile Workshop::known_good(bool on_device) const {
    const fs::path file = file_of_variant(on_device ? lab_.first_kernel : lab_.first_loop);
    return {on_device ? "known_good_kernel" : "known_good", file.filename(), on_device,
            content_of(file)};
}

void Workshop::check_tools(bool on_device) const {
    const std::uintmax_t room = fs::space(folder_).available;
    if (room < 4 * most_output) {
        throw MachineFault(fmt::format("{}: {} MB are free, a compilation may need {}",
                                       folder_.string(), room >> 20, most_output >> 18));
    }
    const SubmittedFile file = known_good(on_device);
    const Compiled compiled = compile(file, Clock::now() + compile_time);
    if (compiled.ok()) return;
    std::string said = printable(compiled.said, 500);
    std::replace(said.begin(), said.end(), '\n', ' ');
    throw MachineFault(fmt::format("{} of the repository does not compile: {}", file.file, said));
}

/// The file in the ladder with this variant, or that of a library's kernels.
fs::path Workshop::file_of_variant(const std::string& variant) const {
    if (variant.starts_with("peer_")) {
        return settings_.source / lab_.folder / "libraries" / (variant.substr(5) + ".cu");
    }
    for (const auto& entry : fs::directory_iterator(settings_.source / lab_.folder / "ladder")) {
        const std::string stem = entry.path().stem();
        const auto digits = stem.find_first_not_of("0123456789");
        const std::string extension = entry.path().extension();
        if (digits == std::string::npos || stem.substr(digits) != "_" + variant) continue;
        if (extension == ".cpp" || extension == ".cu") return entry.path();
    }
    throw common::Failed(lab_.folder + "/ladder: has no variant " + variant);
}

WorkerFiles Workshop::reference(const std::string& variant) const {
    const fs::path file = file_of_variant(variant);
    const bool on_device = file.extension() == ".cu";
    if (on_device && !gpu_) throw common::Failed(variant + ": is not timed without a GPU");
    const std::string kind = on_device ? fmt::format("sm_{}", gpu_->capability) : "host";
    const fs::path kept = settings_.build / "references" / lab_.folder / kind / (variant + ".so");
    const bool fresh =
        fs::exists(kept) && fs::last_write_time(kept) > fs::last_write_time(file) &&
        fs::last_write_time(kept) > fs::last_write_time(settings_.worker(lab_.number));
    const std::string name = "reference_" + variant;
    if (!fresh) {
        const Compiled compiled = compile({name, file.filename(), on_device, content_of(file)},
                                          Clock::now() + compile_time);
        if (!compiled.ok()) throw MachineFault("reference " + variant + ": " + compiled.said);
        fs::create_directories(kept.parent_path());
        const fs::path beside = kept.string() + "." + std::to_string(getpid());
        fs::copy_file(module_of(name), beside);
        fs::rename(beside, kept);
    } else {
        fs::copy_file(kept, module_of(name), fs::copy_options::overwrite_existing);
    }
    WorkerFiles files = worker_files(name, on_device);
    files.name = variant;
    return files;
}

}  // namespace grading
