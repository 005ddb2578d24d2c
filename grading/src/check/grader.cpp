#include "check/grader.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>

#include "check/answers.hpp"
#include "check/lanes.hpp"
#include "check/rules.hpp"
#include "check/tested.hpp"
#include "check/turn.hpp"
#include "check/wanted.hpp"
#include "common/error.hpp"

namespace grading {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr auto known_good_time = std::chrono::minutes(2);

double seconds_until(Clock::time_point end) {
    return std::chrono::duration<double>(end - Clock::now()).count();
}

/// Three where there are two cores: a variant's tests wait for the judge, and the judge for them.
std::size_t most_lanes() {
    cpu_set_t all;
    CPU_ZERO(&all);
    return sched_getaffinity(0, sizeof all, &all) == 0 && CPU_COUNT(&all) > 1 ? 3 : 1;
}

}  // namespace

Grader::Grader(GradeOptions options)
    : options_(std::move(options)),
      settings_(Settings::read()),
      lab_(lab_numbered(options_.lab, settings_.source)),
      seed_(options_.seed.empty() ? Secret::make_new() : Secret::from_hex(options_.seed)),
      class_seed_(options_.class_seed.value_or(
          static_cast<std::int64_t>(seed_.derived("tests").next() >> 1))) {
    const fs::path rules = settings_.source / lab_.points();
    if (!fs::exists(rules)) return;
    points_ = read_rules(rules, settings_.source, options_.hidden);
    if (points_.at("lab") != lab_.folder) {
        throw common::BadUsage(rules.string() + ": is not for " + lab_.folder);
    }
}

Grade Grader::grade() {
    const Intake intake = take_in(options_.submission, expected_names(points_));
    for (const SubmittedFile& file : intake.files) jobs_.push_back({.file = file});
    if (!options_.keep.empty()) keep_earlier();
    if (!options_.tested.empty()) take_over_tested();
    if (options_.keep.empty() || !options_.task.empty()) facts_ = grade_files();

    Grade result;
    result.lab = lab_.folder;
    result.facts = facts_;
    result.others = intake.others;
    for (const RefusedFile& file : intake.refused) {
        result.variants.push_back({file.variant, file.file, "refused", file.reason});
    }
    for (const Job& job : jobs_) result.variants.push_back(conclusion(job));
    result.items = items_of(result.variants, points_,
                            read_answers(intake.answers, settings_.source / lab_.key()));
    return result;
}

/// Returns the facts that results.json has of all files together.
json Grader::grade_files() {
    prepare_lanes(std::max<std::size_t>(1, std::min(jobs_.size(), most_lanes())));
    for (Job& job : jobs_) job.lane = &lanes_.front();
    try_known_good();
    const auto start = Clock::now();
    end_ = start + duration_of(options_.submission_seconds);
    const bool has_speeds = options_.part != "tests";
    const bool has_tests = options_.part != "speed";
    test_all(has_tests && has_speeds ? start + (end_ - start) / 2 : end_);
    try_known_good_after_failures();
    if (has_speeds) time_all();
    const std::string why_no_gpu = lanes_.front().workshop.why_no_gpu();
    return {{"sandbox", lanes_.front().sandbox.description()},
            {"gpu", why_no_gpu.empty() ? "used" : why_no_gpu},
            {"seed", seed_.hex()},
            {"test_seconds", options_.test_seconds},
            {"submission_seconds", options_.submission_seconds}};
}

/// Files keep what an earlier grading found, but those of a task that is graded again. Their points
/// follow today's rules.
void Grader::keep_earlier() {
    const std::string again = options_.task.empty() ? "" : variant_of_task(options_.task, points_);
    const json earlier = read_tested(options_.keep, lab_.folder);
    class_seed_ = earlier.at("class_seed");
    facts_ = earlier.at("facts");
    for (Job& job : jobs_) {
        if (job.file.variant == again) continue;
        take_over(job, earlier, options_.keep, options_.part == "speed");
        job.is_kept = true;
    }
}

/// The class seed is that of the tests, whose random cases it has chosen.
void Grader::take_over_tested() {
    const json tested = read_tested(options_.tested, lab_.folder);
    class_seed_ = tested.at("class_seed");
    for (Job& job : jobs_) {
        if (!job.is_kept) take_over(job, tested, options_.tested, false);
    }
}

