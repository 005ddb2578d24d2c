// Tells the process that watches a rank which MPI function the rank executes. MPI's profiling
// interface replaces the functions in which a rank waits for others by functions that say so first,
// and measure the time.

#include "ranks/doing.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <map>
#include <vector>

#include "common/clock.hpp"

namespace harness {

wire::RankState*& rank_state() {
    static wire::RankState* state = nullptr;
    return state;
}

double& waited_ms() {
    static double ms = 0;
    return ms;
}

void say(wire::Doing doing, const std::string& text) {
    wire::RankState* state = rank_state();
    if (state == nullptr) return;
    std::snprintf(state->text, sizeof state->text, "%s", text.c_str());
    state->doing = doing;
    ++state->changes;
}

namespace {

/// Says that the rank waits in an MPI function, and at the end that it computes again.
class Waiting {
  public:
    explicit Waiting(const std::string& where) {
        if (rank_state() == nullptr || rank_state()->doing != wire::Doing::computing) return;
        says_ = true;
        say(wire::Doing::waiting, where);
    }
    ~Waiting() {
        waited_ms() += common::ms_since(start_);
        if (says_) say(wire::Doing::computing);
    }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

  private:
    bool says_ = false;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::string peer(const char* preposition, int rank, int tag) {
    if (rank == MPI_PROC_NULL) return fmt::format("{} nobody", preposition);
    if (rank == MPI_ANY_SOURCE) return fmt::format("{} any rank (tag {})", preposition, tag);
    return fmt::format("{} rank {} (tag {})", preposition, rank, tag);
}

/// Notes a message, for the process that watches.
void note_sent(int to, int tag) {
    wire::RankState* state = rank_state();
    if (state == nullptr || to == MPI_PROC_NULL) return;
    state->sent[state->sent_count % wire::RankState::most_sent] = {to, tag};
    ++state->sent_count;
}

/// The messages of requests that have not been waited for.
std::map<MPI_Request, std::string>& open_requests() {
    static std::map<MPI_Request, std::string> all;
    return all;
}

std::string messages_of(const MPI_Request* requests, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
        const auto entry = open_requests().find(requests[i]);
        if (entry != open_requests().end()) text += (text.empty() ? " " : " and ") + entry->second;
    }
    return text;
}

}  // namespace
}  // namespace harness

// The signatures are those of the MPI standard, and so the names differ in style.
extern "C" {

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    const harness::Waiting waiting("MPI_Send " + harness::peer("to", to, tag));
    harness::note_sent(to, tag);
    return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
    const harness::Waiting waiting("MPI_Recv " + harness::peer("from", from, tag));
    return PMPI_Recv(data, count, type, from, tag, comm, status);
}

int MPI_Sendrecv(const void* sent, int sent_count, MPI_Datatype sent_type, int to, int sent_tag,
                 void* got, int got_count, MPI_Datatype got_type, int from, int got_tag,
                 MPI_Comm comm, MPI_Status* status) {
    const harness::Waiting waiting("MPI_Sendrecv " + harness::peer("to", to, sent_tag) + " and " +
                                   harness::peer("from", from, got_tag));
    harness::note_sent(to, sent_tag);
    return PMPI_Sendrecv(sent, sent_count, sent_type, to, sent_tag, got, got_count, got_type, from,
                         got_tag, comm, status);
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
    harness::note_sent(to, tag);
    const int status = PMPI_Isend(data, count, type, to, tag, comm, request);
    harness::open_requests()[*request] = harness::peer("to", to, tag);
    return status;
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
    const int status = PMPI_Irecv(data, count, type, from, tag, comm, request);
    harness::open_requests()[*request] = harness::peer("from", from, tag);
    return status;
}

int MPI_Iallreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
    const int status = PMPI_Iallreduce(in, out, count, type, op, comm, request);
    harness::open_requests()[*request] = "for the sum of all ranks";
    return status;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    const harness::Waiting waiting("MPI_Wait" + harness::messages_of(request, 1));
    harness::open_requests().erase(*request);
    return PMPI_Wait(request, status);
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
    const harness::Waiting waiting("MPI_Waitall" + harness::messages_of(requests, count));
    for (int i = 0; i < count; ++i) harness::open_requests().erase(requests[i]);
    return PMPI_Waitall(count, requests, statuses);
}

int MPI_Barrier(MPI_Comm comm) {
    const harness::Waiting waiting("MPI_Barrier");
    return PMPI_Barrier(comm);
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    const harness::Waiting waiting(fmt::format("MPI_Bcast of rank {}", root));
    return PMPI_Bcast(data, count, type, root, comm);
}

int MPI_Scan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const harness::Waiting waiting("MPI_Scan");
    return PMPI_Scan(in, out, count, type, op, comm);
}

int MPI_Exscan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const harness::Waiting waiting("MPI_Exscan");
    return PMPI_Exscan(in, out, count, type, op, comm);
}

int MPI_Reduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
    const harness::Waiting waiting(fmt::format("MPI_Reduce to rank {}", root));
    return PMPI_Reduce(in, out, count, type, op, root, comm);
}

int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
    const harness::Waiting waiting("MPI_Allreduce");
    return PMPI_Allreduce(in, out, count, type, op, comm);
}

}  // extern "C"
