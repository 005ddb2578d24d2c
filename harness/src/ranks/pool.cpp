// Watches the processes that are ranks, and talks to them.

#include "ranks/pool.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "common/error.hpp"
#include "ranks/deadlock.hpp"

namespace harness {

using namespace common;
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto time_to_start = 60s;
constexpr auto time_to_end = 5s;
constexpr auto deadlock_after = 3s;  ///< after which ranks that all wait are said to wait for ever

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

bool readable(int file, std::chrono::milliseconds patience) {
    pollfd one{file, POLLIN, 0};
    return poll(&one, 1, static_cast<int>(patience.count())) > 0;
}

}  // namespace

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
    try {
        processes_.emplace(ranks_, folder.path());
        connect(listening);
    } catch (...) {
        close(listening);
        munmap(states_, wire::state_bytes);
        throw;
    }
    close(listening);
}

RankPool::~RankPool() {
    disconnect();  // rank 0 reads the end of the file, and all end
    processes_->wait_for_end(time_to_end);
    processes_.reset();
    munmap(states_, wire::state_bytes);
}

void RankPool::disconnect() {
    if (socket_ >= 0) close(socket_);
    socket_ = -1;
}

void RankPool::connect(int listening) {
    const auto until = Clock::now() + time_to_start;
    while (!readable(listening, 20ms)) {
        if (!processes_->ended() && Clock::now() < until) continue;
        const std::string text = processes_->printed();
        throw Failed(fmt::format("cannot start {} ranks: {}", ranks_,
                                 text.empty() ? "they do not answer" : text));
    }
    socket_ = accept4(listening, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket_ < 0) throw Failed("cannot connect to rank 0");
}

void RankPool::fail(const std::string& variant, const std::string& what) {
    processes_->kill();
    disconnect();
    processes_->copy_log(true);
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
        if (processes_->ended()) fail(variant, what_happened(active));
        const auto now = Clock::now();
        if (const std::uint64_t count = changes(active); count != seen || !stuck(active)) {
            seen = count;
            last_change = now;
        }
        if (now - last_change > deadlock_after) {
            const std::string what = what_happened(active);
            const bool threw = what.starts_with("another rank waits");
            fail(variant, threw ? what
                                : "the ranks wait for each other: " + waiting_ranks(active) +
                                      why_stuck({states_, static_cast<std::size_t>(active)}));
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
        processes_->wait_for_end(2s);  // the starter says it after it has ended the others
        fail(variant, what_happened(std::min(request.ranks, ranks_)));
    }
    processes_->copy_log(false);
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
