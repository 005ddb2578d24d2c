#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "common/error.hpp"
#include "harness/bench.hpp"
#include "supervisor.hpp"
#include "worker_environment.hpp"

namespace common {

using nlohmann::json;

bool is_bench_worker() {
    return std::getenv(worker_orders) != nullptr;
}

bool is_later_bench_worker() {
    return is_bench_worker() && !WorkerChannel().orders().skipped.empty();
}

WorkerChannel::WorkerChannel() {
    const char* text = std::getenv(worker_orders);
    if (text == nullptr) throw std::runtime_error("not a worker of a benchmark");
    const json orders = json::parse(text);
    descriptor_ = orders.at("descriptor");
    orders_.experiment = orders.at("experiment");
    orders_.problem = orders.at("problem");
    for (const json& place : orders.at("skipped")) {
        orders_.skipped.push_back({place.at(0), place.at(1), place.at(2)});
    }
    orders_.left_out = orders.at("left_out").get<std::vector<std::string>>();
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // whoever stops the supervisor stops the worker too
}

void WorkerChannel::send(const json& message) {
    const std::string line = message.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
    for (std::size_t sent = 0; sent < line.size();) {
        const ssize_t count = write(descriptor_, line.data() + sent, line.size() - sent);
        if (count < 0 && errno != EINTR) throw Failed("the benchmark's supervisor is gone");
        if (count > 0) sent += static_cast<std::size_t>(count);
    }
}

void WorkerChannel::begin_experiment(int experiment, const std::vector<std::string>& columns) {
    send({{"begin", experiment}, {"columns", columns}});
}

void WorkerChannel::announce(const TrialPlace& place, const std::string& variant,
                             const std::string& what) {
    send({{"now", {place.experiment, place.problem, place.trial}},
          {"variant", variant},
          {"what", what}});
}

void WorkerChannel::nobody() {
    send({{"now", nullptr}});
}

void WorkerChannel::problem_done(const std::vector<ResultRow>& rows) {
    json list = json::array();
    for (const ResultRow& row : rows) {
        list.push_back({{"fields", row.fields}, {"samples", row.samples}, {"noisy", row.noisy}});
    }
    send({{"rows", list}});
}

void WorkerChannel::end_experiment() {
    send({{"end", true}});
}

void WorkerChannel::device_fault(const std::string& what) {
    send({{"device_fault", what}});
}

void WorkerChannel::finished() {
    send({{"finished", true}});
}

}  // namespace common
