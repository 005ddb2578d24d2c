#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "check/intake.hpp"
#include "common/error.hpp"

namespace {

namespace fs = std::filesystem;

class IntakeTest : public testing::Test {
  protected:
    fs::path folder_ = fs::path(testing::TempDir()) / ("intake-" + std::to_string(getpid()));

    void SetUp() override {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    void write(const std::string& name, const std::string& content = "x") const {
        std::ofstream(folder_ / name) << content;
    }
    grading::Intake take_in() const { return grading::take_in(folder_); }

    void expect_refused(const std::string& reason) const {
        const grading::Intake intake = take_in();
        EXPECT_TRUE(intake.files.empty());
        ASSERT_EQ(intake.refused.size(), 1u);
        EXPECT_EQ(intake.refused[0].variant, "omp_rows");
        EXPECT_NE(intake.refused[0].reason.find(reason), std::string::npos)
            << intake.refused[0].reason;
    }
};

TEST_F(IntakeTest, takes_variants_with_and_without_a_number) {
    write("02_omp_rows.cpp", "rows");
    write("cuda_mine.cu", "mine");
    const grading::Intake intake = take_in();
    ASSERT_EQ(intake.files.size(), 2u);
    EXPECT_EQ(intake.files[0].variant, "omp_rows");
    EXPECT_EQ(intake.files[0].content, "rows");
    EXPECT_FALSE(intake.files[0].on_device);
    EXPECT_EQ(intake.files[1].variant, "cuda_mine");
    EXPECT_TRUE(intake.files[1].on_device);
}

TEST_F(IntakeTest, names_files_in_folders) {
    fs::create_directories(folder_ / "lab1/ladder");
    write("lab1/ladder/02_omp_rows.cpp");
    expect_refused("is in the folder 'lab1/ladder'");
    write("lab1/answers.txt");
    write("lab1/notes.txt");
    fs::create_symlink("answers.txt", folder_ / "lab1/cuda_link.cu");
    ASSERT_EQ(take_in().refused.size(), 2u);
    EXPECT_EQ(take_in().refused[0].variant, "answers.txt");
    write("omp_rows.cpp");
    write("answers.txt");
    EXPECT_TRUE(take_in().refused.empty());
    for (int i = 0; i < 40; ++i) write("lab1/omp_" + std::to_string(i) + ".cpp");
    EXPECT_EQ(take_in().refused.size(), 15u);
}

TEST_F(IntakeTest, names_other_files_and_the_nearest_expected_name) {
    const std::vector<std::string> expected{"omp_rows.cpp", "cuda_shared.cu", "answers.txt"};
    const std::map<std::string, std::string> names{{"omp_rows.CPP", "omp_rows.cpp"},
                                                   {"OMP_rows.cpp", "omp_rows.cpp"},
                                                   {"omp_rows.cc", "omp_rows.cpp"},
                                                   {"02-omp_rows.cpp", "omp_rows.cpp"},
                                                   {"omp_rows (1).cpp", "omp_rows.cpp"},
                                                   {"omp_row\u015b.cpp", "omp_rows.cpp"},
                                                   {"Ada's final omp_rows, 2.zip", "omp_rows.cpp"},
                                                   {" omp_rows.cpp", "omp_rows.cpp"},
                                                   {"..omp_rows.cpp", "omp_rows.cpp"},
                                                   {"-cuda-shared.cu", "cuda_shared.cu"},
                                                   {"cuda_Shared.cu", "cuda_shared.cu"},
                                                   {"answers.txt.txt", "answers.txt"},
                                                   {"Answer.txt", "answers.txt"},
                                                   {"README.md", ""},
                                                   {"omp_a\nb.cpp", "omp_rows.cpp"},
                                                   {"seq.cpp", ""},
                                                   {std::string(200, 'a') + ".cpp", ""}};
    for (const auto& [name, nearest] : names) {
        write(name);
        const grading::Intake intake = grading::take_in(folder_, expected);
        EXPECT_TRUE(intake.files.empty());
        EXPECT_TRUE(intake.refused.empty());
        ASSERT_EQ(intake.others.size(), 1u) << name;
        const std::string& reason = intake.others[0].reason;
        const auto at = reason.find("; the nearest expected name is ");
        EXPECT_EQ(at == std::string::npos ? "" : reason.substr(at + 31), nearest) << name;
        EXPECT_EQ(intake.others[0].file.find('\n'), std::string::npos);
        fs::remove(folder_ / name);
    }
}

TEST_F(IntakeTest, leaves_ranks_to_a_person) {
    write("30_mpi_rows.cpp");
    const auto others = grading::take_in(folder_, {"omp_rows.cpp", "mpi_rows.cpp"}).others;
    ASSERT_EQ(others.size(), 1u);
    EXPECT_EQ(others[0].reason, "is left to a person");
}

TEST_F(IntakeTest, names_what_is_nearly_expected_first) {
    fs::create_directories(folder_ / "a/b");
    fs::create_directories(folder_ / ".git");
    write(".git/omp_rows.cc");
    fs::create_symlink("/etc/passwd", folder_ / "link");
    for (int i = 0; i < 100; ++i) write("a/" + std::to_string(i));
    write("a/b/omp_rows.cc");
    const auto others = grading::take_in(folder_, {"omp_rows.cpp"}).others;
    ASSERT_EQ(others.size(), 51u);
    EXPECT_EQ(others.front().file, "a/b/omp_rows.cc");
    EXPECT_EQ(others.back().reason, "and 52 more files");
}

TEST_F(IntakeTest, refuses_a_symbolic_link) {
    fs::create_symlink("/etc/passwd", folder_ / "omp_rows.cpp");
    expect_refused("symbolic link");
}

TEST_F(IntakeTest, takes_answers_as_it_takes_variants) {
    write("answers.txt", "x = 1\n");
    EXPECT_EQ(take_in().answers, "x = 1\n");
    write("answers.txt", std::string((256 << 10) + 1, ' '));
    EXPECT_EQ(take_in().answers, "");
    EXPECT_EQ(take_in().refused.at(0).file, "answers.txt");
    fs::remove(folder_ / "answers.txt");
    fs::create_symlink("/etc/passwd", folder_ / "answers.txt");
    EXPECT_EQ(take_in().answers, "");
    EXPECT_EQ(take_in().refused.at(0).reason, "is a symbolic link");
}

TEST_F(IntakeTest, refuses_a_hard_link) {
    write("other");
    fs::create_hard_link(folder_ / "other", folder_ / "omp_rows.cpp");
    expect_refused("hard link");
}

TEST_F(IntakeTest, does_not_wait_for_a_pipe) {
    ASSERT_EQ(mkfifo((folder_ / "omp_rows.cpp").c_str(), 0644), 0);
    expect_refused("no regular file");
}

TEST_F(IntakeTest, refuses_a_folder) {
    fs::create_directory(folder_ / "omp_rows.cpp");
    expect_refused("no regular file");
}

TEST_F(IntakeTest, takes_256_kb_and_no_more) {
    write("omp_rows.cpp", std::string(256 << 10, ' '));
    EXPECT_EQ(take_in().files.size(), 1u);
    write("omp_rows.cpp", std::string((256 << 10) + 1, ' '));
    expect_refused("256 KB");
}

TEST_F(IntakeTest, refuses_the_second_file_of_a_variant) {
    write("02_omp_rows.cpp");
    write("omp_rows.cpp");
    const grading::Intake intake = take_in();
    EXPECT_EQ(intake.files.size(), 1u);
    ASSERT_EQ(intake.refused.size(), 1u);
    EXPECT_EQ(intake.refused[0].file, "omp_rows.cpp");
}

TEST_F(IntakeTest, refuses_kernels_in_a_file_for_the_cpu) {
    write("omp_rows.cu");
    expect_refused("omp variants are .cpp files");
}

TEST_F(IntakeTest, takes_16_variants_and_no_more) {
    for (int i = 10; i < 27; ++i) write("omp_v" + std::to_string(i) + ".cpp");
    const grading::Intake intake = take_in();
    EXPECT_EQ(intake.files.size(), 16u);
    EXPECT_EQ(intake.refused.size(), 1u);
}

TEST_F(IntakeTest, does_not_look_at_thousands_of_names) {
    for (int i = 0; i < 20'000; ++i) {
        std::ofstream file(folder_ / ("omp_" + std::to_string(100'000 + i) + ".cpp"));
    }
    const grading::Intake intake = take_in();
    EXPECT_EQ(intake.files.size(), 16u);
    ASSERT_EQ(intake.refused.size(), 1u);
    EXPECT_EQ(intake.refused[0].reason, "and 19984 more files are not looked at");
}

TEST_F(IntakeTest, says_that_there_is_no_folder) {
    EXPECT_THROW(grading::take_in(folder_ / "none"), common::BadUsage);
}

}  // namespace
