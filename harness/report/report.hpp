#pragma once

// The results of run_all.sh for a lab, read from the files in the lab's output folder:
//
//     state              lines of "KEY VALUE": build, bench, figures, finished; see LabReport
//     built.txt          the variants that were compiled
//     variants.json      the output of `list --json`
//     not_compiled/*.log what the compiler said, a file per variant
//     not_loaded/*       why programs with a variant in it do not start, a file per variant
//     build.log          and configure.log, bench.log: the output of those steps
//     bench_help.txt     the output of `bench --help`, which names the experiments
//     ctest.xml          CTest's JUnit file; gtest*.log instead, if there was no CTest
//     ctest.log          CTest's output, which has the reasons of failures
//     csv/*.csv          the measurements
//     figures, pictures  the figures, and images before and after processing

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/machine.hpp"

namespace harness::summary {

/// The outcome of a test or of a variant, from good to bad.
enum class Outcome {
    ok,
    skipped,
    not_done,  ///< a task that is not begun: common::NotDoneYet
    not_tested,
    refused,
    failed,
    wrong,
    timeout,
    crash,
    not_compiled
};

/// As written in the files: "ok", "does not compile", ...
std::string_view to_string(Outcome outcome);

constexpr bool is_failure(Outcome outcome) {
    return outcome >= Outcome::not_tested;
}

/// The sizes, masks, blocks, ... that tests gave to a variant.
struct Configurations {
    int checked = 0;
    int refused = 0;             ///< by the variant itself, as unsupported
    int left_out = 0;            ///< because they take too long to be emulated
    std::string first_reason{};  ///< why, the first time

    /// "3 of 20 configurations (first: REASON)" of those refused; "" if none was.
    std::string text() const;
};

struct TestCase {
    std::string name;  ///< "lab1.variants/ConvolutionTest.sizes/omp_rows"
    Outcome outcome = Outcome::ok;
    std::string message{};  ///< one line: why it failed or was skipped
    double seconds = 0;
    std::string output{};
    Configurations configurations{};

    /// The part after the last '/': the variant, in the tests that exist once per variant.
    std::string last_part() const { return name.substr(name.rfind('/') + 1); }
};

/// The tests of one CTest run, in its order. Empty if CTest did not write `xml`.
std::vector<TestCase> read_ctest(const std::filesystem::path& xml,
                                 const std::filesystem::path& log);

/// A variant's best row at the configuration that the summary shows.
struct Timing {
    double kernel_ms = 0;
    std::optional<double> spread{};     ///< interquartile range over median
    std::optional<double> disturbed{};  ///< part of the repeats that other work disturbed
    std::optional<double> speedup{};
    std::optional<double> percent_of_copy{};
    std::string parameters{};
    std::string elsewhere{};  ///< the configuration, if it is not the one of the caption
    std::string noise{};      ///< why a ratio is not given; empty if none is held back
};

/// The reason why the times of a row are too noisy for a ratio, by the limits of
/// harness/statistics.hpp. It begins with `whose` ("its", "seq's"). "" if they are not too noisy.
/// Rows of older CSV files, which have neither number, are taken as they are.
std::string why_too_noisy(const Timing& timing, const std::string& whose);

struct Timings {
    std::string caption;                    ///< which configuration was chosen
    std::string baseline{};                 ///< the sequential variant of the speedups there
    std::string machine;                    ///< CPU, GPU and compiler
    std::map<std::string, Timing> fastest;  ///< by variant

    /// More than a third of the rows lack a ratio because of noise.
    bool too_noisy_to_rank() const;
};

/// Chooses the largest image in the CSV files and the configuration of it that most variants have.
/// A variant without a row there is shown at its own largest image. `experiment`: only its rows.
Timings read_timings(const std::filesystem::path& csv_dir, const std::string& experiment = "");

struct VariantReport {
    std::string name;
    std::string backend{};
    bool built = false;
    bool emulated = false;  ///< runs on the CPU in place of a GPU, and is never timed
    Outcome outcome = Outcome::not_tested;
    std::string message{};
    std::optional<Timing> timing{};
    Configurations configurations{};  ///< of all its tests
};

struct LabReport {
    std::string name;
    std::filesystem::path folder;
    std::string trouble;  ///< why the lab as a whole failed; empty if it did not
    std::string build;    ///< "ok" or "failed"; empty if the run was stopped before
    std::string bench;    ///< "ok", "failed: why", "stopped", or empty
    std::string figures;  ///< "ok: ...", "skipped: why", "failed: why", or empty
    bool finished = false;
    bool listed = false;  ///< its program named its variants; common has none
    std::vector<VariantReport> variants;
    std::vector<TestCase> tests;
    Timings timings;

    /// "ok", "failed", "does not build" or "not finished".
    std::string_view status() const;
    bool ok() const { return status() == "ok"; }
    int count(Outcome outcome) const;
    int failed_tests() const;
};

LabReport read_lab(const std::filesystem::path& folder);

/// "48 tests passed, 6 failed (omp_hang: timeout), 24 skipped (no GPU)".
std::string describe_tests(const LabReport& lab);

/// Variants that must not be benchmarked, with commas between.
std::string failing_variants(const LabReport& lab);

/// The whole run.
struct Run {
    std::string mode;  ///< "--quick", say
    std::vector<LabReport> labs;
    std::string when{};  ///< as harness::timestamp() writes it
    Machine machine{};

    bool ok() const;
};

std::string as_json(const Run& run);
std::string as_markdown(const Run& run);
std::string as_terminal(const Run& run, bool colours);
/// The rungs of the lab's experiment `ladder` with bars, or "" if it was not measured.
std::string as_staircase(const LabReport& lab);
/// A page that contains its pictures. It is XML, too.
std::string as_html(const Run& run);
void write_junit(const Run& run, const std::filesystem::path& path);

/// The first line of a compiler's, linker's or CMake's output that reports an error; the folders
/// above the repository are cut off.
std::string first_error(const std::filesystem::path& log);

}  // namespace harness::summary
