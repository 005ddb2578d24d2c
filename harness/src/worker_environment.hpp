#pragma once

namespace common {

/// The environment variable with a worker's orders.
inline constexpr char worker_orders[] = "LABS_BENCH_WORKER";

}  // namespace common
