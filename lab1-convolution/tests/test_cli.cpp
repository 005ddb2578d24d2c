// The real executable: exit codes, one line per failure, and output files that are whole or absent.

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cctype>
#include <filesystem>
#include <fstream>

#include "common/csv.hpp"
#include "common/image.hpp"
#include "harness/machine.hpp"
#include "harness/scenes.hpp"
#include "harness/testing_cli.hpp"

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

using harness::Cli;
using harness::Ran;

TEST_F(Cli, run_writes_the_picture_and_tells_the_times) {
    const Ran ran =
        run("run scene:landscape:64x48 --variant seq --verify --filter box3" + to_out());
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    for (const char* word : {"64x48", "seq", "kernel", "total", "verified"}) {
        EXPECT_THAT(ran.out, HasSubstr(word));
    }
    EXPECT_EQ(common::load_image(path("out.png")).size(), cv::Size(64, 48));
}

TEST_F(Cli, run_reports_json) {
    const Ran ran = run("run random:9x7:3 --json" + to_out());
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    for (const char* word : {"\"width\": 9", "\"kernel_ms\"", "\"total_ms\"", "\"variant\""}) {
        EXPECT_THAT(ran.out, HasSubstr(word));
    }
}

TEST_F(Cli, run_starts_ranks) {
    const Ran ran = run(
        "run scene:landscape:64x48 --variant mpi_rows --ranks 3 --threads 6 --verify" + to_out());
    if (ran.exit_code == 77) GTEST_SKIP() << "cannot run here: " << ran.err;
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    EXPECT_THAT(ran.out, HasSubstr("threads=2;ranks=3"));
    fs::remove(path("out.png"));
    expect_refused("run scene:landscape:64x48 --ranks 0" + to_out(), "--ranks");
}

TEST_F(Cli, gray_stays_gray) {
    common::write_image(path("gray.png"), harness::make_scene("landscape", 40, 30, 1));
    EXPECT_EQ(run("run " + path("gray.png") + to_out()).exit_code, 0);
    EXPECT_EQ(common::load_image(path("out.png")).channels(), 1);
}

TEST_F(Cli, list_names_every_variant) {
    const Ran ran = run("list --json");
    EXPECT_EQ(ran.exit_code, 0);
    for (const char* name :
         {"\"seq\"", "\"omp_rows\"", "\"cuda_per_channel\"", "\"cuda_per_pixel\"",
          "\"cuda_shared\"", "\"peer_opencv\"", "\"peer_npp\"", "\"reason\""}) {
        EXPECT_THAT(ran.out, HasSubstr(name));
    }
    EXPECT_THAT(run("list").out, HasSubstr("omp_simd"));
    EXPECT_EQ(run("--help").exit_code, 0);
    EXPECT_EQ(run("run --help").exit_code, 0);
}

/// The numbers behind `start` at the beginning of a line, up to the next word.
std::vector<double> numbers_after(const std::string& out, const std::string& start) {
    std::vector<double> numbers;
    const auto at = out.find("\n" + start);
    if (at == std::string::npos) return numbers;
    std::istringstream rest(out.substr(at + 1 + start.size()));
    std::string word;
    while (rest >> word && std::isdigit(word.front())) numbers.push_back(std::stod(word));
    return numbers;
}

TEST_F(Cli, device_prints_the_times_that_its_rates_imply) {
    const Ran ran = run("device");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("7680x4320: 199 MB of input and output, 1.79e+09 operations"));
    const bool emulated = run("list --json").out.find("\"emulated\": true") != std::string::npos;
    EXPECT_EQ(ran.out.find("GPU  none: emulated") != std::string::npos, emulated) << ran.out;
    const auto threads = fmt::format("CPU, {} thread", harness::cpu_cores());
    const auto cpu = numbers_after(ran.out, threads + (harness::cpu_cores() == 1 ? "" : "s"));
    ASSERT_EQ(cpu.size(), 6u) << ran.out;  // rate and spread, twice; then two times
    EXPECT_NEAR(cpu[4], 199.0656 / cpu[0], 0.02 * cpu[4]) << ran.out;
    EXPECT_NEAR(cpu[5], 1791.5904 / cpu[2], 0.02 * cpu[5]) << ran.out;
}

