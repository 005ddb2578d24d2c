#pragma once

#include <span>
#include <string>

#include "ranks/wire.hpp"

namespace harness {

/// Says what this rank does, and what it waits for, in the file that the harness watches. Does
/// nothing if the rank has no such file, as on another machine.
void say(wire::Doing doing, const std::string& text = "",
         std::span<const wire::Message> awaited = {});

/// The state that `say` changes; null if there is none.
wire::RankState*& rank_state();

/// The time that this rank has spent in MPI functions that wait for others, in the functions of
/// variants.
double& waited_ms();

/// The functions that started the requests that are not complete, with their messages, such as
/// "MPI_Irecv from rank 0 (tag 1)"; empty if all are complete. Forgets them.
std::string take_open_requests();

}  // namespace harness
