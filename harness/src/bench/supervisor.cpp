
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>

#include "bench/bench.hpp"
#include "bench/messages.hpp"
#include "common/clock.hpp"
#include "common/csv.hpp"
#include "common/error.hpp"
#include "harness/events.hpp"
#include "harness/statistics.hpp"
#include "progress.hpp"

namespace harness {

using namespace common;
namespace {

using nlohmann::json;

constexpr int most_faults = 3;  // of a variant, before it is left out

/// `row` counts the rows of the main file from 1.
const std::vector<std::string> sample_columns{"row",       "variant",  "repeat",
                                              "kernel_ms", "total_ms", "disturbed"};

[[noreturn]] void throw_errno(const std::string& what) {
    throw Failed(fmt::format("{}: {}", what, std::strerror(errno)));
}

/// The supervisor's environment and settings for OpenMP, unless the user has set them.
std::vector<std::string> worker_environment(const std::string& task) {
    std::vector<std::string> result;
    for (char** entry = environ; *entry != nullptr; ++entry) result.emplace_back(*entry);
    // One thread per core; the threads of a nested team share the cores of their team.
    for (const auto& [name, value] : std::map<std::string, std::string>{
             {"OMP_PROC_BIND", "spread,close"},
             {"OMP_PLACES", "cores"},
             // Idle threads of libgomp spin before they sleep, by default for some ms, and would
             // slow down the threads of a library that is measured next.
             {"GOMP_SPINCOUNT", "10000"}}) {
        if (std::getenv(name.c_str()) == nullptr) result.push_back(name + "=" + value);
    }
    result.push_back(std::string(worker_task) + "=" + task);
    return result;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// A running worker and the pipe from it. The destructor kills the process if it still runs.
class Worker {
  public:
    Worker(WorkerTask task, int argc, const char* const* argv) {
        std::array<int, 2> ends{};
        if (pipe(ends.data()) != 0) throw_errno("cannot make a pipe");
        fcntl(ends[0], F_SETFD, FD_CLOEXEC);
        messages_ = fdopen(ends[0], "r");
        task.descriptor = ends[1];
        std::vector<std::string> environment = worker_environment(json(task).dump());
        std::vector<std::string> arguments(argv, argv + argc);
        errno = posix_spawn(&process_, "/proc/self/exe", nullptr, nullptr,
                            pointers_to(arguments).data(), pointers_to(environment).data());
        const bool started = errno == 0;
        close(ends[1]);
        if (!started) throw_errno("cannot start the benchmark's worker");
    }

    ~Worker() {
        if (process_ > 0) {
            kill(process_, SIGKILL);
            wait();
        }
        fclose(messages_);
    }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// The next message; nothing once the worker has ended.
    std::optional<json> next() {
        char* line = nullptr;
        std::size_t size = 0;
        const ssize_t length = getline(&line, &size, messages_);
        const std::string text(length > 0 ? line : "");
        std::free(line);
        if (text.empty() || text.back() != '\n') return std::nullopt;
        return json::parse(text);
    }

    /// The status of the ended process, as waitpid gives it.
    int wait() {
        int status = 0;
        while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
        }
        process_ = 0;
        return status;
    }

  private:
    pid_t process_ = 0;
    std::FILE* messages_ = nullptr;
};

std::string describe_end(int status) {
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        return fmt::format("killed by signal {} ({})", signal, strsignal(signal));
    }
    return fmt::format("it ended the program with exit code {}", WEXITSTATUS(status));
}

/// Held while a `bench` writes to a folder: a second one would truncate the files of the first.
/// The folder itself is no lock, because NFS locks only what is open for writing.
class FolderLock {
  public:
    explicit FolderLock(const std::filesystem::path& folder) : file_(folder / ".bench.lock") {
        do {
            if (descriptor_ >= 0) close(descriptor_);
            descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
            if (descriptor_ < 0) refuse(fmt::format("cannot write '{}'", file_.string()));
            lock(folder);
        } while (!is_current());
    }
    ~FolderLock() {
        std::error_code ignored;
        std::filesystem::remove(file_, ignored);
        close(descriptor_);
    }
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  private:
    std::filesystem::path file_;
    int descriptor_ = -1;

    [[noreturn]] static void refuse(const std::string& what) {
        throw BadUsage(fmt::format("{}: {}", what, std::strerror(errno)));
    }

    void lock(const std::filesystem::path& folder) const {
        if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
        if (errno == EWOULDBLOCK) {
            close(descriptor_);
            throw BadUsage(fmt::format(
                "another bench is writing to '{}': wait for its end, or give another --csv-dir",
                folder.string()));
        }
        fmt::print(stderr, "note: '{}' cannot be locked ({}): run one bench at a time there\n",
                   folder.string(), std::strerror(errno));
    }

    /// False if the last holder has removed the file since it was opened here.
    bool is_current() const {
        struct stat mine {};
        struct stat now {};
        if (fstat(descriptor_, &mine) != 0 || stat(file_.c_str(), &now) != 0) return false;
        return mine.st_ino == now.st_ino && mine.st_dev == now.st_dev;
    }
};

class Supervisor {
  public:
    Supervisor(const Lab& lab, const BenchPlan& plan) : lab_(lab), plan_(plan) {}

