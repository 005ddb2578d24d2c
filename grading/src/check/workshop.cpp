#include "check/workshop.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "common/error.hpp"

namespace grading {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t compile_seconds = 60;           // of CPU time
constexpr auto compile_time = std::chrono::minutes(4);  // a machine with other work takes longer
constexpr std::uint64_t compile_memory = std::uint64_t{2} << 30;
constexpr std::uint64_t most_output = 64 << 20;

void make_folder(const fs::path& path, mode_t mode = 0755) {
    if (mkdir(path.c_str(), mode) != 0 && errno != EEXIST) fail(path.string());
}

void write(const fs::path& path, const std::string& content) {
    std::ofstream file(path, std::ios::binary);
    if (!(file << content).flush()) throw common::Failed(path.string() + ": cannot be written");
}

/// Copies what a program in the sandbox has written, if it is a regular file of an acceptable size.
bool take_over(const fs::path& from, const fs::path& to) {
    const Descriptor file(open(from.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status {};
    if (!file.is_open() || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
        static_cast<std::uint64_t>(status.st_size) > most_output) {
        return false;
    }
    std::string content(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t size = 0;
    while (size < content.size()) {
        const ssize_t count = read(file.get(), content.data() + size, content.size() - size);
        if (count <= 0) return false;
        size += static_cast<std::size_t>(count);
    }
    write(to, content);
    return true;
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
    copy_headers();
}

/// The file grading/labN.headers has a path of the repository in each line; a folder stands for all
/// in it. They keep their places below "api", by which messages of the emulation know them.
void Workshop::copy_headers() const {
    std::ifstream list(settings_.source / lab_.headers());
    for (std::string line; std::getline(list, line);) {
        if (line.empty() || line.starts_with('#')) continue;
        const bool translated = line.ends_with(".cuh") && line.starts_with(lab_.folder);
        const fs::path from =
            (translated ? settings_.build / "translated" : settings_.source) / line;
        const fs::path to = folder_ / "api" / line;
        fs::create_directories(to.parent_path());
        fs::copy(from, to, fs::copy_options::recursive);
    }
}

void Workshop::probe() const {
    const fs::path module = module_of("probe");
    fs::copy_file(settings_.build / "grade_probe.so", module);
    WorkerFiles files = worker_files("probe", false);
    std::string said;
    try {
        const WorkerProcess worker(sandbox_, files, 0, Clock::now() + std::chrono::seconds(20));
        said = worker.text();
    } catch (const WorkerFailed& failed) {
        said = failed.what();  // it registers no variant, and so it ends
    }
    const bool silent = said.find("probe: could ") == std::string::npos;
    if (silent && said.find("probe: 15 attempts made") != std::string::npos) return;
    std::replace(said.begin(), said.end(), '\n', ' ');
    throw common::Failed("the sandbox does not hold, nothing is graded: " + printable(said, 1000));
}

WorkerFiles Workshop::worker_files(const std::string& variant, bool on_device) const {
    return {folder_ / "bin/worker", module_of(variant), variant, on_device, libraries_};
}

/// Runs a command in the sandbox. Returns "" or what it has said.
std::string Workshop::run(const std::vector<std::string>& command, const fs::path& in,
                          const fs::path& out) const {
    const auto process = sandbox_.start(
        {.arguments = command,
         .folder = in,
         .readable = {"/usr", "/lib", "/lib64", "/bin", folder_ / "api", folder_ / "bin", in},
         .writable = {out},
         .limits = {.memory_bytes = compile_memory,
                    .address_bytes = compile_memory,
                    .file_bytes = most_output,
                    .processes = 64,
                    .cpu_seconds = compile_seconds}});
    if (!process->wait(Clock::now() + compile_time))
        return "the compiler was killed after 4 minutes";
    if (process->status() == 0) return "";
    if (process->ran_out_of_memory()) return "the compiler used more than 2 GB of memory";
    std::string said = printable(process->text());
    for (const std::string& path : {out.string() + "/", folder_.string() + "/"}) {
        for (auto at = said.find(path); at != std::string::npos; at = said.find(path)) {
            said.erase(at, path.size());
        }
    }
    return said.empty() ? "the compiler ended with " + describe_status(process->status()) : said;
}

std::optional<std::string> Workshop::compile(const SubmittedFile& file) const {
    const fs::path folder = folder_ / file.variant;
    const fs::path in = folder / "in";
    const fs::path out = folder / "out";
    for (const fs::path& path : {folder, in, out}) make_folder(path);
    if (user_) checked(chown(out.c_str(), *user_, *user_), out.string());
    const std::string name = file.variant + (file.on_device ? ".cu" : ".cpp");
    write(in / name, file.content);

    std::vector<std::string> compile{settings_.compiler,
                                     "-std=c++20",
                                     "-c",
                                     "-pipe",
                                     "-fPIC",
                                     "-fopenmp",
                                     "-DNDEBUG",
                                     "-fmax-errors=20",
                                     "-fdiagnostics-color=never"};
    for (const std::string& place :
         {std::string("common/include"), lab_.folder, std::string("harness/emulation/include")}) {
        compile.insert(compile.end(), {"-I", folder_ / "api" / place});
    }
    std::string source = name;
    if (file.on_device) {
        source = out / (name + ".cpp");
        const std::string said = run({folder_ / "bin/cuda_to_cpp", name, source}, in, out);
        if (!said.empty()) return said;
        compile.insert(compile.end(), settings_.kernel_options.begin(),
                       settings_.kernel_options.end());
    } else {
        compile.emplace_back("-O3");
    }
    const std::string object = out / "variant.o";
    const std::string module = out / "variant.so";
    compile.insert(compile.end(), {source, "-o", object});
    std::string said = run(compile, in, out);
    if (said.empty()) {
        said = run({settings_.compiler, "-shared", "-fopenmp", "-fno-use-linker-plugin", object,
                    "-o", module},
                   in, out);
    }
    if (said.empty() && !take_over(module, module_of(file.variant))) {
        said = "the compiler wrote no shared object of at most 64 MB";
    }
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    if (said.empty()) return std::nullopt;
    return said;
}

WorkerFiles Workshop::reference(const std::string& variant) const {
    const fs::path kept = settings_.build / "references" / lab_.folder / (variant + ".so");
    for (const auto& entry : fs::directory_iterator(settings_.source / lab_.folder / "ladder")) {
        const std::string stem = entry.path().stem();
        const std::string suffix = "_" + variant;
        if (entry.path().extension() != ".cpp" || !stem.ends_with(suffix) ||
            !std::all_of(stem.begin(), stem.end() - static_cast<std::ptrdiff_t>(suffix.size()),
                         [](unsigned char c) { return std::isdigit(c) != 0; })) {
            continue;
        }
        const bool fresh =
            fs::exists(kept) && fs::last_write_time(kept) > fs::last_write_time(entry.path()) &&
            fs::last_write_time(kept) > fs::last_write_time(settings_.worker(lab_.number));
        const std::string name = "reference_" + variant;
        if (!fresh) {
            std::stringstream content;
            content << std::ifstream(entry.path()).rdbuf();
            const auto said = compile({name, stem, false, content.str()});
            if (said) throw common::Failed("reference " + variant + ": " + *said);
            fs::create_directories(kept.parent_path());
            const fs::path beside = kept.string() + "." + std::to_string(getpid());
            fs::copy_file(module_of(name), beside);
            fs::rename(beside, kept);
        } else {
            fs::copy_file(kept, module_of(name), fs::copy_options::overwrite_existing);
        }
        WorkerFiles files = worker_files(name, false);
        files.name = variant;
        return files;
    }
    throw common::Failed(lab_.folder + "/ladder: has no CPU variant " + variant);
}

}  // namespace grading
