// Without MPI: nothing is ever started as a rank.

#include "harness/ranks.hpp"

#include "common/error.hpp"
#include "ranks/ping_pong.hpp"

namespace harness {

using namespace common;

bool built_with_mpi() {
    return false;
}

bool is_rank(int, const char* const*) {
    return false;
}

int serve_as_rank(int, const char* const*) {
    return 1;
}

RankCall ping_pong_call(const PingPong&) {
    throw Unavailable("this program was built without MPI");
}

}  // namespace harness
