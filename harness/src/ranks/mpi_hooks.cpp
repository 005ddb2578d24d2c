// Tells the process that watches a rank which MPI function the rank executes. MPI's profiling
// interface replaces the functions in which a rank waits for others by functions that say so first,
// and measure the time. They tell the emulation, if there is one, which memory MPI reads and
// writes.

#include "ranks/mpi_hooks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mpi.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/clock.hpp"

/// Null without the emulation.
extern "C" void emulation_host_uses(const void* data, std::size_t bytes, bool is_write)
    __attribute__((weak));

namespace harness {

wire::RankState*& rank_state() {
    static wire::RankState* state = nullptr;
    return state;
}

double& waited_ms() {
    static double ms = 0;
    return ms;
}

void say(wire::Doing doing, const std::string& text, std::span<const wire::Message> awaited) {
    wire::RankState* state = rank_state();
    if (state == nullptr) return;
    std::snprintf(state->text, sizeof state->text, "%s", text.c_str());
    state->awaited_count = 0;
    for (const wire::Message& message : awaited) {
        if (state->awaited_count == wire::RankState::most_messages) break;
        state->awaited[state->awaited_count++] = message;
    }
    state->doing = doing;
    ++state->changes;
}

namespace {

using wire::Message;

std::string text_of(const Message& message) {
    if (message.kind == Message::sum) return "for the sum of all ranks";
    const char* preposition = message.kind == Message::to ? "to" : "from";
    if (message.rank == MPI_PROC_NULL) return fmt::format("{} nobody", preposition);
    const bool any = message.rank == MPI_ANY_SOURCE;
    return fmt::format("{} {} (tag {})", preposition,
                       any ? "any rank" : fmt::format("rank {}", message.rank), message.tag);
}

/// Says that the rank waits in an MPI function, and at the end that it computes again.
class Waiting {
  public:
    explicit Waiting(std::string where, const std::vector<Message>& messages = {}) {
        if (rank_state() == nullptr || rank_state()->doing != wire::Doing::computing) return;
        says_ = true;
        const char* separator = " ";
        for (const Message& message : messages) {
            where += std::exchange(separator, " and ") + text_of(message);
        }
        say(wire::Doing::waiting, where, messages);
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

/// Notes a message, for the process that watches.
void note_sent(int to, int tag) {
    wire::RankState* state = rank_state();
    if (state == nullptr || to == MPI_PROC_NULL) return;
    state->sent[state->sent_count % wire::RankState::most_messages] = {Message::to, to, tag};
    ++state->sent_count;
}

/// The messages of the requests that are not complete.
std::map<MPI_Request, Message>& open_requests() {
    static std::map<MPI_Request, Message> all;
    return all;
}

std::vector<Message> messages_of(const MPI_Request* requests, int count) {
    std::vector<Message> messages;
    for (int i = 0; i < count; ++i) {
        const auto found = open_requests().find(requests[i]);
        if (found != open_requests().end()) messages.push_back(found->second);
    }
    return messages;
}

/// Calls an MPI function that may complete requests. MPI sets those to MPI_REQUEST_NULL.
template <class Call>
int completing(MPI_Request* requests, int count, const Call& call) {
    const std::vector<MPI_Request> before(requests, requests + count);
    const int status = call();
    for (int i = 0; i < count; ++i) {
        if (requests[i] == MPI_REQUEST_NULL) {
            open_requests().erase(before[static_cast<std::size_t>(i)]);
        }
    }
    return status;
}

/// Tells the emulation which memory MPI reads or writes. A message to or from MPI_PROC_NULL
/// accesses none; null and MPI_IN_PLACE are in no page-locked block.
void note_use(bool is_write, const void* data, int count, MPI_Datatype type, int peer = 0) {
    if (emulation_host_uses == nullptr || count <= 0 || peer == MPI_PROC_NULL ||
        type == MPI_DATATYPE_NULL) {
        return;
    }
    int bytes = 0;
    PMPI_Type_size(type, &bytes);
    emulation_host_uses(data, static_cast<std::size_t>(count) * static_cast<std::size_t>(bytes),
                        is_write);
}
void note_read(const void* data, int count, MPI_Datatype type, int to = 0) {
    note_use(false, data, count, type, to);
}
void note_write(const void* data, int count, MPI_Datatype type, int from = 0) {
    note_use(true, data, count, type, from);
}

int rank_in(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

const char* function_of(const Message& message) {
    return message.kind == Message::sum    ? "MPI_Iallreduce"
           : message.kind == Message::from ? "MPI_Irecv"
                                           : "MPI_Isend";
}

}  // namespace

std::string take_open_requests() {
    std::set<std::string> texts;
    for (const auto& [request, message] : std::exchange(open_requests(), {})) {
        if (message.rank == MPI_PROC_NULL) continue;
        texts.insert(fmt::format("{} {}", function_of(message), text_of(message)));
    }
    return fmt::format("{}", fmt::join(texts, " and "));
}

}  // namespace harness

using harness::wire::Message;

// The signatures are those of the MPI standard, and so the names differ in style.
extern "C" {

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    const harness::Waiting waiting("MPI_Send", {{Message::to, to, tag}});
    harness::note_sent(to, tag);
    harness::note_read(data, count, type, to);
    return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
    const harness::Waiting waiting("MPI_Recv", {{Message::from, from, tag}});
    harness::note_write(data, count, type, from);
    return PMPI_Recv(data, count, type, from, tag, comm, status);
}

int MPI_Sendrecv(const void* sent, int sent_count, MPI_Datatype sent_type, int to, int sent_tag,
                 void* got, int got_count, MPI_Datatype got_type, int from, int got_tag,
                 MPI_Comm comm, MPI_Status* status) {
    const harness::Waiting waiting("MPI_Sendrecv",
                                   {{Message::to, to, sent_tag}, {Message::from, from, got_tag}});
    harness::note_sent(to, sent_tag);
    harness::note_read(sent, sent_count, sent_type, to);
    harness::note_write(got, got_count, got_type, from);
    return PMPI_Sendrecv(sent, sent_count, sent_type, to, sent_tag, got, got_count, got_type, from,
                         got_tag, comm, status);
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
    harness::note_sent(to, tag);
    harness::note_read(data, count, type, to);
    const int status = PMPI_Isend(data, count, type, to, tag, comm, request);
    harness::open_requests()[*request] = {Message::to, to, tag};
    return status;
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
    harness::note_write(data, count, type, from);
    const int status = PMPI_Irecv(data, count, type, from, tag, comm, request);
    harness::open_requests()[*request] = {Message::from, from, tag};
    return status;
}

int MPI_Iallreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
    harness::note_read(in, count, type);
    harness::note_write(out, count, type);
    const int status = PMPI_Iallreduce(in, out, count, type, op, comm, request);
    harness::open_requests()[*request] = {Message::sum, MPI_ANY_SOURCE, 0};
    return status;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    const harness::Waiting waiting("MPI_Wait", harness::messages_of(request, 1));
    return harness::completing(request, 1, [&] { return PMPI_Wait(request, status); });
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
    const harness::Waiting waiting("MPI_Waitall", harness::messages_of(requests, count));
    return harness::completing(requests, count,
                               [&] { return PMPI_Waitall(count, requests, statuses); });
}

int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
    const harness::Waiting waiting("MPI_Waitany", harness::messages_of(requests, count));
    return harness::completing(requests, count,
                               [&] { return PMPI_Waitany(count, requests, index, status); });
}

int MPI_Waitsome(int count, MPI_Request requests[], int* completed, int indices[],
                 MPI_Status statuses[]) {
    const harness::Waiting waiting("MPI_Waitsome", harness::messages_of(requests, count));
    return harness::completing(requests, count, [&] {
        return PMPI_Waitsome(count, requests, completed, indices, statuses);
    });
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    return harness::completing(request, 1, [&] { return PMPI_Test(request, flag, status); });
}

int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
    return harness::completing(requests, count,
                               [&] { return PMPI_Testall(count, requests, flag, statuses); });
}

