// labs_class: what `grade class` needs besides `grade check`. See class.sh.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "common/error.hpp"
#include "pages.hpp"
#include "pseudonyms.hpp"
#include "results.hpp"
#include "roster.hpp"

namespace {

namespace fs = std::filesystem;

struct Arguments {
    fs::path roster, submissions, out;
};

void print_ids(const fs::path& roster) {
    for (const grading::Student& student : grading::read_roster(roster))
        fmt::print("{}\n", student.id);
}

/// Returns how many students with a submission have no result.
int merge(const Arguments& arguments) {
    std::vector<grading::Grade> grades;
    const auto students = grading::read_roster(arguments.roster);
    for (const grading::Student& student : students) {
        grades.push_back(grading::read_grade(student, arguments.out / "students" / student.id,
                                             fs::is_directory(arguments.submissions / student.id)));
    }
    grading::write_grades(grades, arguments.out / "grades.csv");
    grading::write_index(grades, arguments.out / "index.html");
    grading::write_junit(grades, arguments.out / "junit.xml");
    grading::write_leaderboard(grades,
                               grading::pseudonyms(students, arguments.out / "pseudonyms.csv"),
                               arguments.out / "leaderboard.html");
    int graded = 0;
    int missing = 0;
    for (const grading::Grade& grade : grades) {
        graded += grade.graded ? 1 : 0;
        if (grade.graded || !grade.submitted) continue;
        ++missing;
        fmt::print(stderr, "{}: not graded; its folder's log says why\n", grade.student.id);
    }
    fmt::print("{} students: {} graded, {} without submission, {} not graded\n", grades.size(),
               graded, static_cast<int>(grades.size()) - graded - missing, missing);
    return missing;
}

int run(int argc, char** argv) {
    Arguments arguments;
    CLI::App app("The roster of a class, and what is made of all its results");
    app.require_subcommand(1);
    CLI::App* ids = app.add_subcommand("ids", "prints the students' ids");
    ids->add_option("ROSTER", arguments.roster)->required();
    CLI::App* merging = app.add_subcommand("merge", "writes grades.csv, the pages and junit.xml");
    merging->add_option("ROSTER", arguments.roster)->required();
    merging->add_option("SUBMISSIONS", arguments.submissions)->required();
    merging->add_option("OUT", arguments.out)->required();
    CLI::App* timed = app.add_subcommand("timed", "whether a student has a variant to be timed");
    timed->add_option("FOLDER", arguments.out)->required();
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& error) {
        throw common::BadUsage(error.what());
    }
    if (*ids) print_ids(arguments.roster);
    if (*merging) return merge(arguments) > 0 ? 1 : 0;
    if (*timed) return grading::has_right_variant(arguments.out) ? 0 : 1;
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const common::Error& error) {
        fmt::print(stderr, "labs_class: {}\n", error.what());
        return static_cast<int>(error.code);
    } catch (const std::exception& error) {
        fmt::print(stderr, "labs_class: {}\n", error.what());
        return 1;
    }
}
