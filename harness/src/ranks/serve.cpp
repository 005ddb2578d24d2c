// A rank: distributes the rows, calls the variant's function, collects the output.

#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <opencv2/core.hpp>
#include <optional>
#include <vector>

#include "common/error.hpp"
#include "common/ranks.hpp"
#include "common/scratch.hpp"
#include "harness/device.hpp"
#include "harness/ranks.hpp"
#include "ranks/mpi_hooks.hpp"
#include "ranks/ping_pong.hpp"
#include "ranks/rows.hpp"

namespace harness {

using namespace common;
namespace {

using wire::Doing;
using wire::Outcome;

/// `MPI_Bcast` from rank 0 that sleeps while it waits, and so leaves the cores to others.
void sleepy_broadcast(void* data, int bytes) {
    MPI_Request request;
    PMPI_Ibcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    int done = 0;
    useconds_t pause = 20;
    for (PMPI_Test(&request, &done, MPI_STATUS_IGNORE); done == 0;
         PMPI_Test(&request, &done, MPI_STATUS_IGNORE)) {
        usleep(pause);
        pause = std::min<useconds_t>(pause + pause / 4, 2000);
    }
}

/// The socket to the process that started the ranks, in rank 0.
int connect_to(const std::string& folder) {
    const int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    (folder + "/socket").copy(address.sun_path, sizeof address.sun_path - 1);
    if (connect(file, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
        throw Failed("rank 0 has to run on the machine that started the ranks");
    }
    return file;
}

void map_state(const std::string& folder, int rank) {
    const int file = open((folder + "/state").c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0 || rank >= wire::most_ranks) return;
    void* memory = mmap(nullptr, wire::state_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED) return;
    rank_state() = static_cast<wire::RankState*>(memory) + rank;
    rank_state()->pid = getpid();
}

/// Says of what the rank dies, and dies.
void on_fatal_signal(int number) {
    if (wire::RankState* state = rank_state(); state != nullptr) {
        const char* name = sigdescr_np(number);  // async-signal-safe, as strsignal is not
        std::strncpy(state->text, "died: ", sizeof state->text - 1);
        std::strncat(state->text, name != nullptr ? name : "a signal", 100);
        state->doing = number == SIGTERM ? Doing::ended : Doing::died;
    }
    signal(number, SIG_DFL);
    raise(number);
}

void on_exit_in_call() {
    wire::RankState* state = rank_state();
    if (state == nullptr) return;
    if (state->doing == Doing::computing || state->doing == Doing::waiting) {
        say(Doing::died, "ended the program (exit)");
    }
}

void on_mpi_error(MPI_Comm*, int* code, ...) {
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(*code, text, &length);
    const wire::RankState* state = rank_state();
    const std::string where = state != nullptr && state->doing == Doing::waiting
                                  ? std::string(state->text)
                                  : "an MPI function";
    say(Doing::died, "got an error of " + where + ": " + text);
    _exit(1);
}

/// The variant has returned, and so its buffers may be gone, which MPI would still write.
void end_if_requests_are_open() {
    const std::string open = take_open_requests();
    if (open.empty()) return;
    say(Doing::died, fmt::format("returned before {} completed: is MPI_Wait or MPI_Waitall "
                                 "missing?",
                                 open));
    _exit(1);
}

/// An exception of the variant, as a reply.
wire::Reply reply_to_exception(int rank) {
    wire::Reply reply{};
    std::string text = "an exception that is not a std::exception";
    reply.outcome = Outcome::failed;
    try {
        throw;
    } catch (const NotDoneYet& error) {
        reply.outcome = Outcome::not_done;
        text = error.what();
    } catch (const Unsupported& error) {
        reply.outcome = Outcome::unsupported;
        text = error.what();
    } catch (const Error& error) {
        reply.outcome = error.code == ExitCode::bad_usage     ? Outcome::bad_usage
                        : error.code == ExitCode::unavailable ? Outcome::unavailable
                                                              : Outcome::failed;
        text = error.what();
    } catch (const std::exception& error) {
        text = error.what();
    } catch (...) {
    }
    if (reply.outcome == Outcome::failed) text = fmt::format("rank {}: {}", rank, text);
    text.copy(reply.text, sizeof reply.text - 1);
    return reply;
}

/// The number of this rank among those of the machine.
int number_on_this_machine() {
    MPI_Comm machine;
    PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    int rank = 0;
    PMPI_Comm_rank(machine, &rank);
    PMPI_Comm_free(&machine);
    return rank;
}

class Server {
  public:
    explicit Server(int socket) : socket_(socket) {
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        PMPI_Comm_size(MPI_COMM_WORLD, &size_);
    }

    /// Serves one request. Returns false if there are no more.
    bool serve() {
        wire::Request request{};
        if (rank_ == 0 && !wire::read_all(socket_, &request, sizeof request)) {
            request.options_bytes = -1;
        }
        sleepy_broadcast(&request, sizeof request);
        if (request.options_bytes < 0) return false;
        options_.resize(static_cast<std::size_t>(request.options_bytes));
        if (rank_ == 0) require(wire::read_all(socket_, options_.data(), options_.size()));
        PMPI_Bcast(options_.data(), request.options_bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
        const RankFunction* const function = find_rank_function(request.function);
        if (function == nullptr) throw Failed("a rank has no such variant");
        const int halo = function->halo(options_.data());
        const int wanted = std::min(request.ranks, size_);
        const auto active =
            static_cast<int>(first_rows_of_ranks(request.in_height, halo, wanted).size() - 1);
        const MPI_Comm comm = communicator(active);
        if (rank_ >= active) return true;

        if (request.load) {
            rows_.reset();  // first frees those of the last call
            rows_.emplace(request, halo, comm,
                          function->on_device ? std::optional(number_) : std::nullopt);
            require(rows_->distribute(socket_));
        }
        wire::Reply reply{};
        if (request.run) reply = run(*function, request, comm);
        if (request.hash && reply.outcome == Outcome::right) {
            reply.fingerprint = rows_->fingerprint();
        }
        if (rank_ == 0) require(wire::write_all(socket_, &reply, sizeof reply));
        if (request.fetch && reply.outcome == Outcome::right) require(rows_->collect(socket_));
        return true;
    }

  private:
    int socket_;
    int rank_ = 0;
    int size_ = 1;
    int number_ = number_on_this_machine();
    std::vector<std::byte> options_;
    std::map<int, MPI_Comm> communicators_;  ///< by their number of ranks
    std::optional<RankRows> rows_;
    std::map<std::string, Scratch> scratch_;  ///< of each function

    static void require(bool connected) {
        if (!connected) throw Failed("the process that started the ranks is gone");
    }

    MPI_Comm communicator(int ranks) {
        const auto [entry, is_new] = communicators_.try_emplace(ranks, MPI_COMM_NULL);
        if (is_new) {
            PMPI_Comm_split(MPI_COMM_WORLD, rank_ < ranks ? 0 : MPI_UNDEFINED, rank_,
                            &entry->second);
        }
        return entry->second;
    }

    wire::Reply run(const RankFunction& function, const wire::Request& request, MPI_Comm comm) {
        wire::Reply reply{};
        double ms = 0;
        try {
            rows_->prepare(static_cast<unsigned char>(request.fill));
            PMPI_Barrier(comm);
            if (rank_state() != nullptr) rank_state()->sent_count = 0;
            say(Doing::computing);
            waited_ms() = 0;
            take_open_requests();  // of a call that threw
            ms = rows_->call(function, options_.data(), scratch_[request.function], !request.fetch);
            say(Doing::finished);
            end_if_requests_are_open();
            if (const std::string damage = rows_->damage(); !damage.empty()) throw Failed(damage);
        } catch (...) {
            reply = reply_to_exception(rank_);
            say(Doing::threw, reply.text);
        }
        // The failed rank with the lowest number reports. Ranks have the same numbers in `comm`.
        const int mine = reply.outcome == Outcome::right ? wire::most_ranks : rank_;
        int first = 0;
        PMPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
        PMPI_Reduce(&ms, &reply.kernel_ms, 1, MPI_DOUBLE, MPI_MAX, 0, comm);
        int ranks = 1;
        PMPI_Comm_size(comm, &ranks);
        const double share = waited_ms() / ranks;
        PMPI_Reduce(&share, &reply.communication_ms, 1, MPI_DOUBLE, MPI_SUM, 0, comm);
        if (first != wire::most_ranks) PMPI_Bcast(&reply, sizeof reply, MPI_BYTE, first, comm);
        say(Doing::nothing);
        return reply;
    }
};

}  // namespace

bool built_with_mpi() {
    return true;
}

bool is_rank(int argc, const char* const* argv) {
    return argc == 3 && std::strcmp(argv[1], "rank") == 0;
}

int serve_as_rank(int, const char* const* argv) {
    const std::string folder = argv[2];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int provided = 0;
    int rank = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    map_state(folder, rank);
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM}) {
        signal(number, on_fatal_signal);
    }
    MPI_Errhandler handler;
    PMPI_Comm_create_errhandler(on_mpi_error, &handler);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);  // communicators made of it have it too
    std::atexit(on_exit_in_call);
    ping_pong_call({});
    PMPI_Barrier(MPI_COMM_WORLD);  // the folder is deleted as soon as rank 0 has connected
    try {
        Server server(rank == 0 ? connect_to(folder) : -1);
        while (server.serve()) {
        }
    } catch (const std::exception& error) {
        say(Doing::died, error.what());
        PMPI_Abort(MPI_COMM_WORLD, 1);
    }
    PMPI_Finalize();
    return 0;
}

}  // namespace harness
