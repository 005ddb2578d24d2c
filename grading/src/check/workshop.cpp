#include "check/workshop.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "check/countable.hpp"
#include "check/files.hpp"
#include "common/error.hpp"

namespace grading {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t compile_seconds = 60;           // of CPU time
constexpr auto compile_time = std::chrono::minutes(4);  // a machine with other work takes longer
constexpr std::uint64_t compile_memory = std::uint64_t{2} << 30;
constexpr std::uint64_t most_output = 64 << 20;

/// The name of the file in the sandbox.
std::string file_name(const SubmittedFile& file) {
    return file.variant + (file.on_device ? ".cu" : ".cpp");
}

/// Folders of compilers that are not in /usr.
std::vector<fs::path> installations(const Settings& settings) {
    std::vector<fs::path> folders;
    for (const fs::path& compiler : {settings.compiler, settings.nvcc}) {
        const fs::path folder = compiler.parent_path().parent_path();
        if (!compiler.empty() && !folder.string().starts_with("/usr")) folders.push_back(folder);
    }
    return folders;
}

}  // namespace

Workshop::Workshop(const Settings& settings, const LabFacts& lab, const Lease& lease,
                   const Sandbox& sandbox)
    : settings_(settings),
      lab_(lab),
      user_(lease.user()),
      sandbox_(sandbox),
      folder_(lease.folder()) {
    for (const char* name : {"api", "bin", "modules"}) make_folder(folder_ / name);
    make_folder(folder_ / "judge", 0700);
    fs::copy_file(settings.worker(lab.number), folder_ / "bin/worker");
    fs::copy_file(settings.translator, folder_ / "bin/cuda_to_cpp");
    libraries_ = libraries_of(folder_ / "bin/worker");
    prepare_races();
    prepare_gpu();
}

void Workshop::prepare_gpu() {
    if (settings_.nvcc.empty()) {
        why_no_gpu_ = "built without CUDA";
        return;
    }
    gpu_ = find_gpu();
    if (!gpu_) {
        why_no_gpu_ = "no GPU is used";
        return;
    }
    fs::copy_file(settings_.gpu_worker(lab_.number), folder_ / "bin/gpu_worker");
    gpu_libraries_ = libraries_of(folder_ / "bin/gpu_worker");
    gpu_libraries_.insert(gpu_libraries_.end(), gpu_->libraries.begin(), gpu_->libraries.end());
}

/// The file grading/labN.headers has a path of the repository in each line; a folder stands for all
/// in it. They keep their places below "api", by which messages of the emulation know them. For the
/// emulation, those with kernels are translated.
void Workshop::copy_headers() const {
    std::ifstream list(settings_.source / lab_.headers());
    for (std::string line; std::getline(list, line);) {
        if (line.empty() || line.starts_with('#')) continue;
        const bool translated = !gpu_ && line.ends_with(".cuh") && line.starts_with(lab_.folder);
        const fs::path from =
            (translated ? settings_.build / "translated" : settings_.source) / line;
        const fs::path to = folder_ / "api" / line;
        fs::create_directories(to.parent_path());
        fs::copy(from, to, fs::copy_options::recursive);
    }
}

/// It registers no variant, and so its worker ends.
std::string Workshop::said_by_probe(bool on_device) const {
    try {
        const WorkerProcess worker(sandbox_, worker_files("probe", on_device), 0,
                                   Clock::now() + std::chrono::seconds(20));
        return worker.text();
    } catch (const common::Error& failed) {
        return failed.what();
    } catch (const WorkerFailed& failed) {
        return failed.what();
    }
}

void Workshop::probe() {
    fs::copy_file(settings_.build / "grade_probe.so", module_of("probe"));
    for (const bool on_gpu : {false, true}) {
        if (on_gpu && !gpu_) continue;
        std::string said = said_by_probe(on_gpu);
        const bool silent = said.find("probe: could ") == std::string::npos;
        const bool whole = said.find("probe: 15 attempts made") != std::string::npos;
        if (silent && whole) continue;
        std::replace(said.begin(), said.end(), '\n', ' ');
        said = printable(said, 1000);
        if (!on_gpu || !silent) {
            throw common::Failed("the sandbox does not hold, nothing is graded: " + said);
        }
        why_no_gpu_ = "the GPU does not work in the sandbox: " + said;
        gpu_.reset();
    }
    copy_headers();
}

