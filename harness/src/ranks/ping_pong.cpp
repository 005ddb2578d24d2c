// Two ranks send a message to and fro.

#include <mpi.h>

#include "common/ranks.hpp"
#include "common/variant.hpp"
#include "ranks/ping_pong.hpp"

namespace harness {

using namespace common;
namespace {

using Bytes = ImageView<std::uint8_t>;

/// Each rank has one row, which is the message.
void ping_pong(Bytes in, Bytes out, const PingPong& options, const Ranks& ranks) {
    const auto bytes = static_cast<int>(in.row_length());
    const int other = 1 - ranks.rank;
    for (int i = 0; i < options.round_trips; ++i) {
        if (ranks.rank == 0) MPI_Send(in.row(0), bytes, MPI_BYTE, other, 0, ranks.comm);
        MPI_Recv(out.row(0), bytes, MPI_BYTE, other, 0, ranks.comm, MPI_STATUS_IGNORE);
        if (ranks.rank == 1) MPI_Send(in.row(0), bytes, MPI_BYTE, other, 0, ranks.comm);
    }
}

}  // namespace

RankCall ping_pong_call(const PingPong& options) {
    static const Variant<std::uint8_t, std::uint8_t, PingPong> variant(
        {ping_pong_name, Backend::mpi, ""}, ping_pong);
    return *bind(variant, options).in_ranks();
}

}  // namespace harness
