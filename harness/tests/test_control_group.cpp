// Limits of control groups, in trees as version 1 and version 2 show them.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "control_group.hpp"
#include "harness/machine.hpp"
#include "harness/testing.hpp"

namespace {

namespace fs = std::filesystem;

class ControlGroup : public testing::Test {
  protected:
    const fs::path root_ = harness::test_folder();
    void TearDown() override { fs::remove_all(root_); }

    void write(const std::string& file, const std::string& text) const {
        fs::create_directories((root_ / file).parent_path());
        std::ofstream(root_ / file) << text << "\n";
    }
    void second_version(const std::string& own) const { write("proc/self/cgroup", "0::" + own); }
    harness::GroupLimits limits() const { return harness::control_group_limits(root_); }
};

TEST_F(ControlGroup, none_limits_nothing) {
    EXPECT_FALSE(limits().cores);
    second_version("/");
    write("sys/fs/cgroup/cpu.max", "max 100000");
    write("sys/fs/cgroup/memory.max", "max");
    EXPECT_FALSE(limits().cores);
    EXPECT_FALSE(limits().free_memory);
}

TEST_F(ControlGroup, version_2_with_ancestors) {
    second_version("/slurm/job_7");
    write("sys/fs/cgroup/slurm/cpu.max", "150000 100000");
    write("sys/fs/cgroup/slurm/job_7/cpu.max", "400000 100000");
    write("sys/fs/cgroup/slurm/memory.max", "max");
    write("sys/fs/cgroup/slurm/job_7/memory.max", "1000000");
    write("sys/fs/cgroup/slurm/job_7/memory.current", "700000");
    write("sys/fs/cgroup/slurm/job_7/memory.stat",
          "anon 300000\ninactive_file 100000\nactive_file 50000");
    EXPECT_EQ(limits().cores, 1.5);
    EXPECT_EQ(limits().free_memory, 450'000u);
}

TEST_F(ControlGroup, version_2_in_a_container) {
    second_version("/../../outside");  // of another namespace: the mount point is the best guess
    write("sys/fs/cgroup/cpu.max", "200000 100000");
    EXPECT_EQ(limits().cores, 2);
    second_version("/docker/abc/step");
    EXPECT_EQ(limits().cores, 2);
    write("sys/fs/cgroup/step/cpu.max", "100000 100000");
    EXPECT_EQ(limits().cores, 1);
}

TEST_F(ControlGroup, version_1) {
    write("proc/self/cgroup", "4:memory:/jobs/7\n3:cpu,cpuacct:/docker/abc\n2:cpuset:/x\n0::/");
    write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000");
    write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
    write("sys/fs/cgroup/memory/jobs/memory.limit_in_bytes", "5000");
    write("sys/fs/cgroup/memory/jobs/memory.usage_in_bytes", "6000");
    write("sys/fs/cgroup/memory/jobs/memory.stat", "active_file 1\ntotal_active_file 2000");
    write("sys/fs/cgroup/memory/jobs/7/memory.limit_in_bytes", "4000");
    EXPECT_EQ(limits().cores, 0.5);
    EXPECT_EQ(limits().free_memory, 1000u);
    write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1");
    EXPECT_FALSE(limits().cores);
}

TEST(Cores, are_those_that_the_quota_pays_for) {
    EXPECT_EQ(harness::cores_within({}, 8), 8);
    EXPECT_EQ(harness::cores_within({.cores = 0.5, .free_memory = {}}, 8), 1);
    EXPECT_EQ(harness::cores_within({.cores = 2.5, .free_memory = {}}, 8), 2);
    EXPECT_EQ(harness::cores_within({.cores = 64, .free_memory = {}}, 8), 8);
}

}  // namespace
