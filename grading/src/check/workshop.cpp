#include "check/workshop.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "check/countable.hpp"
#include "check/files.hpp"
#include "check/tested.hpp"
#include "check/unseen.hpp"
#include "common/error.hpp"

namespace grading {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t compile_seconds = 60;  // of CPU time
constexpr std::uint64_t compile_memory = std::uint64_t{2} << 30;

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

/// The headers that students have (driver/tools/starter.py: write_headers). They keep their places
/// below "api", by which messages of the emulation know them. For the emulation, those with kernels
/// are translated.
void Workshop::copy_headers() const {
    const fs::path api = folder_ / "api";
    fs::copy(settings_.api(lab_.number), api, fs::copy_options::recursive);
    if (gpu_) return;
    for (const auto& entry : fs::recursive_directory_iterator(api / lab_.folder)) {
        const fs::path translated =
            settings_.build / "translated" / entry.path().lexically_relative(api);
        if (entry.path().extension() == ".cuh" && fs::exists(translated)) {
            fs::copy_file(translated, entry.path(), fs::copy_options::overwrite_existing);
        }
    }
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

/// The compiler for a real GPU.
std::vector<std::string> Workshop::gpu_compiler() const {
    std::vector<std::string> command{settings_.nvcc,
                                     "-ccbin",
                                     settings_.compiler,
                                     "-std=c++20",
                                     "-O3",
                                     "-DNDEBUG",
                                     fmt::format("-arch=sm_{}", gpu_->capability),
                                     "--expt-relaxed-constexpr",
                                     "-Xcompiler=-fPIC,-fopenmp",
                                     "-cudart=shared"};
    const std::vector<std::string> includes = include_options();
    command.insert(command.end(), includes.begin(), includes.end());
    return command;
}

/// A module for a real GPU.
Compiled Workshop::make_gpu_module(const std::string& name, const Folders& folders) const {
    std::vector<std::string> command = gpu_compiler();
    command.insert(command.end(), {"-shared", name, "-o", folders.out / "variant.so"});
    return run(command, folders);
}

/// The compiler for the CPU, where kernels are emulated.
std::vector<std::string> Workshop::cpu_compiler(bool on_device) const {
    std::vector<std::string> command{
        settings_.compiler, "-std=c++20", "-pipe",           "-fPIC",
        "-fopenmp",         "-DNDEBUG",   "-fmax-errors=20", "-fdiagnostics-color=never"};
    for (const char* name : {"DATE", "TIME", "TIMESTAMP"}) {  // the text is the same each time
        command.push_back(fmt::format("-D__{}__=\"\"", name));
    }
    command.emplace_back("-Wno-builtin-macro-redefined");
    const std::vector<std::string> includes = include_options();
    command.insert(command.end(), includes.begin(), includes.end());
    command.insert(command.end(), {"-I", folder_ / "api/emulation/include"});
    if (!on_device) {
        command.emplace_back("-O3");
        return command;
    }
    command.insert(command.end(), settings_.kernel_options.begin(), settings_.kernel_options.end());
    command.insert(command.end(), {"-U_FORTIFY_SOURCE"});  // memcpy, not __memcpy_chk
    const std::vector<std::string> shown = options_of_unseen();
    command.insert(command.end(), shown.begin(), shown.end());
    return command;
}

/// Options for the compiler, so that `unseen_access` knows the accesses: copies are calls, and the
/// folder of the output gets a dump.
std::vector<std::string> Workshop::options_of_unseen() {
    return {"-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset",
            "-fno-builtin-memcmp", "-fdump-tree-optimized-raw-lineno-asmname=../out/dump"};
}

/// The text that is looked at and compiled, wherever the file is: a second time the preprocessor
/// could give another one.
Compiled Workshop::preprocess_in(const SubmittedFile& file, const Folders& folders) const {
    const fs::path text = folders.out / "variant.ii";
    const bool on_gpu = file.on_device && gpu_;
    std::vector<std::string> command = on_gpu ? gpu_compiler() : cpu_compiler(file.on_device);
    std::string source = file_name(file);
    if (file.on_device && !on_gpu) {
        source = folders.out / (file_name(file) + ".cpp");
        Compiled translated = run({folder_ / "bin/cuda_to_cpp", file_name(file), source}, folders);
        if (!translated.ok()) return translated;
    }
    command.insert(command.end(), {"-E", source, "-o", text});
    Compiled done = run(command, folders);
    if (done.ok() && !take_over(text, made_of(file.variant, ".ii"), most_output)) {
        return {"the preprocessor wrote no text of at most 64 MB"};
    }
    return done;
}

/// Compiles the text of the file to an object file.
Compiled Workshop::compile_text(const SubmittedFile& file, const Folders& folders,
                                std::vector<std::string> compiler) const {
    const fs::path text = folders.in / "variant.ii";  // where the sandbox cannot write
    fs::copy_file(made_of(file.variant, ".ii"), text);
    compiler.insert(compiler.end(), {"-c", text, "-o", folders.out / "variant.o"});
    return run(compiler, folders);
}

/// A module for the CPU.
Compiled Workshop::make_module(const SubmittedFile& file, const Folders& folders) const {
    const fs::path& out = folders.out;
    Compiled compiled = preprocess_in(file, folders);
    if (compiled.ok()) compiled = compile_text(file, folders, cpu_compiler(file.on_device));
    if (!compiled.ok()) return compiled;
    std::vector<std::string> link{settings_.compiler, "-shared", "-fopenmp",
                                  "-fno-use-linker-plugin"};
    if (file.on_device) {  // copies in kernels are counted: src/worker/counted.cpp
        for (const char* name : {"memcpy", "memmove", "memset", "memcmp"}) {
            link.push_back(fmt::format("-Wl,--wrap={}", name));
        }
    }
    link.insert(link.end(), {out / "variant.o", "-o", out / "variant.so"});
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
    for (const char* name : {"variant.ii", "variant.so"}) {
        if (!file.on_device || !gpu_) break;
        // nvcc preprocesses by itself. It sees these files whether it compiles or not.
        write(folders.out / name, "");
        if (user_) checked(chown((folders.out / name).c_str(), *user_, *user_), name);
    }
    return folders;
}

Compiled Workshop::compile(const SubmittedFile& file, Clock::time_point deadline) const {
    const Folders folders = make_folders(file, deadline);
    Compiled compiled = file.on_device && gpu_ ? make_gpu_module(file_name(file), folders)
                                               : make_module(file, folders);
    std::vector<std::pair<const char*, fs::path>> outputs{{"variant.so", module_of(file.variant)}};
    if (file.on_device && !gpu_) {
        outputs.emplace_back("variant.o", made_of(file.variant, ".o"));
        outputs.emplace_back("dump", made_of(file.variant, ".dump"));
    }
    const bool is_taken =
        compiled.ok() && std::ranges::all_of(outputs, [&](const auto& output) {
            return take_over(folders.out / output.first, output.second, most_output);
        });
    if (compiled.ok() && !is_taken) compiled.said = "the compiler wrote no module of at most 64 MB";
    std::error_code ignored;
    fs::remove_all(folders.out.parent_path(), ignored);
    return compiled;
}

Compiled Workshop::preprocess(const SubmittedFile& file, Clock::time_point deadline,
                              std::string& text) const {
    const Folders folders = make_folders(file, deadline);
    Compiled done = preprocess_in(file, folders);
    if (done.ok()) text = text_of(file.variant);
    std::error_code ignored;
    fs::remove_all(folders.out.parent_path(), ignored);
    return done;
}

std::string Workshop::text_of(const std::string& variant) const {
    const std::string made = content_of(made_of(variant, ".ii"));
    const std::string folder = folder_.string();
    std::string text;
    for (std::size_t at = 0; at < made.size();) {
        const auto end = std::min(made.find(folder, at), made.size());
        text += made.substr(at, end - at);
        at = end + folder.size();
    }
    return text;
}

/// Has nm list an object file that was compiled in the sandbox. The list is whole: a longer output
/// would be cut.
bool Workshop::symbols_of(const fs::path& object, const char* kind, const Folders& folders,
                          std::string& symbols) const {
    constexpr std::size_t most_symbols = 60 << 10;
    return run({"/usr/bin/nm", kind, object}, folders, &symbols).ok() &&
           symbols.size() <= most_symbols;
}

std::string Workshop::unseen_in(const SubmittedFile& file, const Folders& folders) const {
    const fs::path object = folders.in / "variant.o";
    fs::copy_file(made_of(file.variant, ".o"), object, fs::copy_options::overwrite_existing);
    std::string defined;
    if (!symbols_of(object, "--defined-only", folders, defined)) {
        return "it has too many symbols to be looked at";
    }
    return unseen_access(content_of(made_of(file.variant, ".dump")), defined, file_name(file),
                         file.on_device ? Looking::emulation : Looking::thread_sanitizer);
}

/// Looks at the translated text and the symbols of the object: a module has static libraries' too.
Evidence Workshop::evidence_of(const SubmittedFile& file, Clock::time_point deadline) const {
    const Folders folders = make_folders(file, deadline);
    Evidence evidence{.unseen = unseen_in(file, folders)};
    std::string symbols;
    const bool done = symbols_of(folders.in / "variant.o", "-u", folders, symbols);
    std::error_code ignored;
    fs::remove_all(folders.out.parent_path(), ignored);
    const std::string text = content_of(made_of(file.variant, ".ii"));
    const std::string hides = hides_accesses(file.content, text, file_name(file));
    const std::string symbol = forbidden_symbol(symbols, settings_.namespaces.at(lab_.folder));
    evidence.not_counted = !done ? "it has too many symbols to be looked at"
                           : !hides.empty()
                               ? fmt::format("'{}' may hide accesses", printable(hides))
                           : !symbol.empty() ? fmt::format("it calls '{}'", printable(symbol))
                                             : evidence.unseen;
    return evidence;
}

}  // namespace grading
