#include "harness/ranks.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "common/clock.hpp"
#include "common/error.hpp"
#include "ranks/pool.hpp"

namespace harness {

using namespace common;
namespace {

/// The processes of this program, and the number of the runner whose rows they hold.
struct Shared {
    std::unique_ptr<RankPool> pool;
    std::uint64_t holder = 0;
    std::uint64_t runners = 0;

    RankPool& with(int ranks) {
        if (pool && pool->alive() && pool->ranks() >= ranks) return *pool;
        pool.reset();
        holder = 0;
        pool = std::make_unique<RankPool>(ranks);
        return *pool;
    }
};

Shared& shared() {
    static Shared all;
    return all;
}

}  // namespace

std::vector<int> first_rows_of_ranks(int height, int halo, int ranks) {
    const int active = std::clamp(height / std::max(halo, 1), 1, ranks);
    std::vector<int> first;
    for (std::int64_t rank = 0; rank <= active; ++rank) {
        first.push_back(static_cast<int>(height * rank / active));
    }
    return first;
}

RankRunner::RankRunner(RankCall call, cv::Mat in, const Shape& out)
    : call_(std::move(call)), in_(std::move(in)), out_(out), number_(++shared().runners) {}

double RankRunner::request(bool load, bool run, cv::Mat* out, bool hash) {
    RankPool& pool = shared().with(call_.ranks);
    if (shared().holder != number_) load = true;
    const Shape in = Shape::of(in_);
    wire::Request request{
        .function = {},
        .options_bytes = static_cast<std::int32_t>(call_.options.size()),
        .ranks = call_.ranks,
        .fill = fill_,
        .in_width = in.width,
        .in_height = in.height,
        .in_type = in.type,
        .out_width = out_.width,
        .out_height = out_.height,
        .out_type = out_.type,
        .load = load,
        .run = run,
        .hash = hash,
        .fetch = out != nullptr,
    };
    rank_function_key(call_.variant, static_cast<std::size_t>(CV_ELEM_SIZE1(out_.type)))
        .copy(request.function, sizeof request.function - 1);
    shared().holder = 0;  // in case of an error
    const wire::Reply reply = pool.request(request, call_.options, in_, out, call_.variant);
    shared().holder = number_;
    if (run) communication_ms_ = reply.communication_ms;
    fingerprint_ = reply.fingerprint;
    return reply.kernel_ms;
}

double RankRunner::call(cv::Mat& out) {
    const auto start = std::chrono::steady_clock::now();
    request(true, true, &out);
    return ms_since(start);
}

double RankRunner::kernel() {
    return request(false, true, nullptr);
}

std::uint64_t RankRunner::fingerprint() {
    request(false, false, nullptr, true);
    return fingerprint_;
}

void RankRunner::fetch(cv::Mat& out) {
    request(false, false, &out);
}

void RankCall::operator()(const cv::Mat& in, cv::Mat& out) const {
    RankRunner runner(*this, in, Shape::of(out));
    runner.fill_output(*out.ptr(0));  // what is not written keeps its value
    runner.call(out);
}

}  // namespace harness
