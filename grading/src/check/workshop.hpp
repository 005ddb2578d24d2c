#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "check/intake.hpp"
#include "check/settings.hpp"
#include "check/tools.hpp"
#include "judge/worker_process.hpp"
#include "sandbox/sandbox.hpp"
#include "sandbox/user.hpp"

namespace grading {

constexpr auto compile_time = std::chrono::minutes(4);  ///< a machine with other work takes longer
constexpr std::uint64_t most_output = 64 << 20;         ///< of a compiler

/// The output of a call under ThreadSanitizer, and its end.
struct RaceRun {
    std::string text;
    bool in_time;
    int status;  ///< of waitpid
};

struct RaceFound {
    std::string race{};         ///< with both lines and the cause, or that one thread did all the
                                ///< work (`is_of_one_thread`); "" if there is neither
    std::string not_checked{};  ///< why nobody knows, or ""
};

/// Why the results of an emulated variant are no evidence.
struct Evidence {
    std::string unseen{};       ///< the first access that the emulation does not see, or ""
    std::string not_counted{};  ///< why counters are none, or ""
};

/// The folder of one grading, and what is made in it: the headers that a variant may include, the
/// worker, and shared objects of variants.
class Workshop {
  public:
    Workshop(const Settings& settings, const LabFacts& lab, const Lease& lease,
             const Sandbox& sandbox);

    /// Runs a file that tries to leave the sandbox in each program that loads students' files.
    /// Throws Failed if it can.
    /// If a worker with a GPU does not start, kernels will be emulated.
    void probe();

    /// Copies the headers that a variant may include. To be called once.
    void copy_headers() const;

    /// The reason for which kernels are emulated; "" if they run on a GPU.
    const std::string& why_no_gpu() const { return why_no_gpu_; }

    /// Compiles a variant in the sandbox.
    Compiled compile(const SubmittedFile& file, Clock::time_point deadline) const;

    /// Writes the text of a file after the preprocessor to `text`.
    Compiled preprocess(const SubmittedFile& file, Clock::time_point deadline,
                        std::string& text) const;

    /// The text of the compiled variant after the preprocessor, without the folder's name, which is
    /// another one in each lane.
    std::string text_of(const std::string& variant) const;

    /// The parts of a compiled variant with kernels that the emulation does not see.
    Evidence evidence_of(const SubmittedFile& file, Clock::time_point deadline) const;

    /// Runs an OpenMP variant under ThreadSanitizer.
    RaceFound race_in(const SubmittedFile& file, Clock::time_point deadline) const;

    /// The repository's simplest variant, for the CPU or with kernels.
    SubmittedFile known_good(bool on_device) const;

    /// Compiles it. Throws MachineFault if it does not compile, or if the disk is full.
    void check_tools(bool on_device) const;

    /// The worker of a variant that has been compiled.
    WorkerFiles worker_files(const std::string& variant, bool on_device) const;

    /// The worker of a variant of the repository, compiled in the same way; kept in the build
    /// folder. Throws Failed if there is none of this name.
    WorkerFiles reference(const std::string& variant) const;

    /// For the judge, whose folder nobody else can read.
    std::filesystem::path judge_folder() const { return folder_ / "judge"; }

  private:
    /// The programs that load a student's file.
    enum class Place { worker, gpu_worker, races };

    /// The folders of a compilation.
    struct Folders {
        std::filesystem::path in;
        std::filesystem::path out;
        Clock::time_point deadline;
    };

    const Settings& settings_;
    const LabFacts& lab_;
    std::optional<uid_t> user_;
    const Sandbox& sandbox_;
    std::filesystem::path folder_;
    std::vector<std::filesystem::path> libraries_;
    std::vector<std::filesystem::path> races_libraries_{};  ///< none: nothing looks for races
    std::optional<GpuAccess> gpu_;
    std::vector<std::filesystem::path> gpu_libraries_;
    std::string why_no_gpu_;

    void prepare_races();
    void prepare_gpu();
    std::string said_by_probe(Place place) const;
    RaceRun run_races(const std::string& variant, const std::filesystem::path& module,
                      const std::filesystem::path& source_folder, Clock::time_point deadline) const;
    std::vector<std::string> gpu_compiler() const;
    std::vector<std::string> cpu_compiler(bool on_device) const;
    static std::vector<std::string> options_of_unseen();
    Compiled preprocess_in(const SubmittedFile& file, const Folders& folders) const;
    Compiled compile_text(const SubmittedFile& file, const Folders& folders,
                          std::vector<std::string> compiler) const;
    bool symbols_of(const std::filesystem::path& object, const char* kind, const Folders& folders,
                    std::string& symbols) const;
    std::string unseen_in(const SubmittedFile& file, const Folders& folders) const;
    Compiled make_module(const SubmittedFile& file, const Folders& folders) const;
    Compiled make_gpu_module(const std::string& name, const Folders& folders) const;
    std::vector<std::string> include_options() const;
    std::filesystem::path file_of_variant(const std::string& variant) const;
    /// `printed` gets the output of a command that succeeds.
    Compiled run(const std::vector<std::string>& command, const Folders& folders,
                 std::string* printed = nullptr) const;
    Folders make_folders(const SubmittedFile& file, Clock::time_point deadline) const;
    std::filesystem::path module_of(const std::string& variant) const {
        return folder_ / "modules" / (variant + ".so");
    }
    /// The other outputs of the compiler for a variant: its text (.ii), its object file, its dump.
    std::filesystem::path made_of(const std::string& variant, const char* suffix) const {
        return folder_ / "modules" / (variant + suffix);
    }
};

/// True for what `race_in` says of a variant in which one thread does all the work.
bool is_of_one_thread(const std::string& race);

}  // namespace grading