    ExitCode run(int argc, const char* const* argv) {
        for (;;) {
            running_.reset();
            device_fault_.clear();
            Worker worker(task_, argc, argv);
            while (const auto message = worker.next()) take(*message);
            const int status = worker.wait();
            const bool ended = WIFEXITED(status) && (finished_ || !running_);
            if (ended) return exit_code(WEXITSTATUS(status));
            record_crash(status);
        }
    }

  private:
    struct Running {
        TrialPlace place;
        std::string variant;
        std::string what;
    };

    const Lab& lab_;
    const BenchPlan& plan_;
    WorkerTask task_;
    std::optional<Running> running_;
    std::string device_fault_;
    std::map<std::string, int> faults_;
    bool finished_ = false;

    int experiment_ = -1;  // of the open files
    std::optional<CsvFile> csv_;
    std::optional<CsvFile> samples_;
    int rows_ = 0;
    int noisy_rows_ = 0;
    std::chrono::steady_clock::time_point start_;

    void take(const json& message) {
        if (message.contains("begin")) begin(message);
        if (message.contains("rows")) add_rows(message["rows"]);
        if (message.contains("end")) end();
        if (message.contains("device_fault")) device_fault_ = message["device_fault"];
        if (message.contains("finished")) finished_ = true;
        if (!message.contains("trial")) return;
        running_.reset();
        if (message["trial"].is_null()) return;
        running_ = {message["trial"], message["variant"], message["what"]};
    }

    const std::string& name() const {
        return plan_.experiments.at(static_cast<std::size_t>(experiment_));
    }

    std::filesystem::path file(const std::string& ending) const {
        return plan_.csv_dir / (name() + ending);
    }

    void begin(const json& message) {
        if (experiment_ == message["begin"]) return;  // a later worker goes on with it
        experiment_ = message["begin"];
        start_ = std::chrono::steady_clock::now();
        rows_ = noisy_rows_ = 0;
        csv_.emplace(file(".csv"), message["columns"].get<std::vector<std::string>>());
        samples_.emplace(file("_samples.csv"), sample_columns);
    }

    void add_rows(const std::vector<ResultRow>& rows) {
        for (const ResultRow& row : rows) {
            csv_->add(row.fields);
            ++rows_;
            if (row.noisy) ++noisy_rows_;
            for (std::vector<std::string> sample : row.samples) {
                sample.insert(sample.begin(), std::to_string(rows_));
                samples_->add(sample);
            }
        }
        ++task_.problem;
    }

    void end() {
        csv_->finish();
        samples_->finish();
        fmt::print("{}: {} rows in {}, {}{}\n", name(), rows_,
                   duration_text(ms_since(start_) / 1000), file(".csv").string(),
                   rows_ == 0 ? "; none of its variants can run here" : "");
        if (noisy_rows_ > 0) {
            fmt::print(
                "{}: {} of {} rows are too noisy to be compared (spread above {:.0f} %, or "
                "disturbed)\n",
                name(), noisy_rows_, rows_, 100 * most_spread);
        }
        std::fflush(stdout);
        emit({{"event", "finished"},
              {"experiment", name()},
              {"rows", rows_},
              {"noisy", noisy_rows_}});
        task_.experiment = experiment_ + 1;
        task_.problem = 0;
    }

    /// For a worker that ended in the middle of a trial.
    void record_crash(int status) {
        const std::string what =
            device_fault_.empty() ? describe_end(status) : "device fault: " + device_fault_;
        if (!running_) throw Failed("the benchmark's worker was " + what);
        emit({{"event", "fault"},
              {"variant", running_->variant},
              {"configuration", running_->what},
              {"outcome", "crash"},
              {"text", "CRASH: " + what}});
        fmt::print(stderr, "{} {} {}: CRASH: {}\n", lab_.name, running_->variant, running_->what,
                   what);
        task_.skipped.push_back(running_->place);
        if (++faults_[running_->variant] == most_faults) {
            task_.left_out.push_back(running_->variant);
            fmt::print(stderr, "note: {} crashed {} times and is left out of the rest\n",
                       running_->variant, most_faults);
        }
    }

    ExitCode exit_code(int of_worker) const {
        if (of_worker == 0 && !finished_) {
            throw Failed("the benchmark's worker ended before its work was done");
        }
        auto code = static_cast<ExitCode>(of_worker);
        if (code == ExitCode::done && !faults_.empty()) code = ExitCode::failed;
        if (code == ExitCode::failed && finished_) {
            fmt::print(stderr, "error: a variant was wrong, failed or crashed; see above\n");
        }
        return code;
    }
};

}  // namespace

ExitCode supervise_bench(const Lab& lab, const BenchPlan& plan, int argc, const char* const* argv) {
    std::error_code error;
    std::filesystem::create_directories(plan.csv_dir, error);
    if (error) {
        throw BadUsage(
            fmt::format("cannot make the folder '{}': {}", plan.csv_dir.string(), error.message()));
    }
    const FolderLock lock(plan.csv_dir);
    emit({{"event", "experiments"}, {"names", plan.experiments}});
    return Supervisor(lab, plan).run(argc, argv);
}

}  // namespace harness
