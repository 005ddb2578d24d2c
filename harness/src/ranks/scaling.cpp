#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "harness/device.hpp"
#include "harness/experiments.hpp"
#include "harness/machine.hpp"
#include "harness/measure.hpp"
#include "harness/statistics.hpp"
#include "ranks/ping_pong.hpp"

namespace harness {
namespace {

std::vector<int> powers_of_two_up_to(int most) {
    std::vector<int> numbers;
    for (int number = 1; number < most; number *= 2) numbers.push_back(number);
    numbers.push_back(most);
    return numbers;
}

/// Half of the time of a round trip, the median of several measurements.
double message_us(std::size_t bytes) {
    PingPong options;
    options.ranks = 2;
    options.round_trips = bytes < 65'536 ? 200 : 20;
    const cv::Mat rows(2, static_cast<int>(std::max<std::size_t>(bytes, 1)), CV_8UC1,
                       cv::Scalar(1));
    RankRunner runner(ping_pong_call(options), rows, Shape::of(rows));
    std::vector<double> ms;
    for (int i = 0; i < 7; ++i) ms.push_back(runner.kernel());
    return 1000 * statistics(ms).median / (2 * options.round_trips);
}

/// Measured when it is needed first.
class Links {
  public:
    const Link& link() {
        if (!link_) link_ = fit_link(times());
        return *link_;
    }
    double message(std::size_t bytes) {
        const auto [entry, is_new] = messages_.try_emplace(bytes, 0.0);
        if (is_new) entry->second = message_us(bytes);
        return entry->second;
    }

    /// Messages of 1 byte to 1 MiB, as rows of the experiment, once.
    std::vector<std::vector<std::string>> rows() {
        std::vector<std::vector<std::string>> all;
        if (std::exchange(written_, true)) return all;
        for (const MessageTime& time : times()) {
            all.push_back({"link", "2", "1", "", "", fmt::format("{}", time.bytes),
                           fmt::format("{:.2f}", time.us), fmt::format("{:.2f}", link().latency_us),
                           fmt::format("{:.3f}", link().bytes_per_us / 1000), "", ""});
        }
        return all;
    }

  private:
    std::vector<MessageTime> times_;
    std::optional<Link> link_;
    std::map<std::size_t, double> messages_;
    bool written_ = false;