/// The number that follows a counter's name in the output of --explain.
long counter(const std::string& out, const std::string& name) {
    const auto at = out.find(name);
    return at == std::string::npos ? -1 : std::stol(out.substr(at + name.size()));
}

TEST_F(Cli, explain_counts_what_kernels_do) {
    const std::string explain = "run scene:landscape:64x48 --explain --variant ";
    const bool emulated = run("list --json").out.find("\"emulated\": true") != std::string::npos;
    if (!emulated) {
        return expect_refused(explain + "cuda_shared" + to_out(), "LABS_CUDA=EMULATE", 77);
    }
    const Ran ran = run(explain + "cuda_per_channel --verify" + to_out());
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    // Two warps for each row and channel load nine bytes per lane. In the first and in the last
    // row, three of the nine lie outside the image and are not loaded.
    EXPECT_EQ(counter(ran.out, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"),
              (48 * 9 - 2 * 3) * 2 * 3);
    EXPECT_EQ(counter(ran.out, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"), 48 * 2 * 3);
    // 32 lanes, 3 bytes apart, from a multiple of 32 on: 94 bytes.
    EXPECT_EQ(counter(ran.out, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"), 48 * 2 * 3 * 3);
    EXPECT_THAT(ran.out, HasSubstr("the lanes are 3 bytes apart"));
    // Nine products and nine sums per value, which is a byte of the input and one of the output.
    EXPECT_THAT(ran.out, HasSubstr("operations by the definition: 9 for each byte of input"));
    EXPECT_THAT(read("explain_cuda_per_channel.svg"), testing::StartsWith("<svg"));
    const Ran both = run(explain + "cuda_shared --against cuda_per_pixel" + to_out());
    EXPECT_EQ(both.exit_code, 0) << both.err;
    EXPECT_THAT(both.out, HasSubstr("ratio"));
}

TEST_F(Cli, explain_needs_a_cuda_variant) {
    const std::string scene = "run scene:landscape:16x16" + to_out();
    expect_refused(scene + " --explain --variant omp_rows", "CUDA variant");
    expect_refused(scene + " --explain --variant peer_opencv", "CUDA variant");
    expect_refused(scene + " --variant cuda_shared --against cuda_per_pixel", "--explain");
    expect_refused(scene + " --variant cuda_shared --explain --json", "--json");
    for (const char* variant : {"", " --variant cuda_shared", " --variant omp_rows"}) {
        expect_refused(scene + " --explain --against seq" + variant,
                       "--against needs a CUDA variant, not seq");
    }
}

TEST_F(Cli, bad_usage_is_one_line_and_exit_code_2) {
    const std::string scene = "run scene:landscape:16x16";
    expect_refused("", "subcommand");
    expect_refused("frobnicate", "frobnicate");
    expect_refused(scene, "--output");
    expect_refused(scene + to_out() + " --nosuch", "--nosuch");
    expect_refused(scene + to_out() + " --variant nosuch", "unknown variant");
    expect_refused(scene + to_out() + " --filter nosuch", "unknown filter");
    expect_refused(scene + to_out() + " --filter-file " + path("nosuch"), "nosuch");
    expect_refused(scene + to_out() + " --filter box3 --filter-file x", "--filter");
    expect_refused(scene + to_out() + " --block 64x64", "64x64");
    expect_refused(scene + to_out() + " --block nan", "nan");
    expect_refused(scene + to_out() + " --threads 0",
                   "--threads: expected a whole number from 1 to 4096, not '0'");
    expect_refused(scene + to_out() + " --threads many",
                   "--threads: expected a whole number from 1 to 4096, not 'many'");
    expect_refused(scene + to_out() + " --repeats -1", "--repeats: expected a whole number");
    expect_refused(scene + to_out() + " --memory 1.5", "--memory: expected a whole number");
    for (const char* seed : {"x", "-1", "18446744073709551616"}) {
        expect_refused(scene + to_out() + " --seed=" + seed, "--seed: expected a whole number");
    }
    expect_refused("run scene:nosuch:4x4" + to_out(), "nosuch");
    expect_refused("run scene:landscape:0x4" + to_out(), "0x4");
    expect_refused("run random:4" + to_out(), "random:4");
    expect_refused("bench nosuch --csv-dir " + folder_.string(), "unknown experiment");
    expect_refused("bench --csv-dir /proc/nosuch", "/proc/nosuch");
    expect_refused("bench --quick --full", "--full");
}

TEST_F(Cli, options_without_effect_are_refused) {
    const std::string scene = "run scene:landscape:16x16" + to_out();
    expect_refused(scene + " --ranks 2 --variant seq", "--ranks is for mpi variants, not for seq");
    expect_refused(scene + " --ranks 2", "--ranks is for mpi variants; name one with --variant");
    expect_refused(scene + " --block 8x8 --variant omp_rows", "--block is for CUDA variants");
    expect_refused(scene + " --block 8x8 --variant peer_opencv", "--block is for CUDA variants");
    expect_refused(scene + " --threads 2 --variant seq", "--threads is for variants with OpenMP");
    expect_refused(scene + " --threads 2 --variant cuda_shared", "--threads is for variants");
    common::write_image(path("a.png"), harness::make_scene("landscape", 9, 6, 1));
    for (const std::string& input :
         {path("a.png"), std::string("scene:checker:9x9"), std::string("random:9x9:4")}) {
        expect_refused("run " + input + to_out() + " --seed 3",
                       "--seed has no effect on '" + input);
    }
    EXPECT_EQ(run(scene + " --threads 1 --variant seq --seed 3").exit_code, 0);
    EXPECT_EQ(run("run random:9x9 --threads 2 --seed 3" + to_out()).exit_code, 0);
}

TEST_F(Cli, bad_filter_files_are_named) {
    std::ofstream(path("even.txt")) << "1 2\n3 4\n";
    std::ofstream(path("nan.txt")) << "nan\n";
    const std::string scene = "run scene:landscape:16x16" + to_out() + " --filter-file ";
    expect_refused(scene + path("even.txt"), "even.txt");
    expect_refused(scene + path("nan.txt"), "not a finite number");
    std::ofstream(path("huge.txt")) << "3e38 -3e38 3e38\n0 0 0\n0 0 0\n";
    expect_refused(scene + path("huge.txt"), "huge.txt");
}

TEST_F(Cli, bad_inputs_are_named) {
    common::write_image(path("whole.png"), harness::make_scene("landscape", 90, 60, 3));
    const std::string bytes = read("whole.png");
    std::ofstream(path("cut.png"), std::ios::binary) << bytes.substr(0, bytes.size() / 2);
    std::ofstream(path("empty.png")).close();
    std::ofstream(path("text.png")) << "no picture";
    expect_refused("run " + path("missing.png") + to_out(), "missing.png");
    expect_refused("run " + path("cut.png") + to_out(), "cut.png");
    expect_refused("run " + path("empty.png") + to_out(), "empty.png");
    expect_refused("run " + path("text.png") + to_out(), "text.png");
    expect_refused("run " + folder_.string() + to_out(), "folder");
}

TEST_F(Cli, bad_outputs_are_named) {
    expect_refused("run random:8x8 --output " + path("nosuch/out.png"), "nosuch");
    expect_refused("run random:8x8 --output " + path("out.xyz"), "out.xyz");
    expect_refused("run random:8x8 --output " + path("out.pbm"), ".pbm does not hold 8x8 pixels");
    expect_refused("run random:8x8 --output " + folder_.string(), folder_.string());
}

/// In a build folder that was moved, the library is found beside the program.
TEST_F(Cli, moved_program_reads_images) {
    const fs::path program = LAB_EXECUTABLE;
    fs::copy(program, path("moved"));
    fs::copy(program.parent_path() / "liblabs_codecs.so", folder_);
    const std::string command =
        fmt::format("LD_DEBUG=files {} run random:8x8 --variant seq --output {} >{} 2>&1",
                    path("moved"), path("out.png"), path("log"));
    EXPECT_EQ(std::system(command.c_str()), 0) << read("log");
    EXPECT_THAT(read("log"), HasSubstr(path("liblabs_codecs.so")));
    EXPECT_TRUE(fs::exists(path("out.png")));
}

TEST_F(Cli, the_input_is_not_replaced) {
    common::write_image(path("photo.png"), harness::make_scene("landscape", 90, 60, 3));
    fs::create_symlink("photo.png", path("link.png"));
    const std::string before = read("photo.png");
    const std::string photo = "run " + path("photo.png") + " --output ";
    expect_refused(photo + path("photo.png"), "same file as the input");
    expect_refused(photo + path("link.png"), "same file as the input");
    expect_refused(photo + path("out.png") + " --save-input " + path("photo.png"), "--save-input");
    expect_refused("run random:8x8" + to_out() + " --save-input " + path("out.png"),
                   "--save-input");
    EXPECT_EQ(read("photo.png"), before);
}

TEST_F(Cli, size_that_the_format_does_not_hold_is_bad_usage) {
    expect_refused("run random:1x3000000 --variant seq" + to_out(), "longest side is 1000000");
    expect_refused(
        "run random:1x3000000 --output " + path("a.bmp") + " --save-input " + path("out.png"),
        "longest side is 1000000");
}

TEST_F(Cli, too_large_an_image_is_refused_with_the_memory_it_needs) {
    expect_refused("run random:2000000x2000000" + to_out(), "bytes of memory", 1);
}

TEST_F(Cli, variant_that_cannot_run_here_is_77) {
    if (run("list").out.find("unavailable") == std::string::npos)
        GTEST_SKIP() << "skipped: every variant can run here";
    const Ran ran = run("run random:8x8 --variant cuda_shared" + to_out());
    if (ran.exit_code == 0) GTEST_SKIP() << "skipped: the variant runs here";
    EXPECT_EQ(ran.exit_code, 77);
    EXPECT_EQ(ran.error_lines(), 1) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("cuda_shared"));
}

// A limit on file sizes stands in for a full disk: with the signal ignored, writing fails; with
// the signal in force, the process is killed in the middle of it.
TEST_F(Cli, full_disk_leaves_no_output) {
    const Ran ran = run("run random:512x512" + to_out(), "trap \"\" XFSZ; ulimit -f 64");
    EXPECT_EQ(ran.exit_code, 1) << ran.err;
    EXPECT_EQ(ran.error_lines(), 1) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("out.png"));
    EXPECT_FALSE(fs::exists(path("out.png")));
}

TEST_F(Cli, kill_in_mid_write_leaves_the_old_output) {
    std::ofstream(path("out.png")) << "old";
    const Ran ran = run("run random:512x512" + to_out(), "ulimit -f 64");
    EXPECT_NE(ran.exit_code, 0);
    EXPECT_EQ(read("out.png"), "old");
}

TEST_F(Cli, second_bench_leaves_the_files_of_the_first) {
    fs::create_directories(path("csv"));
    std::ofstream(path("csv/masks.csv.partial")) << "first";
    const int lock = open(path("csv/.bench.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    ASSERT_EQ(flock(lock, LOCK_EX), 0);
    const std::string bench = "bench --variants seq masks --csv-dir " + path("csv");
    expect_refused(bench, "another bench is writing to '" + path("csv"));
    EXPECT_EQ(read("csv/masks.csv.partial"), "first");
    close(lock);
    EXPECT_EQ(run(bench).exit_code, 0);
    EXPECT_FALSE(fs::exists(path("csv/.bench.lock")));
}

TEST_F(Cli, bench_writes_rows_and_samples) {
    const Ran ran = run("bench --variants seq masks --csv-dir " + path("csv"));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    const auto rows = common::read_csv(path("csv/masks.csv"));
    const auto samples = common::read_csv(path("csv/masks_samples.csv"));
    ASSERT_EQ(rows.size(), 1u + 4);
    EXPECT_EQ(samples.size(), 1u + 4 * 10);
    EXPECT_THAT(read("csv/masks.csv"),
                testing::StartsWith(
                    "lab,experiment,variant,backend,width,height,channels,parameters,repeats,"
                    "kernel_ms_min,kernel_ms_median,kernel_ms_mean,kernel_ms_max,total_ms_mean,"
                    "cold_ms,bytes,gb_per_s,percent_of_copy,speedup_kernel,speedup_total,"
                    "max_abs_error,cpu,threads,gpu,compiler,commit,timestamp,"));
    for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
}

}  // namespace