void Grader::take_over(Job& job, const json& tested, const fs::path& folder,
                       bool with_speeds) const {
    const json& variants = tested.at("variants");
    const auto found = variants.find(job.file.variant);
    if (found == variants.end() || found->at("content") != fingerprint_of(job.file.content)) {
        throw common::BadUsage(folder.string() + ": was not made for this " + job.file.file);
    }
    if (found->value("measured", json()) != measured(job, with_speeds)) {
        throw common::BadUsage(
            fmt::format("{}: today's rules want something else measured of {}: grade it again",
                        folder.string(), job.file.file));
    }
    job.verdict = found->at("verdict");
    job.reason = found->at("reason");
    job.text = found->at("text");
    job.not_counted = found->at("not_counted");
    job.judged = found->at("judged");
    job.was_tested = true;
    if (job.judged.is_null() || !job.judged.contains("counters")) return;
    const json rules = counters_of(job.file.variant, points_);
    json& counted = job.judged["counters"];  // all of them, or none
    for (std::size_t i = 0; i < counted.size(); ++i) counted[i]["rule"] = rules.at(i);
}

json Grader::measured(const Job& job, bool with_speeds) const {
    return measured_of(lab_, job.file.variant, points_, with_speeds);
}

json Grader::tested() const {
    json variants = json::object();
    for (const Job& job : jobs_) {
        variants[job.file.variant] = {{"content", fingerprint_of(job.file.content)},
                                      {"measured", measured(job, options_.part == "speed")},
                                      {"verdict", job.verdict},
                                      {"reason", job.reason},
                                      {"text", job.text},
                                      {"not_counted", job.not_counted},
                                      {"judged", job.judged}};
    }
    return {{"lab", lab_.folder},
            {"class_seed", class_seed_},
            {"facts", facts_},
            {"variants", variants}};
}

void Grader::prepare_lanes(std::size_t wanted) {
    while (lanes_.size() < wanted) lanes_.emplace_back(settings_, lab_).workshop.probe();
}

/// The simplest variant of the repository is compiled and run, as a student's file will be.
void Grader::try_known_good(Lane& lane, bool on_device) {
    lane.workshop.check_tools(on_device);
    Job job{.file = lane.workshop.known_good(on_device), .lane = &lane};
    json task = task_of(job);
    task["only_test"] = "random";
    known_good(on_device).forget();
    const bool ended =
        judge(job, std::move(task), Clock::now() + known_good_time, {"LABS_RANDOM_CASES=12"});
    const GradedVariant variant = conclusion(job);
    if (ended && variant.verdict == "right") return known_good(on_device).remember();
    throw MachineFault(fmt::format("{} of the repository is judged '{}': {}", job.file.file,
                                   variant.verdict, variant.reason));
}

/// A class is graded one submission after the other, so a result is remembered for a while.
void Grader::try_known_good() {
    std::vector<bool> kinds;
    for (const bool on_device : {false, true}) {
        const bool any = std::ranges::any_of(jobs_, [&](const Job& job) {
            return job.file.on_device == on_device && is_compiled(job);
        });
        if (!any) continue;
        (known_good(on_device).is_remembered() ? trusted_ : kinds).push_back(on_device);
    }
    share_work(std::min(lanes_.size(), kinds.size()), kinds.size(),
               [&](std::size_t lane, std::size_t i) { try_known_good(lanes_[lane], kinds[i]); });
}

/// A machine that was in order for the submission before may be at fault now.
void Grader::try_known_good_after_failures() {
    for (const bool on_device : trusted_) {
        const bool failed = std::ranges::any_of(jobs_, [&](const Job& job) {
            return job.file.on_device == on_device && !job.was_tested && !has_passed(job);
        });
        if (failed) try_known_good(lanes_.front(), on_device);
    }
}

/// The files that come later share the time that a file leaves over.
void Grader::test_all(Clock::time_point end) {
    share_work(lanes_.size(), jobs_.size(), [&](std::size_t lane, std::size_t i) {
        const double share = share_of(seconds_until(end), jobs_.size() - i, lanes_.size());
        jobs_[i].lane = &lanes_[lane];
        test(jobs_[i], std::min(end, Clock::now() + duration_of(share)));
    });
}

