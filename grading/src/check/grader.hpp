#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "check/intake.hpp"
#include "check/known_good.hpp"
#include "check/output.hpp"
#include "check/settings.hpp"
#include "check/workshop.hpp"
#include "judge/secret.hpp"
#include "sandbox/sandbox.hpp"
#include "sandbox/user.hpp"

namespace grading {

struct GradeOptions {
    std::filesystem::path submission;
    int lab = 0;
    std::string hidden;
    std::string part = "all";      ///< or "tests" or "speed"
    std::filesystem::path tested;  ///< the output of the part "tests"; "": there is none
    std::string task;              ///< the only one that is graded; "": all
    std::filesystem::path keep;    ///< an earlier output of the same part, for what is not graded
    double test_seconds = 60;
    double submission_seconds = 600;
    std::string seed;  ///< 64 hexadecimal digits: repeats the inputs of a grading; "": a new one
    std::optional<std::int64_t> class_seed;  ///< of the random tests, for all students of a class
};

/// Grades one submission: compiles and tests its files, three at once, and then times them, one at
/// a time.
class Grader {
  public:
    explicit Grader(GradeOptions options);

    /// Throws MachineFault if the tools or the judge do not work here.
    Grade grade();

    /// The results of the tests, for `write_tested`.
    nlohmann::json tested() const;

  private:
    /// Grades one file at a time. Each lane has a user id of its own.
    struct Lane {
        Lease lease{};
        Sandbox sandbox;
        Workshop workshop;

        Lane(const Settings& settings, const LabFacts& lab)
            : sandbox(Sandbox::find(lease.user())), workshop(settings, lab, lease, sandbox) {}
    };

    /// A file with its results so far.
    struct Job {
        SubmittedFile file;
        Lane* lane = nullptr;
        std::string verdict{};  ///< if there will be no other
        std::string reason{};
        std::string text{};         ///< the fingerprint of what was compiled
        std::string unseen{};       ///< an access that the emulation does not see
        std::string not_counted{};  ///< why its counters are no evidence
        nlohmann::json judged{};    ///< tests and speeds
        bool was_tested = false;    ///< by an earlier grading
        bool is_kept = false;       ///< nothing of it is done again
    };

    GradeOptions options_;
    Settings settings_;
    LabFacts lab_;
    nlohmann::json points_;
    Secret seed_;
    std::int64_t class_seed_;
    nlohmann::json facts_{};  ///< of all files together
    std::deque<Lane> lanes_{};
    std::deque<Job> jobs_{};
    std::vector<bool> trusted_{};  ///< kinds of files whose known-good variant was right before
    Clock::time_point end_{};      ///< of the time for the submission

    nlohmann::json grade_files();
    void keep_earlier();
    void take_over_tested();
    void take_over(Job& job, const nlohmann::json& tested, const std::filesystem::path& folder,
                   bool with_speeds) const;
    nlohmann::json measured(const Job& job, bool with_speeds) const;
    void prepare_lanes(std::size_t wanted);
    void try_known_good(Lane& lane, bool on_device);
    void try_known_good();
    void try_known_good_after_failures();
    void test_all(Clock::time_point end);
    void test(Job& job, Clock::time_point end);
    void time_all();
    nlohmann::json task_of(const Job& job) const;
    void add_speeds(nlohmann::json& task, const Job& job);
    bool judge(Job& job, nlohmann::json task, Clock::time_point end,
               const std::vector<std::string>& settings = {}) const;
    void look_for_races(Job& job, Clock::time_point end) const;
    void run_out(Job& job, double seconds) const;
    bool is_timed(const Job& job) const;
    bool is_compiled(const Job& job) const;
    bool has_passed(const Job& job) const;
    KnownGood known_good(bool on_device) const;
    GradedVariant conclusion(const Job& job) const;
};

}  // namespace grading
