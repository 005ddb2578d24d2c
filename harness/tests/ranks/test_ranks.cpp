// Variants of the backend mpi with planted mistakes: every one ends in an error that names the
// rank.

#include "harness/ranks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <vector>

#include "common/error.hpp"
#include "common/ranks.hpp"
#include "harness/experiments.hpp"
#include "harness/scenes.hpp"
#include "harness/testing.hpp"

namespace {

using common::ImageView;
using common::Ranks;
using common::RunOptions;
using Pixel = std::uint8_t;
using Variant = common::Variant<Pixel, Pixel, RunOptions>;

/// The right output: every value plus that of the row above, 0 above the first row.
void add_above(ImageView<Pixel> in, ImageView<Pixel> out, const Ranks& ranks) {
    const auto width = static_cast<int>(in.row_length());
    MPI_Sendrecv(in.row(in.height - 1), width, MPI_BYTE, ranks.below(), 0, in.row(-1), width,
                 MPI_BYTE, ranks.above(), 0, ranks.comm, MPI_STATUS_IGNORE);
    for (int y = 0; y < in.height; ++y) {
        for (int i = 0; i < width; ++i) {
            const int above = ranks.first_row + y > 0 ? in.row(y - 1)[i] : 0;
            out.row(y)[i] = static_cast<Pixel>(in.row(y)[i] + above);
        }
    }
}

void right(ImageView<Pixel> in, ImageView<Pixel> out, const RunOptions&, const Ranks& ranks) {
    add_above(in, out, ranks);
}
/// Receives no row of the neighbour.
void no_exchange(ImageView<Pixel> in, ImageView<Pixel> out, const RunOptions&, const Ranks& ranks) {
    for (int y = 0; y < in.height; ++y) {
        for (int i = 0; i < in.row_length(); ++i) {
            const int above = ranks.first_row + y > 0 ? in.row(y - 1)[i] : 0;
            out.row(y)[i] = static_cast<Pixel>(in.row(y)[i] + above);
        }
    }
}
void crashes(ImageView<Pixel>, ImageView<Pixel>, const RunOptions&, const Ranks& ranks) {
    if (ranks.rank == 1) std::raise(SIGSEGV);
    MPI_Barrier(ranks.comm);
}
void is_killed(ImageView<Pixel>, ImageView<Pixel>, const RunOptions&, const Ranks& ranks) {
    if (ranks.rank == 2) std::raise(SIGKILL);
    MPI_Barrier(ranks.comm);
}
void exits(ImageView<Pixel>, ImageView<Pixel>, const RunOptions&, const Ranks& ranks) {
    if (ranks.rank == 0) std::exit(0);
    MPI_Barrier(ranks.comm);
}
void throws(ImageView<Pixel>, ImageView<Pixel>, const RunOptions&, const Ranks& ranks) {
    if (ranks.rank == 1) throw std::runtime_error("out of luck");
}
void throws_while_others_wait(ImageView<Pixel>, ImageView<Pixel>, const RunOptions&,
                              const Ranks& ranks) {
    if (ranks.rank == 1) throw std::runtime_error("out of luck");
    MPI_Barrier(ranks.comm);
}
void refuses(ImageView<Pixel>, ImageView<Pixel>, const RunOptions&, const Ranks&) {
    throw common::Unsupported("not for me");
}
void not_done(ImageView<Pixel>, ImageView<Pixel>, const RunOptions&, const Ranks&) {
    throw common::NotDoneYet();
}
/// Every rank receives from the next one, and none sends.
void deadlock(ImageView<Pixel> in, ImageView<Pixel>, const RunOptions&, const Ranks& ranks) {
    MPI_Recv(in.row(-1), 1, MPI_BYTE, (ranks.rank + 1) % ranks.count, 7, ranks.comm,
             MPI_STATUS_IGNORE);
}
void wrong_tag(ImageView<Pixel> in, ImageView<Pixel>, const RunOptions&, const Ranks& ranks) {
    MPI_Request request;
    MPI_Isend(in.row(0), 1, MPI_BYTE, ranks.below(), 1, ranks.comm, &request);
    MPI_Recv(in.row(-1), 1, MPI_BYTE, ranks.above(), 2, ranks.comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}
/// Rank 0 skips a neighbour.
void wrong_neighbour(ImageView<Pixel> in, ImageView<Pixel>, const RunOptions&, const Ranks& ranks) {
    if (ranks.rank == 0) MPI_Send(in.row(0), 1, MPI_BYTE, 2, 0, ranks.comm);
    if (ranks.rank == 1) {
        MPI_Recv(in.row(-1), 1, MPI_BYTE, 0, 0, ranks.comm, MPI_STATUS_IGNORE);
    }
}
void all_receive_first(ImageView<Pixel> in, ImageView<Pixel>, const RunOptions&,
                       const Ranks& ranks) {
    if (ranks.rank > 1) return;
    MPI_Recv(in.row(-1), 1, MPI_BYTE, 1 - ranks.rank, 0, ranks.comm, MPI_STATUS_IGNORE);
    MPI_Send(in.row(0), 1, MPI_BYTE, 1 - ranks.rank, 0, ranks.comm);
}
/// With messages that MPI does not keep until they are received.
void all_send_first(ImageView<Pixel>, ImageView<Pixel>, const RunOptions&, const Ranks& ranks) {
    if (ranks.rank > 1) return;
    std::vector<Pixel> much(10'000'000);
    const auto bytes = static_cast<int>(much.size());
    MPI_Send(much.data(), bytes, MPI_BYTE, 1 - ranks.rank, 0, ranks.comm);
    MPI_Recv(much.data(), bytes, MPI_BYTE, 1 - ranks.rank, 0, ranks.comm, MPI_STATUS_IGNORE);
}
/// The message is longer than the room for it.
void truncated(ImageView<Pixel> in, ImageView<Pixel>, const RunOptions&, const Ranks& ranks) {
    MPI_Sendrecv(in.row(0), 8, MPI_BYTE, ranks.below(), 0, in.row(-1), 4, MPI_BYTE, ranks.above(),
                 0, ranks.comm, MPI_STATUS_IGNORE);
}
void writes_outside(ImageView<Pixel> in, ImageView<Pixel> out, const RunOptions&,
                    const Ranks& ranks) {
    add_above(in, out, ranks);
    if (ranks.rank == 1) out.row(out.height)[0] = 1;
}
/// The received row is used without MPI_Wait.
void no_wait(ImageView<Pixel> in, ImageView<Pixel>, const RunOptions&, const Ranks& ranks) {
    MPI_Request request;
    if (ranks.rank == 0) MPI_Send(in.row(0), 1, MPI_BYTE, 1, 3, ranks.comm);
    if (ranks.rank == 1) MPI_Irecv(in.row(-1), 1, MPI_BYTE, 0, 3, ranks.comm, &request);
}
/// The function through which the requests are completed follows from the number of columns.
void completes_in_other_ways(ImageView<Pixel> in, ImageView<Pixel> out, const RunOptions&,
                             const Ranks& ranks) {
    MPI_Request requests[2];
    const auto bytes = static_cast<int>(in.row_length());
    MPI_Irecv(in.row(-1), bytes, MPI_BYTE, ranks.above(), 0, ranks.comm, &requests[0]);
    MPI_Isend(in.row(in.height - 1), bytes, MPI_BYTE, ranks.below(), 0, ranks.comm, &requests[1]);
    int indices[2];
    for (int done = 0, some = 0; done < 2; done += some) {
        some = 0;
        const int way = in.width % 5;
        if (way == 0) MPI_Waitsome(2, requests, &some, indices, MPI_STATUSES_IGNORE);
        if (way == 1) MPI_Testsome(2, requests, &some, indices, MPI_STATUSES_IGNORE);
        if (way == 2) MPI_Testany(2, requests, indices, &some, MPI_STATUS_IGNORE);
        if (way == 3) {
            MPI_Waitany(2, requests, indices, MPI_STATUS_IGNORE);
            some = 1;
        }
        if (way == 4) {
            MPI_Testall(2, requests, &some, MPI_STATUSES_IGNORE);
            some *= 2;
        }
    }
    for (int y = 0; y < in.height; ++y) {
        for (int i = 0; i < bytes; ++i) {
            const int above = ranks.first_row + y > 0 ? in.row(y - 1)[i] : 0;
            out.row(y)[i] = static_cast<Pixel>(in.row(y)[i] + above);
        }
    }
}
void never_ends(ImageView<Pixel>, ImageView<Pixel>, const RunOptions&, const Ranks& ranks) {
    while (ranks.rank == 0) usleep(1000);
}

/// The number of CPUs that the rank may use.
int usable_cpus() {
    cpu_set_t cpus;
    return sched_getaffinity(0, sizeof cpus, &cpus) == 0 ? CPU_COUNT(&cpus) : 0;
}
void writes_usable_cpus(ImageView<Pixel>, ImageView<Pixel> out, const RunOptions&, const Ranks&) {
    for (int y = 0; y < out.height; ++y) out.row(y)[0] = static_cast<Pixel>(usable_cpus());
}

int one_row(const RunOptions&) {
    return 1;
}

const std::vector<Variant>& planted() {
    const auto of = [](const char* name, Variant::HostRankFunction* function) {
        return Variant({name, common::Backend::mpi, ""}, function, one_row);
    };
    static const std::vector<Variant> all{of("right", right),
                                          of("no_exchange", no_exchange),
                                          of("crashes", crashes),
                                          of("is_killed", is_killed),
                                          of("exits", exits),
                                          of("throws", throws),
                                          of("throws_while_others_wait", throws_while_others_wait),
                                          of("refuses", refuses),
                                          of("not_done", not_done),
                                          of("deadlock", deadlock),
                                          of("wrong_tag", wrong_tag),
                                          of("wrong_neighbour", wrong_neighbour),
                                          of("all_receive_first", all_receive_first),
                                          of("all_send_first", all_send_first),
                                          of("truncated", truncated),
                                          of("writes_outside", writes_outside),
                                          of("no_wait", no_wait),
                                          of("completes_in_other_ways", completes_in_other_ways),
                                          of("never_ends", never_ends),
                                          of("writes_usable_cpus", writes_usable_cpus)};
    return all;
}
const bool is_registered = !planted().empty();  // in processes that are ranks, too

cv::Mat image(int width, int height) {
    return harness::make_scene("random", width, height, 3);
}

harness::RankRunner runner_of(const std::string& name, const cv::Mat& in, int ranks = 3) {
    for (const Variant& variant : planted()) {
        if (variant.name != name) continue;
        const harness::Job job = harness::bind(variant, RunOptions{.ranks = ranks, .block = {}});
        return {*job.in_ranks(), in, harness::Shape::of(in)};
    }
    throw std::out_of_range(name);
}

std::string error_of(const std::string& name) {
    const cv::Mat in = image(40, 30);
    cv::Mat out(in.size(), in.type());
    try {
        runner_of(name, in).call(out);
    } catch (const common::Failed& error) {
        return error.what();
    }
    return "no error";
}

cv::Mat expected(const cv::Mat& in) {
    cv::Mat out = in.clone();
    for (int y = 1; y < in.rows; ++y) {
        for (int i = 0; i < in.cols * 3; ++i) {
            out.ptr(y)[i] = static_cast<uchar>(in.ptr(y)[i] + in.ptr(y - 1)[i]);
        }
    }
    return out;
}

bool equal(const cv::Mat& a, const cv::Mat& b) {
    return cv::norm(a, b, cv::NORM_INF) == 0;
}

TEST(Ranks, rows_are_distributed_and_collected) {
    for (const int ranks : {7, 1, 2, 3, 4}) {
        for (const int height : {1, 2, 5, 8, 61}) {
            const cv::Mat in = image(13, height);
            cv::Mat out(in.size(), in.type());
            runner_of("right", in, ranks).call(out);
            EXPECT_TRUE(equal(out, expected(in))) << ranks << " ranks, " << height << " rows";
        }
    }
}

// The settings are those of `bench`. Ranks that inherit them share one core.
TEST(Ranks, settings_that_bind_threads_do_not_bind_ranks) {
    setenv("OMP_PROC_BIND", "spread", 1);
    setenv("OMP_PLACES", "cores", 1);
    const cv::Mat in = image(13, 5);
    cv::Mat out(in.size(), in.type());
    runner_of("writes_usable_cpus", in, 5).call(out);
    unsetenv("OMP_PLACES");
    unsetenv("OMP_PROC_BIND");
    for (int y = 0; y < 5; ++y) EXPECT_EQ(out.ptr(y)[0], usable_cpus()) << "rank " << y;
}

TEST(Ranks, the_kernel_runs_without_distribution_on_the_rows_of_its_runner) {
    const cv::Mat in = image(13, 20);
    const cv::Mat other_in = image(17, 9);
    harness::RankRunner runner = runner_of("right", in);
    harness::RankRunner other = runner_of("right", other_in);
    cv::Mat out(in.size(), in.type());
    cv::Mat other_out(other_in.size(), in.type());
    EXPECT_GT(runner.kernel(), 0);
    other.kernel();
    runner.kernel();
    runner.fetch(out);
    EXPECT_TRUE(equal(out, expected(in)));
    other.call(other_out);
    EXPECT_TRUE(equal(other_out, expected(other_in)));
}

TEST(Ranks, a_missing_exchange_gives_a_wrong_output) {
    const cv::Mat in = image(40, 30);
    cv::Mat out(in.size(), in.type());
    runner_of("no_exchange", in).call(out);
    EXPECT_FALSE(equal(out, expected(in)));
}

TEST(Ranks, errors_name_the_rank) {
    EXPECT_EQ(error_of("crashes"), "crashes: rank 1 of 3 died: Segmentation fault");
    EXPECT_EQ(error_of("is_killed"), "is_killed: rank 2 of 3 was killed");
    EXPECT_EQ(error_of("exits"), "exits: rank 0 of 3 ended the program (exit)");
    EXPECT_EQ(error_of("throws"), "rank 1: out of luck");
    EXPECT_EQ(error_of("throws_while_others_wait"),
              "throws_while_others_wait: another rank waits, but rank 1: out of luck");
    EXPECT_EQ(error_of("writes_outside"), "rank 1: it writes outside its rows of the output");
    EXPECT_THAT(error_of("truncated"), testing::HasSubstr("got an error of MPI_Sendrecv"));
}

TEST(Ranks, a_request_that_is_not_complete_is_named) {
    EXPECT_EQ(error_of("no_wait"),
              "no_wait: rank 1 of 3 returned before MPI_Irecv from rank 0 (tag 3) completed: is "
              "MPI_Wait or MPI_Waitall missing?");
    for (int width = 10; width < 15; ++width) {
        const cv::Mat in = image(width, 20);
        cv::Mat out(in.size(), in.type());
        runner_of("completes_in_other_ways", in).call(out);
        EXPECT_TRUE(equal(out, expected(in))) << width;
    }
}

TEST(Ranks, a_deadlock_names_the_messages) {
    EXPECT_EQ(error_of("deadlock"),
              "deadlock: the ranks wait for each other: rank 0 waits in MPI_Recv from rank 1 (tag "
              "7), rank 1 waits in MPI_Recv from rank 2 (tag 7), rank 2 waits in MPI_Recv from "
              "rank 0 (tag 7); rank 1 has sent nothing to rank 0");
    EXPECT_EQ(
        error_of("wrong_tag"),
        "wrong_tag: the ranks wait for each other: rank 0 has finished, rank 1 waits in "
        "MPI_Recv from rank 0 (tag 2), rank 2 waits in MPI_Recv from rank 1 (tag 2); rank 0 has "
        "sent to rank 1 with tag 1, not 2: the tags differ");
}

TEST(Ranks, a_deadlock_names_the_mistake) {
    EXPECT_THAT(
        error_of("wrong_neighbour"),
        testing::HasSubstr("; rank 0 has sent to rank 2, not to rank 1: the wrong neighbour?"));
    EXPECT_THAT(error_of("all_receive_first"),
                testing::HasSubstr("; ranks 0 and 1 receive before they send"));
    EXPECT_THAT(error_of("all_send_first"),
                testing::HasSubstr("; ranks 0 and 1 send before they receive; MPI_Sendrecv does"));
}

TEST(Ranks, a_rank_that_never_ends_is_ended) {
    setenv("LABS_RANK_SECONDS", "1", 1);
    EXPECT_EQ(error_of("never_ends"), "never_ends: the ranks have not finished after 1 s");
    unsetenv("LABS_RANK_SECONDS");
}

TEST(Ranks, refusals_keep_their_type_and_the_ranks) {
    const cv::Mat in = image(40, 30);
    cv::Mat out(in.size(), in.type());
    EXPECT_THROW(runner_of("refuses", in).call(out), common::Unsupported);
    EXPECT_THROW(runner_of("not_done", in).call(out), common::NotDoneYet);
    runner_of("right", in).call(out);
    EXPECT_TRUE(equal(out, expected(in)));
}

TEST(Ranks, a_link_is_a_line_through_the_times_of_messages) {
    std::vector<harness::MessageTime> times;
    for (double bytes = 1; bytes < 1e6; bytes *= 4) times.push_back({bytes, 2.5 + bytes / 4000});
    const harness::Link link = harness::fit_link(times);
    EXPECT_NEAR(link.latency_us, 2.5, 1e-6);
    EXPECT_NEAR(link.bytes_per_us, 4000, 1e-3);
    EXPECT_NEAR(link.message_us(8000), 4.5, 1e-6);
}

TEST(Ranks, messages_one_after_the_other) {
    EXPECT_EQ(harness::two_neighbours(1), 0);
    EXPECT_EQ(harness::two_neighbours(2), 1);
    EXPECT_EQ(harness::two_neighbours(64), 2);
    EXPECT_EQ(harness::doubling_steps(1), 0);
    EXPECT_EQ(harness::doubling_steps(7), 3);
    EXPECT_EQ(harness::doubling_steps(64), 6);
}

}  // namespace