void Grader::test(Job& job, Clock::time_point end) {
    if (!is_compiled(job)) return;
    const double seconds = seconds_until(end);
    const Workshop& workshop = job.lane->workshop;
    const Compiled compiled = compiled_fairly([&] { return workshop.compile(job.file, end); },
                                              [&] { workshop.check_tools(job.file.on_device); });
    if (!compiled.ok()) {
        if (Clock::now() >= end) return run_out(job, seconds);
        if (job.was_tested) {
            throw MachineFault(job.file.file + " was compiled for its tests: " + compiled.said);
        }
        job.verdict = "does not compile";
        job.reason = compiled.said;
        return;
    }
    const std::string text = fingerprint_of(workshop.text_of(job.file.variant));
    if (job.was_tested) {
        if (text == job.text) return;
        job.verdict = "refused";
        job.reason = "it is not the code that was tested: the preprocessor gives another text";
        return;
    }
    job.text = text;
    json task = task_of(job);
    if (job.file.on_device && !workshop.why_no_gpu().empty()) {
        Evidence evidence = workshop.evidence_of(job.file, end);
        job.unseen = std::move(evidence.unseen);
        if (!task["counters"].empty()) job.not_counted = std::move(evidence.not_counted);
        if (!job.not_counted.empty()) task["counters"] = json::array();
    }
    if (options_.part == "speed" && is_timed(job)) {
        job.judged = {{"tests", json::array()}, {"speeds", json::array()}};
        return;
    }
    if (!judge(job, std::move(task), end)) return run_out(job, seconds);
    look_for_races(job, end);
}

void Grader::run_out(Job& job, double seconds) const {
    job.verdict = "timeout";
    job.reason = fmt::format("its share of the {:.0f} s for a submission, {:.1f} s, is used up",
                             options_.submission_seconds, seconds);
}

bool Grader::is_timed(const Job& job) const {
    return job.verdict.empty() &&
           (!job.file.on_device ||
            job.lane->workshop.worker_files(job.file.variant, true).gpu.has_value());
}

/// A file that was tested before is compiled again only if it is timed.
bool Grader::is_compiled(const Job& job) const {
    return !job.is_kept && (!job.was_tested || (has_passed(job) && is_timed(job)));
}

bool Grader::has_passed(const Job& job) const {
    return job.verdict.empty() && !job.judged.is_null() &&
           std::ranges::all_of(job.judged.at("tests"), [](const json& test) {
               return test["outcome"] == "right" || test["outcome"] == "skipped";
           });
}

/// The setup names the build, the compiler, the sandbox, and whether there is a GPU.
KnownGood Grader::known_good(bool on_device) const {
    const Lane& lane = lanes_.front();
    const std::string setup =
        fmt::format("{} {} {} {}", settings_.build.string(), settings_.compiler.string(),
                    lane.sandbox.description().dump(), lane.workshop.why_no_gpu());
    return {lane.lease.folder().parent_path(),
            fmt::format("lab{}.{}", lab_.number, on_device ? "kernel" : "loop"), setup};
}

/// Waiting for the turn is not taken from a file's time.
void Grader::time_all() {
    std::vector<Job*> timed;
    for (Job& job : jobs_) {
        if (!job.is_kept && is_timed(job) && has_passed(job)) timed.push_back(&job);
    }
    for (std::size_t i = 0; i < timed.size(); ++i) {
        json task = task_of(*timed[i]);
        add_speeds(task, *timed[i]);
        const auto before = Clock::now();
        const Turn turn;
        end_ += Clock::now() - before;
        const double share = share_of(seconds_until(end_), timed.size() - i, 1);
        task["run_tests"] = false;
        if (!judge(*timed[i], std::move(task), Clock::now() + duration_of(share))) {
            run_out(*timed[i], share);
        }
    }
}

GradedVariant Grader::conclusion(const Job& job) const {
    GradedVariant variant{job.file.variant, job.file.file, "", ""};
    if (!job.judged.is_null()) conclude(variant, job.judged);
    variant.not_counted = job.not_counted;
    if (!job.verdict.empty()) {
        variant.verdict = job.verdict;
        variant.reason = job.reason;
    }
    if (variant.verdict == "right") {
        variant.reason = !variant.not_checked.empty()   ? variant.not_checked
                         : !variant.not_counted.empty() ? "not counted: " + variant.not_counted
                                                        : "";
    }
    variant.text = job.text;
    return variant;
}

}  // namespace grading