WorkerFiles Workshop::worker_files(const std::string& variant, bool on_device) const {
    if (on_device && gpu_) {
        return {
            folder_ / "bin/gpu_worker", module_of(variant), variant, true, gpu_libraries_, gpu_};
    }
    return {folder_ / "bin/worker", module_of(variant), variant, on_device, libraries_};
}

/// Runs a command in the sandbox.
Compiled Workshop::run(const std::vector<std::string>& command, const Folders& folders,
                       std::string* printed) const {
    std::vector<fs::path> readable = installations(settings_);
    readable.insert(readable.end(), {"/usr", "/lib", "/lib64", "/bin", folder_ / "api",
                                     folder_ / "bin", folders.in});
    const auto process = sandbox_.start({.arguments = command,
                                         .folder = folders.in,
                                         .readable = readable,
                                         .writable = {folders.out},
                                         .limits = {.memory_bytes = compile_memory,
                                                    .address_bytes = compile_memory,
                                                    .file_bytes = most_output,
                                                    .processes = 64,
                                                    .cpu_seconds = compile_seconds}});
    const auto most = Clock::now() + compile_time;
    if (!process->wait(std::min(most, folders.deadline))) {
        return {"the compiler was killed, its time was over", true};
    }
    if (process->status() == 0) {
        if (printed != nullptr) *printed = process->text();
        return {};
    }
    if (process->ran_out_of_memory()) return {"the compiler used more than 2 GB of memory"};
    std::string said = printable(process->text());
    for (const std::string& path : {folders.out.string() + "/", folder_.string() + "/"}) {
        for (auto at = said.find(path); at != std::string::npos; at = said.find(path)) {
            said.erase(at, path.size());
        }
    }
    if (said.empty()) said = "the compiler ended with " + describe_status(process->status());
    // A submission that prints this itself is only not compiled a second time.
    const bool timed_out = said.find("CPU time limit exceeded") != std::string::npos;
    return {said, timed_out};
}

std::vector<std::string> Workshop::include_options() const {
    std::vector<std::string> options;
    for (const std::string& place : {std::string("common/include"), lab_.folder}) {
        options.insert(options.end(), {"-I", folder_ / "api" / place});
    }
    return options;
}

/// A module for a real GPU.
Compiled Workshop::make_gpu_module(const std::string& name, const Folders& folders) const {
    std::vector<std::string> command{settings_.nvcc,
                                     "-ccbin",
                                     settings_.compiler,
                                     "-std=c++20",
                                     "-O3",
                                     "-DNDEBUG",
                                     fmt::format("-arch=sm_{}", gpu_->capability),
                                     "--expt-relaxed-constexpr",
                                     "-Xcompiler=-fPIC,-fopenmp",
                                     "-cudart=shared",
                                     "-shared"};
    const std::vector<std::string> includes = include_options();
    command.insert(command.end(), includes.begin(), includes.end());
    command.insert(command.end(), {name, "-o", folders.out / "variant.so"});
    return run(command, folders);
}

