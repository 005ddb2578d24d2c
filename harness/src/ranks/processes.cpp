// Starts the processes that are ranks, and ends them.

#include "ranks/processes.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

#include "common/error.hpp"
#include "harness/ranks.hpp"

namespace harness {

using namespace common;
namespace {

using namespace std::chrono_literals;

constexpr auto time_after_term = 5s;

/// The environment of the starter. More ranks than cores are allowed, a rank that waits for a
/// message yields its core, and root may start ranks (in a container, say). Open MPI reads these
/// variables; others ignore them. `bench` binds its own threads to cores. With its settings, OpenMP
/// would bind the first thread of every rank to the same core.
std::vector<std::string> rank_environment() {
    std::vector<std::string> all{
        "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
        "OMPI_MCA_rmaps_base_oversubscribe=1",
        "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe",
        "OMPI_MCA_hwloc_base_binding_policy=none", "PRTE_MCA_hwloc_default_binding_policy=none",
        "OMPI_MCA_mpi_yield_when_idle=1",
        // containers forbid the system call that this would use
        "OMPI_MCA_btl_vader_single_copy_mechanism=none", "OMP_PROC_BIND=false"};
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        const std::string name = text.substr(0, text.find('=') + 1);
        const bool ours = std::any_of(
            all.begin(), all.end(), [&](const std::string& one) { return one.starts_with(name); });
        if (!ours) all.push_back(text);
    }
    return all;
}

std::vector<char*> null_ended(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

std::string in_path(const std::string& program) {
    const char* path = std::getenv("PATH");
    std::string folders = path != nullptr ? path : "/usr/bin:/bin";
    for (std::size_t begin = 0; begin <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', begin), folders.size());
        const std::string file = folders.substr(begin, end - begin) + "/" + program;
        if (access(file.c_str(), X_OK) == 0) return file;
        begin = end + 1;
    }
    return "";
}

/// In the child process.
[[noreturn]] void become(std::vector<std::string> arguments, pid_t parent, int log) {
    std::vector<std::string> environment = rank_environment();
    const std::vector<char*> argv = null_ended(arguments);
    const std::vector<char*> envp = null_ended(environment);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);  // so that nothing outlives this program
    if (getppid() != parent) _exit(1);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    execve(argv.front(), argv.data(), envp.data());
    _exit(127);
}

}  // namespace

std::optional<std::string> rank_starter() {
    if (std::getenv("SLURM_JOB_ID") != nullptr) {
        if (std::string srun = in_path("srun"); !srun.empty()) return srun;
    }
    if (std::string mpiexec = in_path("mpiexec"); !mpiexec.empty()) return mpiexec;
    return std::nullopt;
}

RankProcesses::RankProcesses(int ranks, const std::string& folder)
    : log_(open(folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600)) {
    const std::vector<std::string> arguments{
        rank_starter().value_or("mpiexec"),
        "-n",
        std::to_string(ranks),
        std::filesystem::read_symlink("/proc/self/exe").string(),
        "rank",
        folder};
    const pid_t parent = getpid();
    starter_ = fork();
    if (starter_ == 0) become(arguments, parent, log_);
    if (starter_ < 0) {
        close(log_);
        throw Failed("cannot start a process for " + arguments.front());
    }
    setpgid(starter_, starter_);
}

RankProcesses::~RankProcesses() {
    kill();
    close(log_);
}

bool RankProcesses::ended() {
    if (starter_ > 0 && waitpid(starter_, nullptr, WNOHANG) == starter_) {
        ::kill(-starter_, SIGKILL);
        starter_ = -1;
    }
    return starter_ <= 0;
}

void RankProcesses::wait_for_end(std::chrono::milliseconds most) {
    const auto until = std::chrono::steady_clock::now() + most;
    while (!ended() && std::chrono::steady_clock::now() < until) {
        std::this_thread::sleep_for(5ms);
    }
}

void RankProcesses::kill() {
    if (starter_ <= 0) return;
    ::kill(starter_, SIGTERM);  // the ranks are in groups of their own, and end with it
    wait_for_end(time_after_term);
    if (starter_ <= 0) return;
    ::kill(-starter_, SIGKILL);
    waitpid(starter_, nullptr, 0);
    starter_ = -1;
}

std::string RankProcesses::printed() const {
    std::string text(2000, '\0');
    const ssize_t got = pread(log_, text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return text;
}

void RankProcesses::copy_log(bool until_banner) {
    std::string text;
    char part[4096];
    const off_t written = lseek(log_, 0, SEEK_CUR);
    for (off_t at = 0; at < written;) {
        const ssize_t got = pread(log_, part, sizeof part, at);
        if (got <= 0) break;
        text.append(part, static_cast<std::size_t>(got));
        at += got;
    }
    if (written > 0 && ftruncate(log_, 0) == 0) lseek(log_, 0, SEEK_SET);
    if (until_banner) text.resize(std::min(text.find("-----"), text.size()));
    std::fputs(text.c_str(), stderr);
}

}  // namespace harness