int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
    return harness::completing(requests, count,
                               [&] { return PMPI_Testany(count, requests, index, flag, status); });
}

int MPI_Testsome(int count, MPI_Request requests[], int* completed, int indices[],
                 MPI_Status statuses[]) {
    return harness::completing(requests, count, [&] {
        return PMPI_Testsome(count, requests, completed, indices, statuses);
    });
}

int MPI_Request_free(MPI_Request* request) {
    return harness::completing(request, 1, [&] { return PMPI_Request_free(request); });
}

int MPI_Barrier(MPI_Comm comm) {
    const harness::Waiting waiting("MPI_Barrier");
    return PMPI_Barrier(comm);
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    const harness::Waiting waiting(fmt::format("MPI_Bcast of rank {}", root));
    harness::note_use(harness::rank_in(comm) != root, data, count, type);
    return PMPI_Bcast(data, count, type, root, comm);
}

int MPI_Scan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const harness::Waiting waiting("MPI_Scan");
    harness::note_read(in, count, type);
    harness::note_write(out, count, type);
    return PMPI_Scan(in, out, count, type, op, comm);
}

int MPI_Exscan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const harness::Waiting waiting("MPI_Exscan");
    harness::note_read(in, count, type);
    if (harness::rank_in(comm) != 0) harness::note_write(out, count, type);
    return PMPI_Exscan(in, out, count, type, op, comm);
}

int MPI_Reduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
    const harness::Waiting waiting(fmt::format("MPI_Reduce to rank {}", root));
    harness::note_read(in, count, type);
    if (harness::rank_in(comm) == root) harness::note_write(out, count, type);
    return PMPI_Reduce(in, out, count, type, op, root, comm);
}

int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
    const harness::Waiting waiting("MPI_Allreduce");
    harness::note_read(in, count, type);
    harness::note_write(out, count, type);
    return PMPI_Allreduce(in, out, count, type, op, comm);
}

}  // extern "C"
