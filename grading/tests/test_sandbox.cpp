// The sandbox itself, with a program that tries to leave it.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "sandbox/sandbox.hpp"
#include "sandbox/user.hpp"

namespace {

namespace fs = std::filesystem;
using grading::Clock;
using grading::Confined;
using grading::Sandbox;

class SandboxTest : public testing::TestWithParam<const char*> {
  protected:
    grading::Lease lease_;
    std::optional<Sandbox> sandbox_;

    void SetUp() override {
        setenv("LABS_GRADE_MODE", GetParam(), 1);
        try {
            sandbox_.emplace(Sandbox::find(lease_.user()));
        } catch (const common::Failed& none) {
            if (geteuid() == 0) FAIL() << none.what();
            GTEST_SKIP() << none.what();
        }
    }
    void TearDown() override { unsetenv("LABS_GRADE_MODE"); }

    /// The output of a shell in the sandbox, and "killed" if it takes longer than 5 s.
    std::string say(const std::string& script, grading::Limits limits = {.processes = 64}) const {
        const Confined confined{.arguments = {"/bin/sh", "-c", script},
                                .folder = "/usr",
                                .readable = {"/usr", "/lib", "/lib64", "/bin"},
                                .limits = limits};
        const auto process = sandbox_->start(confined);
        return process->wait(Clock::now() + std::chrono::seconds(5)) ? process->text() : "killed";
    }

    /// A program in Perl, which is in every Debian. A shell needs /dev/null to start processes, and
    /// the sandbox may not have it.
    std::unique_ptr<grading::Process> run_perl(const std::string& code, const std::string& argument,
                                               grading::Limits limits) const {
        const fs::path script = lease_.folder() / "script.pl";
        std::ofstream(script) << code;
        auto process = sandbox_->start({.arguments = {"/usr/bin/perl", script, argument},
                                        .folder = "/usr",
                                        .readable = {"/usr", "/lib", "/lib64", "/bin", script},
                                        .limits = limits});
        process->wait(Clock::now() + std::chrono::seconds(20));
        return process;
    }
};

TEST_P(SandboxTest, runs_a_program) {
    EXPECT_EQ(say("echo hello"), "hello\n");
}

TEST_P(SandboxTest, has_no_files_but_those_that_were_given) {
    std::ofstream(lease_.folder() / "secret") << "gold";
    EXPECT_EQ(say("cat " + (lease_.folder() / "secret").string() + " 2>&-; echo end"), "end\n");
    EXPECT_EQ(say("cat /etc/passwd 2>&-; echo end"), "end\n");
    EXPECT_EQ(say("echo x 2>&- >/usr/x; test -e /usr/x; echo $?"), "1\n");
}

TEST_P(SandboxTest, has_another_user) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can give one";
    EXPECT_NE(say("id -u"), "0\n");
    EXPECT_EQ(say("id -u"), std::to_string(*lease_.user()) + "\n");
}

TEST_P(SandboxTest, limits_processes) {
    const auto process = run_perl(R"(
        for my $count (1 .. $ARGV[0]) {
            my $child = fork;
            print($count), exit if !defined $child;
            sleep 100 if $child == 0;
        })",
                                  "200", {.processes = 64});
    const int count = std::atoi(process->text().c_str());
    EXPECT_GT(count, 10) << process->text();
    EXPECT_LE(count, 64) << process->text();
}

TEST_P(SandboxTest, limits_the_memory_of_all_processes_together) {
    if (sandbox_->description().at("limits") == "rlimits") GTEST_SKIP() << "no control groups";
    const auto processes_of_60_mb = R"(
        for (1 .. $ARGV[0]) {
            next if fork;
            my $bytes = 60e6;
            my $text = "x" x $bytes;
            sleep 1;
            syswrite STDOUT, "ended ";
            exit;
        }
        1 while wait > 0;)";
    const grading::Limits limits{.memory_bytes = 150 << 20};
    const auto one = run_perl(processes_of_60_mb, "1", limits);
    EXPECT_EQ(one->text(), "ended ");
    EXPECT_FALSE(one->ran_out_of_memory());
    const auto three = run_perl(processes_of_60_mb, "3", limits);
    EXPECT_NE(three->text(), "ended ended ended ");
    EXPECT_TRUE(three->ran_out_of_memory());
}

/// The control groups that a process has made.
std::vector<fs::path> groups_of(pid_t maker) {
    std::vector<fs::path> groups;
    const std::string name = "labs-grade-" + std::to_string(maker) + "-";
    for (const fs::path& folder : grading::CgroupPlace::find().folders) {
        for (const auto& entry : fs::directory_iterator(folder)) {
            if (entry.path().filename().string().starts_with(name)) groups.push_back(entry);
        }
    }
    return groups;
}

