// Starts and watches the processes that are ranks.

#include "ranks/pool.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include "common/error.hpp"
#include "harness/ranks.hpp"

namespace harness {

using namespace common;
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto time_to_start = 60s;
constexpr auto time_to_end = 5s;
constexpr auto time_stuck = 3s;  ///< after which ranks that all wait are said to wait for ever

/// A rank that computes for longer is ended.
std::chrono::seconds most_time() {
    const char* text = std::getenv("LABS_RANK_SECONDS");
    const int seconds = text != nullptr ? std::atoi(text) : 0;
    return std::chrono::seconds(seconds > 0 ? seconds : 600);
}

/// An empty folder, deleted with what is in it.
class Folder {
  public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "labs-ranks-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw Failed("cannot make a folder " + name);
        path_ = name;
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

/// The environment of the starter. More ranks than cores are allowed, a rank that waits for a
/// message yields its core, and root may start ranks (in a container, say). Open MPI reads these
/// variables; others ignore them.
std::vector<std::string> rank_environment() {
    std::vector<std::string> all{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                                 "OMPI_MCA_rmaps_base_oversubscribe=1",
                                 "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe",
                                 "OMPI_MCA_hwloc_base_binding_policy=none",
                                 "PRTE_MCA_hwloc_default_binding_policy=none",
                                 "OMPI_MCA_mpi_yield_when_idle=1",
                                 // containers forbid the system call that this would use
                                 "OMPI_MCA_btl_vader_single_copy_mechanism=none"};
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

bool readable(int file, std::chrono::milliseconds patience) {
    pollfd one{file, POLLIN, 0};
    return poll(&one, 1, static_cast<int>(patience.count())) > 0;
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

}  // namespace

std::optional<std::string> rank_starter() {
    if (std::getenv("SLURM_JOB_ID") != nullptr) {
        if (std::string srun = in_path("srun"); !srun.empty()) return srun;
    }
    if (std::string mpiexec = in_path("mpiexec"); !mpiexec.empty()) return mpiexec;
    return std::nullopt;
}

RankPool::RankPool(int ranks) : ranks_(ranks) {
    const Folder folder;
    const int state = open((folder.path() + "/state").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    const int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    const std::string name = folder.path() + "/socket";
    name.copy(address.sun_path, sizeof address.sun_path - 1);
    const bool made = state >= 0 && listening >= 0 &&
                      ftruncate(state, static_cast<off_t>(wire::state_bytes)) == 0 &&
                      bind(listening, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
                      listen(listening, 1) == 0;
    void* mapped =
        made ? mmap(nullptr, wire::state_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, state, 0)
             : MAP_FAILED;
    close(state);
    if (mapped == MAP_FAILED) {
        close(listening);
        throw Failed("cannot make what connects ranks in " + folder.path());
    }
    states_ = static_cast<wire::RankState*>(mapped);
    log_ = open(folder.path().c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    try {
        start(folder.path());
        connect(listening);
    } catch (...) {
        close(listening);
        kill_all();
        munmap(states_, wire::state_bytes);
        close(log_);
        throw;
    }
    close(listening);
}

RankPool::~RankPool() {
    if (alive()) {
        close(socket_);  // rank 0 reads the end of the file, and all end
        socket_ = -1;
        const auto until = Clock::now() + time_to_end;
        while (!starter_ended() && Clock::now() < until) std::this_thread::sleep_for(5ms);
        kill_all();
    }
    munmap(states_, wire::state_bytes);
    close(log_);
}

void RankPool::start(const std::string& folder) {
    std::vector<std::string> arguments{rank_starter().value_or("mpiexec"),
                                       "-n",
                                       std::to_string(ranks_),
                                       std::filesystem::read_symlink("/proc/self/exe").string(),
                                       "rank",
                                       folder};
    std::vector<std::string> environment = rank_environment();
    const std::vector<char*> argv = null_ended(arguments);
    const std::vector<char*> envp = null_ended(environment);
    const pid_t parent = getpid();
    starter_ = fork();
    if (starter_ < 0) throw Failed("cannot start a process for " + arguments.front());
    if (starter_ > 0) {
        setpgid(starter_, starter_);
        return;
    }
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);  // so that nothing outlives this program
    if (getppid() != parent) _exit(1);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(log_, STDOUT_FILENO);
    dup2(log_, STDERR_FILENO);
    execve(argv.front(), argv.data(), envp.data());
    _exit(127);
}

void RankPool::connect(int listening) {
    const auto until = Clock::now() + time_to_start;
    while (!readable(listening, 20ms)) {
        if (!starter_ended() && Clock::now() < until) continue;
        std::string text(2000, '\0');
        text.resize(static_cast<std::size_t>(
            std::max<ssize_t>(pread(log_, text.data(), text.size(), 0), 0)));
        throw Failed(fmt::format("cannot start {} ranks: {}", ranks_,
                                 text.empty() ? "they do not answer" : text));
    }
    socket_ = accept4(listening, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket_ < 0) throw Failed("cannot connect to rank 0");
}

bool RankPool::starter_ended() {
    if (starter_ > 0 && waitpid(starter_, nullptr, WNOHANG) == starter_) {
        ::kill(-starter_, SIGKILL);
        starter_ = -1;
    }
    return starter_ <= 0;
}

void RankPool::kill_all() {
    if (starter_ > 0) {
        ::kill(starter_, SIGTERM);  // the ranks are in groups of their own, and end with it
        const auto until = Clock::now() + time_to_end;
        while (!starter_ended() && Clock::now() < until) std::this_thread::sleep_for(5ms);
    }
    if (starter_ > 0) {
        ::kill(-starter_, SIGKILL);
        waitpid(starter_, nullptr, 0);
        starter_ = -1;
    }
    if (socket_ >= 0) close(socket_);
    socket_ = -1;
}

/// Copies what ranks have written to stderr. The starter's own account of a failure, which begins
/// with a line of dashes, is left out.
void RankPool::copy_log(bool until_banner) {
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

void RankPool::fail(const std::string& variant, const std::string& what) {
    kill_all();
    copy_log(true);
    throw Failed(variant + ": " + what);
}

std::string RankPool::what_happened(int active) const {
    const auto named = [&](int rank, const std::string& what) {
        return fmt::format("rank {} of {} {}", rank, active, what);
    };
    for (const wire::Doing doing : {wire::Doing::died, wire::Doing::threw}) {
        for (int rank = 0; rank < active; ++rank) {
            if (states_[rank].doing != doing) continue;
            const bool died = doing == wire::Doing::died;
            const std::string text = states_[rank].text;
            return died ? named(rank, text) : "another rank waits, but " + text;
        }
    }
    for (int rank = 0; rank < active; ++rank) {
        const bool gone = ::kill(states_[rank].pid, 0) != 0;
        if (gone && states_[rank].doing != wire::Doing::ended) return named(rank, "was killed");
    }
    return "the ranks ended";
}

std::string RankPool::waiting_ranks(int active) const {
    std::string text;
    for (int rank = 0; rank < active; ++rank) {
        const bool waits = states_[rank].doing == wire::Doing::waiting;
        text += fmt::format("{}rank {} {}", rank == 0 ? "" : ", ", rank,
                            waits ? "waits in " + std::string(states_[rank].text) : "has finished");
    }
    return text;
}

/// True if no rank computes, and at least one waits for a message.
bool RankPool::stuck(int active) const {
    const auto any = [&](wire::Doing doing) {
        return std::any_of(states_, states_ + active,
                           [=](const wire::RankState& state) { return state.doing == doing; });
    };
    return any(wire::Doing::waiting) && !any(wire::Doing::computing) && !any(wire::Doing::nothing);
}

std::uint64_t RankPool::changes(int active) const {
    std::uint64_t sum = 0;
    for (int rank = 0; rank < active; ++rank) sum += states_[rank].changes;
    return sum;
}

void RankPool::wait_for_reply(const wire::Request& request, const std::string& variant) {
    const int active = std::min({request.ranks, ranks_, request.in_height});
    const auto start = Clock::now();
    auto last_change = start;
    std::uint64_t seen = changes(active);
    while (!readable(socket_, 50ms)) {
        if (starter_ended()) fail(variant, what_happened(active));
        const auto now = Clock::now();
        if (const std::uint64_t count = changes(active); count != seen || !stuck(active)) {
            seen = count;
            last_change = now;
        }
        if (now - last_change > time_stuck) {
            const std::string what = what_happened(active);
            const bool threw = what.starts_with("another rank waits");
            fail(variant, threw ? what : "the ranks wait for each other: " + waiting_ranks(active));
        }
        if (now - start > most_time()) {
            fail(variant,
                 fmt::format("the ranks have not finished after {} s", most_time().count()));
        }
    }
}

wire::Reply RankPool::request(const wire::Request& request, std::span<const std::byte> options,
                              const cv::Mat& in, cv::Mat* out, const std::string& variant) {
    wire::Reply reply{};
    bool there = wire::write_all(socket_, &request, sizeof request) &&
                 wire::write_all(socket_, options.data(), options.size());
    for (int y = 0; request.load && there && y < in.rows; ++y) {
        there =
            wire::write_all(socket_, in.ptr(y), static_cast<std::size_t>(in.cols) * in.elemSize());
    }
    if (there) wait_for_reply(request, variant);
    there = there && wire::read_all(socket_, &reply, sizeof reply);
    const bool fetch = request.fetch && reply.outcome == wire::Outcome::right;
    for (int y = 0; fetch && there && y < out->rows; ++y) {
        const auto bytes = static_cast<std::size_t>(out->cols) * out->elemSize();
        there = wire::read_all(socket_, out->ptr(y), bytes);
    }
    if (!there) {
        const auto until = Clock::now() + 2s;  // the starter says it after it has ended the others
        while (!starter_ended() && Clock::now() < until) std::this_thread::sleep_for(5ms);
        fail(variant, what_happened(std::min(request.ranks, ranks_)));
    }
    copy_log(false);
    switch (reply.outcome) {
        case wire::Outcome::right:
            return reply;
        case wire::Outcome::failed:
            throw Failed(reply.text);
        case wire::Outcome::bad_usage:
            throw BadUsage(reply.text);
        case wire::Outcome::unsupported:
            throw Unsupported(reply.text);
        case wire::Outcome::not_done:
            throw NotDoneYet();
        case wire::Outcome::unavailable:
            throw Unavailable(reply.text);
    }
    return reply;
}

}  // namespace harness
