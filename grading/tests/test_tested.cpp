#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "check/files.hpp"
#include "check/known_good.hpp"
#include "check/output.hpp"
#include "check/tested.hpp"
#include "common/error.hpp"

namespace {

namespace fs = std::filesystem;
using grading::KnownGood;
using nlohmann::json;

fs::path new_folder(const std::string& name) {
    const fs::path folder = testing::TempDir() + name + std::to_string(getpid());
    fs::remove_all(folder);
    fs::create_directories(folder);
    return folder;
}

json test_with(const std::string& name, const fs::path& picture, bool hidden) {
    return {
        {"name", name}, {"picture", picture}, {"hidden", hidden}, {"reason", "wrong at (1, 2)"}};
}

TEST(Tested, is_read_as_it_was_written_with_pictures_that_last) {
    const fs::path judge = new_folder("judge");
    const fs::path out = new_folder("tested");
    grading::write(judge / "a.png", "a picture");
    grading::write(judge / "small.png", "small");
    grading::write(judge / "large.png", std::string(grading::largest_picture + 1, 'x'));
    const json tests{test_with("sizes", judge / "a.png", false),
                     test_with("small", judge / "small.png", false),
                     test_with("hidden", judge / "a.png", true),
                     test_with("large", judge / "large.png", false), test_with("right", "", false)};
    const json variants{{"omp_a", {{"content", "1"}, {"judged", {{"tests", tests}}}}},
                        {"omp_b", {{"content", "2"}, {"judged", nullptr}}}};
    grading::write_tested({{"lab", "lab1"}, {"facts", {}}, {"variants", variants}}, out);
    fs::remove_all(judge);
    const fs::path moved = out.string() + ".moved";
    fs::remove_all(moved);
    fs::rename(out, moved);

    const json tested = grading::read_tested(moved, "lab1");
    const json& read = tested["variants"]["omp_a"]["judged"]["tests"];
    EXPECT_EQ(grading::content_of(read[0]["picture"].get<std::string>()), "a picture");
    for (const int without : {1, 2, 3, 4}) EXPECT_EQ(read[without]["picture"], "") << without;
    EXPECT_EQ(read[0]["reason"], "wrong at (1, 2)");
    EXPECT_EQ(read[2]["reason"], "") << "of a hidden test, and students may read the file";
    EXPECT_TRUE(tested["variants"]["omp_b"]["judged"].is_null());

    EXPECT_THROW(grading::read_tested(moved, "lab2"), common::BadUsage);
    grading::remove_tested(moved);
    EXPECT_THROW(grading::read_tested(moved, "lab1"), common::BadUsage);
    EXPECT_TRUE(fs::is_empty(moved));
    grading::write(moved / "tested.json", "[1");
    EXPECT_THROW(grading::read_tested(moved, "lab1"), common::BadUsage);
}

TEST(Tested, knows_files_by_their_content) {
    EXPECT_EQ(grading::fingerprint_of("int x;"), grading::fingerprint_of("int x;"));
    EXPECT_NE(grading::fingerprint_of("int x;"), grading::fingerprint_of("int y;"));
    EXPECT_EQ(grading::fingerprint_of("").size(), 64U);
}

TEST(KnownGood, is_remembered_for_ten_minutes_and_one_setup) {
    const fs::path folder = new_folder("known_good");
    const KnownGood kernel(folder, "lab1.kernel", "bubblewrap");
    EXPECT_FALSE(kernel.is_remembered());
    kernel.remember();
    EXPECT_TRUE(kernel.is_remembered());
    EXPECT_FALSE(KnownGood(folder, "lab1.kernel", "another sandbox").is_remembered());
    EXPECT_FALSE(KnownGood(folder, "lab1.loop", "bubblewrap").is_remembered());
    const auto now = fs::file_time_type::clock::now();
    for (const auto age : {std::chrono::minutes(11), std::chrono::minutes(-5)}) {
        fs::last_write_time(folder / "known_good.lab1.kernel", now - age);
        EXPECT_FALSE(kernel.is_remembered()) << age.count();
    }
    kernel.remember();
    kernel.forget();
    EXPECT_FALSE(kernel.is_remembered());
}

}  // namespace