TEST_P(SandboxTest, removes_its_control_groups) {
    if (sandbox_->description().at("limits") == "rlimits") GTEST_SKIP() << "no control groups";
    {
        const auto process =
            sandbox_->start({.arguments = {"/bin/sh", "-c", "sleep 100 | sleep 100"},
                             .folder = "/usr",
                             .readable = {"/usr", "/lib", "/lib64", "/bin"}});
        EXPECT_FALSE(groups_of(getpid()).empty());
    }
    EXPECT_TRUE(groups_of(getpid()).empty());

    const pid_t killed = fork();
    if (killed == 0) {
        const auto process = sandbox_->start({.arguments = {"/bin/sleep", "100"},
                                              .folder = "/usr",
                                              .readable = {"/usr", "/lib", "/lib64", "/bin"}});
        raise(SIGKILL);
    }
    waitpid(killed, nullptr, 0);
    EXPECT_FALSE(groups_of(killed).empty());
    for (int i = 0; i < 100 && !groups_of(killed).empty(); ++i) {  // its process takes a moment
        usleep(20'000);
        say("true");
    }
    EXPECT_TRUE(groups_of(killed).empty());
}

/// So does a child of bubblewrap whose parent was killed before it had set up the namespace.
TEST(Cgroup, ends_a_process_that_outlives_a_killed_grader) {
    std::optional<grading::CgroupPlace> place;
    try {
        place = grading::CgroupPlace::find();
    } catch (const common::Failed& none) {
        GTEST_SKIP() << none.what();
    }
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t grader = fork();
    if (grader == 0) {
        const grading::Cgroup group(*place, 64 << 20, 16);
        const pid_t orphan = fork();
        if (orphan == 0) {
            if (!group.join() || write(ready[1], "", 1) != 1) _exit(1);
            alarm(20);  // if nobody ends it
            pause();
        }
        char byte;
        if (read(ready[0], &byte, 1) != 1) _exit(1);
        raise(SIGKILL);
    }
    int status = 0;
    waitpid(grader, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_FALSE(groups_of(grader).empty());
    const grading::Cgroup of_the_next(*place, 64 << 20, 16);
    EXPECT_TRUE(groups_of(grader).empty());
}

/// 283: timerfd_create, 330: pkey_alloc, 425: io_uring_setup, 444: landlock_create_ruleset. No list
/// of what is dangerous has all of them.
TEST_P(SandboxTest, has_only_system_calls_that_compilers_need) {
    const auto process = run_perl(R"(
        for my $number (283, 330, 425, 444) {
            print "$number " if syscall($number, 0, 0, 0) >= 0 || !$!{ENOSYS};
        }
        print "end";)",
                                  "", {});
    EXPECT_EQ(process->text(), "end");
}

TEST_P(SandboxTest, leaves_no_process_behind) {
    const std::string mark = std::to_string(900000 + getpid());
    EXPECT_EQ(say("setsid sleep " + mark + " | sleep " + mark + " | sleep " + mark), "killed");
    for (const auto& entry : fs::directory_iterator("/proc")) {
        std::ifstream file(entry.path() / "cmdline");
        std::string words((std::istreambuf_iterator<char>(file)), {});
        EXPECT_EQ(words.find("sleep" + std::string(1, '\0') + mark), std::string::npos);
    }
}

TEST_P(SandboxTest, ends_with_its_parent) {
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    const pid_t parent = fork();
    if (parent == 0) {
        const auto process = sandbox_->start({.arguments = {"/bin/sleep", "100"},
                                              .folder = "/usr",
                                              .readable = {"/usr", "/lib", "/lib64", "/bin"}});
        const pid_t id = process->id();
        if (write(pipe_ends[1], &id, sizeof id) != sizeof id) _exit(1);
        pause();
    }
    pid_t id = 0;
    ASSERT_EQ(read(pipe_ends[0], &id, sizeof id), static_cast<ssize_t>(sizeof id));
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    for (int i = 0; i < 100 && waitpid(id, nullptr, WNOHANG) != id && kill(id, 0) == 0; ++i) {
        usleep(20'000);
    }
    std::ifstream state("/proc/" + std::to_string(id) + "/stat");
    std::string line;
    std::getline(state, line);
    EXPECT_TRUE(line.empty() || line.find(") Z") != std::string::npos) << line;
}

TEST_P(SandboxTest, keeps_64_kb_of_output) {
    EXPECT_EQ(say("head -c 1000000 /usr/bin/bash").size(), 64u << 10);
}

INSTANTIATE_TEST_SUITE_P(modes, SandboxTest, testing::Values("bubblewrap", "gradescope"),
                         [](const auto& test) { return std::string(test.param); });

/// The exit code of `act` in a child process.
template <class Act>
int in_child(Act act) {
    const pid_t child = fork();
    if (child == 0) _exit(act());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

std::string why_none() {
    try {
        const Sandbox sandbox = Sandbox::find(std::nullopt);
        return "";
    } catch (const common::Failed& failed) {
        return failed.what();
    }
}

TEST(SandboxRefuses, with_the_reason_and_a_way_out) {
    if (geteuid() != 0) GTEST_SKIP() << "as root";
    const auto is_refused = [](const char* mode, uid_t user, const std::string& reason) {
        return in_child([&] {
            setenv("LABS_GRADE_MODE", mode, 1);
            if (setresuid(user, user, user) != 0) return 2;
            const std::string said = why_none();
            if (said.find(reason) != std::string::npos) return 0;
            std::fprintf(stderr, "'%s' instead of '%s'\n", said.c_str(), reason.c_str());
            return 1;
        });
    };
    EXPECT_EQ(is_refused("landlock", 0, "bubblewrap or gradescope is expected"), 0);
    EXPECT_EQ(is_refused("gradescope", 65534, "needs root"), 0);
    EXPECT_EQ(is_refused("bubblewrap", 65534, "systemd-run --user --scope -p Delegate=yes"), 0);
}

/// A process that holds a lease, with a TMPDIR of its own, until its end.
class OtherGrading {
  public:
    OtherGrading() : place_(fs::path(testing::TempDir()) / ("other-" + std::to_string(getpid()))) {
        fs::create_directory(place_);
        int ends[2];
        if (pipe(ends) != 0) throw std::runtime_error("pipe");
        id_ = fork();
        if (id_ == 0) {
            setenv("TMPDIR", place_.c_str(), 1);
            const grading::Lease lease;
            const uid_t user = lease.user().value_or(0);
            if (write(ends[1], &user, sizeof user) != sizeof user) _exit(1);
            while (true) pause();
        }
        if (read(ends[0], &user_, sizeof user_) != sizeof user_) throw std::runtime_error("read");
        close(ends[0]);
        close(ends[1]);
    }
    ~OtherGrading() {
        kill(id_, SIGKILL);
        waitpid(id_, nullptr, 0);
        fs::remove_all(place_);
    }
    OtherGrading(const OtherGrading&) = delete;
    OtherGrading& operator=(const OtherGrading&) = delete;

    uid_t user() const { return user_; }

  private:
    fs::path place_;
    pid_t id_ = 0;
    uid_t user_ = 0;
};

TEST(Lease, is_for_one_grading_of_the_machine) {
    if (geteuid() != 0) GTEST_SKIP() << "only root has user ids to give";
    const grading::Lease lease;
    const OtherGrading other;
    const OtherGrading third;
    EXPECT_NE(*lease.user(), other.user());
    EXPECT_NE(other.user(), third.user());
    EXPECT_NE(*lease.user(), third.user());
}

TEST(Lease, ends_no_process_of_others) {
    if (geteuid() != 0) GTEST_SKIP() << "only root has user ids to give";
    auto first = std::make_unique<grading::Lease>();
    const uid_t user = *first->user();
    const grading::Process running(
        {.arguments = {"/bin/sleep", "100"}, .environment = {}, .user = user});
    for (int i = 0; i < 100 && running.id() > 0; ++i) {
        std::ifstream words("/proc/" + std::to_string(running.id()) + "/comm");
        std::string name;
        if (words >> name && name == "sleep") break;
        usleep(10'000);
    }
    first.reset();
    EXPECT_EQ(kill(running.id(), 0), 0);
    const grading::Lease next;
    EXPECT_NE(*next.user(), user);
    EXPECT_EQ(waitpid(running.id(), nullptr, WNOHANG), 0);
}

/// Without the sandbox, the probe has to succeed in much: otherwise its silence means nothing.
TEST(Probe, finds_that_there_is_no_sandbox) {
    grading::Process process({.arguments = {"/proc/self/exe", "--gtest_filter=Probe.DISABLED_loads",
                                            "--gtest_also_run_disabled_tests"},
                              .environment = {"PATH=/usr/bin"}});
    process.wait(Clock::now() + std::chrono::seconds(20));
    const std::string said = process.text();
    for (const char* what : {"read the judge", "read /etc/passwd", "write /tmp", "open a network",
                             "open a local socket", "fork and live on", "continue after a stop"}) {
        EXPECT_NE(said.find(std::string("could ") + what), std::string::npos)
            << what << ": " << said;
    }
}

TEST(Probe, DISABLED_loads) {
    EXPECT_NE(dlopen(PROBE, RTLD_NOW), nullptr) << dlerror();
}

}  // namespace