    const std::vector<MessageTime>& times() {
        for (std::size_t bytes = 1; times_.size() < 11; bytes *= 4) {
            times_.push_back({static_cast<double>(bytes), message_us(bytes)});
        }
        return times_;
    }
};

std::vector<std::vector<std::string>> lines_of(const Trial& trial, Runner& runner,
                                               const std::string& scaling, const Exchange& exchange,
                                               std::size_t bytes, Links& links) {
    const bool in_ranks = trial.job.in_ranks() != nullptr;
    std::vector<double> communication;
    std::vector<double> kernel;
    for (int i = 0; i < 5 && in_ranks; ++i) {
        kernel.push_back(runner.kernel());
        communication.push_back(runner.communication_ms());
    }
    std::vector<std::string> line{scaling, std::to_string(in_ranks ? trial.options.ranks : 0),
                                  std::to_string(trial.options.threads)};
    if (!in_ranks || trial.options.ranks < 2) {
        line.resize(rank_columns.size());
        return {line};
    }
    const double ms = statistics(communication).median;
    const Link& link = links.link();
    line.push_back(fmt::format("{:.4f}", ms));
    line.push_back(fmt::format("{:.2f}", 100 * ms / statistics(kernel).median));
    line.push_back(std::to_string(bytes));
    line.push_back(fmt::format("{:.2f}", links.message(bytes)));
    line.push_back(fmt::format("{:.2f}", link.latency_us));
    line.push_back(fmt::format("{:.3f}", link.bytes_per_us / 1000));
    line.push_back(std::to_string(exchange.messages(trial.options.ranks)));
    line.push_back(std::to_string(exchange.messages(64)));
    std::vector<std::vector<std::string>> lines = links.rows();
    lines.insert(lines.begin(), line);
    return lines;
}

/// The trials of `make` for every division of the cores among `ranks`.
void add_trials(Problem& problem, const BenchRequest& request, std::string_view threaded, int ranks,
                const Shape& size, const ProblemOfSize& make) {
    const auto add = [&](int threads, const auto& wanted) {
        BenchRequest part = request;
        std::erase_if(part.variants, [&](const VariantInfo& info) { return !wanted(info); });
        part.options.ranks = ranks;
        part.options.threads = threads;
        Problem made = make(size.width, size.height, part);
        if (problem.trials.empty()) {
            problem = std::move(made);
        } else {
            std::ranges::move(made.trials, std::back_inserter(problem.trials));
        }
    };
    const auto is_mpi = [](const VariantInfo& info) {
        return info.backend == Backend::mpi && info.name != "mpi_nccl";
    };
    add(ranks, [&](const VariantInfo& info) { return is_mpi(info) || info.name == threaded; });
    if (ranks < cpu_cores()) add(cpu_cores(), is_mpi);
}

/// mpi_nccl on 1, 2, 4, … GPUs, and cuda_best on one.
void add_gpu_problems(std::vector<Problem>& problems, const BenchRequest& request,
                      const std::vector<cv::Size>& sizes, const ProblemOfSize& make) {
    const auto add = [&](int gpus, int width, int height, const char* scaling) {
        BenchRequest part = request;
        part.options.ranks = gpus;
        std::erase_if(part.variants, [&](const VariantInfo& info) {
            return info.name != "mpi_nccl" && (info.name != "cuda_best" || gpus > 1);
        });
        if (part.variants.empty()) return;
        Problem problem = make(width, height, part);
        for (Trial& trial : problem.trials) trial.kernel_only = true;
        problem.measured = [=](const Trial& trial, Runner&) {
            const int ranks = trial.job.in_ranks() != nullptr ? gpus : 0;
            std::vector<std::string> line{scaling, std::to_string(ranks)};
            line.resize(rank_columns.size());
            return std::vector<std::vector<std::string>>{line};
        };
        problems.push_back(std::move(problem));
    };
    const auto wanted = [](const VariantInfo& info) { return info.name == "mpi_nccl"; };
    if (std::ranges::none_of(request.variants, wanted)) return;
    const std::vector<int> counts = powers_of_two_up_to(std::max(device_facts().gpus, 1));
    for (const cv::Size size : sizes) {
        for (const int gpus : counts) add(gpus, size.width, size.height, "gpus");
    }
    for (const int gpus : counts) {
        add(gpus, sizes.front().width, gpus * sizes.front().height, "gpus-weak");
    }
}

}  // namespace

int doubling_steps(int ranks) {
    return std::bit_width(static_cast<unsigned>(ranks - 1));
}

int two_neighbours(int ranks) {
    return std::min(ranks - 1, 2);
}

std::vector<Problem> rank_problems(const BenchRequest& request, std::string_view threaded,
                                   const Shape& size, const ProblemOfSize& make,
                                   const Exchange& exchange, int largest_side) {
    const auto links = std::make_shared<Links>();
    const std::vector<int> counts = powers_of_two_up_to(std::max(cpu_cores(), 2));
    std::vector<Problem> problems;
    const auto add_problem = [&](int ranks, const Shape& shape, const char* scaling) {
        Problem problem;
        add_trials(problem, request, threaded, ranks, shape, make);
        if (problem.trials.empty()) return;
        problem.measured = [links, scaling, exchange, bytes = exchange.bytes(size.width)](
                               const Trial& trial, Runner& runner) {
            return lines_of(trial, runner, scaling, exchange, bytes, *links);
        };
        problems.push_back(std::move(problem));
    };
    for (const int ranks : counts) add_problem(ranks, size, "strong");
    const int rows = std::max(size.height / counts.back(), 1);  // of a rank, in weak scaling
    for (const int ranks : counts) {
        add_problem(ranks, {size.width, rows * ranks, size.type}, "weak");
    }
    std::vector<cv::Size> on_gpus{{size.width, size.height}};
    if (request.full) on_gpus = {{7680, 4320}};
    for (int side = 16384; request.full && side <= largest_side; side *= 2) {
        on_gpus.emplace_back(side, side);
    }
    add_gpu_problems(problems, request, on_gpus, make);
    return problems;
}

Link fit_link(const std::vector<MessageTime>& times) {
    // minimises the sum of ((a + b n - t) / t)^2
    double s = 0, sn = 0, snn = 0, st = 0, snt = 0;
    for (const auto& [bytes, us] : times) {
        const double weight = 1 / (us * us);
        s += weight;
        sn += weight * bytes;
        snn += weight * bytes * bytes;
        st += weight * us;
        snt += weight * bytes * us;
    }
    const double determinant = s * snn - sn * sn;
    const double per_byte = (s * snt - sn * st) / determinant;
    return {(snn * st - sn * snt) / determinant, 1 / per_byte};
}

}  // namespace harness