/// A module for the CPU: kernels are translated, to be emulated.
Compiled Workshop::make_module(const SubmittedFile& file, const Folders& folders) const {
    const fs::path& out = folders.out;
    std::vector<std::string> compile{settings_.compiler,
                                     "-std=c++20",
                                     "-c",
                                     "-pipe",
                                     "-fPIC",
                                     "-fopenmp",
                                     "-DNDEBUG",
                                     "-fmax-errors=20",
                                     "-fdiagnostics-color=never"};
    const std::vector<std::string> includes = include_options();
    compile.insert(compile.end(), includes.begin(), includes.end());
    compile.insert(compile.end(), {"-I", folder_ / "api/emulation/include"});
    std::string source = file_name(file);
    if (file.on_device) {
        source = out / (file_name(file) + ".cpp");
        Compiled translated = run({folder_ / "bin/cuda_to_cpp", file_name(file), source}, folders);
        if (!translated.ok()) return translated;
        compile.insert(compile.end(), settings_.kernel_options.begin(),
                       settings_.kernel_options.end());
        compile.insert(compile.end(),
                       {"-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset",
                        "-fno-builtin-memcmp", "-U_FORTIFY_SOURCE"});  // memcpy, not __memcpy_chk
    } else {
        compile.emplace_back("-O3");
    }
    const std::string object = out / "variant.o";
    compile.insert(compile.end(), {source, "-o", object});
    Compiled compiled = run(compile, folders);
    if (!compiled.ok()) return compiled;
    std::vector<std::string> link{settings_.compiler, "-shared", "-fopenmp",
                                  "-fno-use-linker-plugin"};
    if (file.on_device) {  // copies in kernels are counted: src/worker/counted.cpp
        for (const char* name : {"memcpy", "memmove", "memset", "memcmp"}) {
            link.push_back(fmt::format("-Wl,--wrap={}", name));
        }
    }
    link.insert(link.end(), {object, "-o", out / "variant.so"});
    return run(link, folders);
}

/// The folders of a compilation, with the file.
Workshop::Folders Workshop::make_folders(const SubmittedFile& file,
                                         Clock::time_point deadline) const {
    const fs::path folder = folder_ / file.variant;
    Folders folders{folder / "in", folder / "out", deadline};
    for (const fs::path& path : {folder, folders.in, folders.out}) make_folder(path);
    if (user_) checked(chown(folders.out.c_str(), *user_, *user_), folders.out.string());
    write(folders.in / file_name(file), file.content);
    return folders;
}

Compiled Workshop::compile(const SubmittedFile& file, Clock::time_point deadline) const {
    const Folders folders = make_folders(file, deadline);
    Compiled compiled = file.on_device && gpu_ ? make_gpu_module(file_name(file), folders)
                                               : make_module(file, folders);
    const bool is_emulated = file.on_device && !gpu_;
    const bool is_taken =
        compiled.ok() &&
        take_over(folders.out / "variant.so", module_of(file.variant), most_output) &&
        (!is_emulated ||
         take_over(folders.out / "variant.o", object_of(file.variant), most_output));
    if (compiled.ok() && !is_taken) compiled.said = "the compiler wrote no module of at most 64 MB";
    std::error_code ignored;
    fs::remove_all(folders.out.parent_path(), ignored);
    return compiled;
}

/// Looks at the translated text and the symbols of the object: a module has static libraries' too.
std::string Workshop::why_not_counted(const SubmittedFile& file, Clock::time_point deadline) const {
    const Folders folders = make_folders(file, deadline);
    const std::string name = file_name(file) + ".cpp";
    std::vector<std::string> command{settings_.compiler, "-std=c++20", "-E", "-DNDEBUG",
                                     "-fopenmp"};
    const std::vector<std::string> includes = include_options();
    command.insert(command.end(), includes.begin(), includes.end());
    command.insert(command.end(), {"-I", folder_ / "api/emulation/include"});
    command.insert(command.end(), settings_.kernel_options.begin(), settings_.kernel_options.end());
    command.insert(command.end(), {folders.out / name, "-o", folders.out / "preprocessed"});
    const fs::path object = folders.in / "variant.o";
    fs::copy_file(object_of(file.variant), object);
    const fs::path taken = judge_folder() / "preprocessed";
    std::string symbols;
    const bool done =
        run({folder_ / "bin/cuda_to_cpp", file_name(file), folders.out / name}, folders).ok() &&
        run(command, folders).ok() && take_over(folders.out / "preprocessed", taken, most_output) &&
        run({"/usr/bin/nm", "-u", object}, folders, &symbols).ok();
    std::error_code ignored;
    fs::remove_all(folders.out.parent_path(), ignored);
    if (!done) return "the file could not be looked at";
    const std::string hides = hides_accesses(file.content, content_of(taken), file_name(file));
    if (!hides.empty()) return fmt::format("'{}' may hide accesses", printable(hides));
    const std::string symbol = forbidden_symbol(symbols);
    return symbol.empty() ? "" : fmt::format("it calls '{}'", printable(symbol));
}

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
