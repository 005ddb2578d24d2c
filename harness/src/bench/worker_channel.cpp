#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include "bench/bench.hpp"
#include "bench/messages.hpp"
#include "common/error.hpp"

namespace harness {

using namespace common;

using nlohmann::json;

bool is_bench_worker() {
    return std::getenv(worker_task) != nullptr;
}

bool is_later_bench_worker() {
    return is_bench_worker() && !WorkerChannel().task().skipped.empty();
}

WorkerChannel::WorkerChannel() {
    const char* text = std::getenv(worker_task);
    if (text == nullptr) throw std::runtime_error("not a worker of a benchmark");
    task_ = json::parse(text);
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // the worker ends with the supervisor
}

void WorkerChannel::send(const json& message) const {
    const std::string line = message.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
    for (std::size_t sent = 0; sent < line.size();) {
        const ssize_t count = write(task_.descriptor, line.data() + sent, line.size() - sent);
        if (count < 0 && errno != EINTR) throw Failed("the benchmark's supervisor is gone");
        if (count > 0) sent += static_cast<std::size_t>(count);
    }
}

void WorkerChannel::begin_experiment(int experiment, const std::vector<std::string>& columns) {
    send({{"begin", experiment}, {"columns", columns}});
}

void WorkerChannel::begin_trial(const TrialPlace& place, const std::string& variant,
                                const std::string& what) {
    send({{"trial", place}, {"variant", variant}, {"what", what}});
}

void WorkerChannel::end_trial() {
    send({{"trial", nullptr}});
}

void WorkerChannel::problem_done(const std::vector<ResultRow>& rows) {
    send({{"rows", rows}});
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

}  // namespace harness
