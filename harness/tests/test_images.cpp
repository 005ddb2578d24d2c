// Scenes, image files, and the comparison of images.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <opencv2/imgproc.hpp>

#include "common/error.hpp"
#include "common/image.hpp"
#include "harness/scenes.hpp"
#include "harness/source.hpp"
#include "harness/testing.hpp"
#include "harness/verify.hpp"

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// FNV-1a of the pixels in row order.
std::uint64_t fingerprint(const cv::Mat& image) {
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (int y = 0; y < image.rows; ++y) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(image.cols) * image.elemSize(); ++i) {
            hash = (hash ^ image.ptr(y)[i]) * 0x100000001B3u;
        }
    }
    return hash;
}

TEST(Scenes, are_the_same_bytes_everywhere) {
    EXPECT_EQ(fingerprint(common::make_scene("random", 33, 17, 3, 7)), 2899481899670745621u);
    EXPECT_EQ(fingerprint(common::make_scene("landscape", 160, 90, 3)), 10232915258318589182u);
    EXPECT_EQ(fingerprint(common::make_scene("foggy", 160, 90, 1)), 15758513107513430298u);
}

TEST(Scenes, exist_in_every_size_and_both_kinds) {
    for (const std::string_view name : common::scene_names()) {
        for (const cv::Size size :
             {cv::Size(1, 1), cv::Size(1, 9), cv::Size(9, 1), cv::Size(50, 31)}) {
            for (const int channels : {1, 3}) {
                const cv::Mat image = common::make_scene(name, size.width, size.height, channels);
                EXPECT_EQ(image.size(), size) << name;
                EXPECT_EQ(image.type(), CV_8UC(channels)) << name;
            }
        }
    }
}

TEST(Scenes, tones_are_what_their_names_say) {
    const auto mean = [](std::string_view name) {
        return cv::mean(common::make_scene(name, 320, 180, 1))[0];
    };
    const auto spread = [](std::string_view name) {
        cv::Scalar middle, deviation;
        cv::meanStdDev(common::make_scene(name, 320, 180, 1), middle, deviation);
        return deviation[0];
    };
    EXPECT_LT(mean("underexposed"), 50);
    EXPECT_LT(mean("dark-interior"), 60);
    EXPECT_GT(mean("overexposed"), 180);
    EXPECT_LT(spread("low-contrast"), spread("landscape") / 3);
    EXPECT_LT(spread("foggy"), spread("landscape") / 2);
    EXPECT_EQ(spread("constant"), 0);
}

TEST(Source, is_a_file_a_scene_or_random_numbers) {
    EXPECT_EQ(common::parse_source("photo.jpg").scene, "");
    const auto scene = common::parse_source("scene:checker:640x480", 5);
    EXPECT_EQ(scene.scene, "checker");
    EXPECT_EQ(scene.width, 640);
    EXPECT_EQ(scene.seed, 5u);
    EXPECT_EQ(common::parse_source("random:3x4:99").seed, 99u);
}

TEST(Source, refuses_bad_scenes) {
    for (const char* text :
         {"scene:checker", "scene:nosuch:4x4", "scene:checker:0x4", "random:4",
          "random:4x4:", "random:4x4:x", "random:-4x4", "random:4x4x4", "random:99999999999x1"}) {
        EXPECT_THROW(common::parse_source(text), common::BadUsage) << text;
    }
}

class ImageFile : public testing::Test {
  protected:
    const fs::path folder_ = common::test_folder();
    void TearDown() override { fs::remove_all(folder_); }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    static cv::Mat load(const std::string& name) {
        return common::load_source(common::parse_source(name));
    }

    /// The first `part` of the file's bytes under another name.
    std::string cut(const std::string& name, double part) const {
        std::ifstream in(name, std::ios::binary);
        std::string bytes{std::istreambuf_iterator<char>(in), {}};
        bytes.resize(static_cast<std::size_t>(static_cast<double>(bytes.size()) * part));
        std::string shorter = path("cut" + fs::path(name).extension().string());
        std::ofstream(shorter, std::ios::binary) << bytes;
        return shorter;
    }
};

TEST_F(ImageFile, comes_back_as_it_was_written) {
    const cv::Mat image = common::make_scene("random", 31, 17, 3);
    common::write_image(path("a.png"), image);
    EXPECT_EQ(fingerprint(load(path("a.png"))), fingerprint(image));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1) << "something was left over";
}

TEST_F(ImageFile, sixteen_bits_are_scaled_and_rounded) {
    const cv::Mat deep = (cv::Mat_<ushort>(1, 4) << 0, 128, 129, 65535);
    common::write_image(path("deep.png"), deep);
    const cv::Mat image = load(path("deep.png"));
    ASSERT_EQ(image.type(), CV_8UC1);
    EXPECT_EQ(image.at<uchar>(0, 1), 0);  // 128 / 257 = 0.498
    EXPECT_EQ(image.at<uchar>(0, 2), 1);  // 129 / 257 = 0.502
    EXPECT_EQ(image.at<uchar>(0, 3), 255);
}

TEST_F(ImageFile, alpha_is_dropped) {
    const cv::Mat image(4, 5, CV_8UC4, cv::Scalar(1, 2, 3, 4));
    common::write_image(path("alpha.png"), image);
    EXPECT_EQ(load(path("alpha.png")).type(), CV_8UC3);
    EXPECT_EQ(load(path("alpha.png")).at<cv::Vec3b>(0, 0), cv::Vec3b(1, 2, 3));
}

TEST_F(ImageFile, damaged_input_is_named) {
    const cv::Mat image = common::make_scene("landscape", 200, 150, 3);
    common::write_image(path("a.png"), image);
    common::write_image(path("a.jpg"), image);
    std::ofstream(path("empty.png")).close();
    std::ofstream(path("text.png")) << "this is no picture\n";
    for (const std::string& bad :
         {path("missing.png"), path("empty.png"), path("text.png"), folder_.string(),
          cut(path("a.png"), 0.5), cut(path("a.jpg"), 0.5), cut(path("a.png"), 0.02)}) {
        EXPECT_THAT([&] { load(bad); }, ThrowsMessage<common::BadUsage>(HasSubstr(bad)));
    }
}

TEST_F(ImageFile, output_is_checked_before_the_work) {
    EXPECT_NO_THROW(common::check_writable_image(path("out.png")));
    for (const std::string& bad : {path("out"), path("out.txt"), path("nosuch/out.png"),
                                   std::string("/proc/out.png"), std::string("")}) {
        EXPECT_THROW(common::check_writable_image(bad), common::BadUsage) << bad;
    }
    fs::create_directories(path("folder.png"));
    EXPECT_THROW(common::check_writable_image(path("folder.png")), common::BadUsage);
}

TEST(Memory, too_much_is_refused_with_both_numbers) {
    EXPECT_THAT([] { common::make_scene("random", 2'000'000, 2'000'000, 3); },
                ThrowsMessage<common::Failed>(
                    testing::AllOf(HasSubstr("12000000000000 bytes"), HasSubstr("available"))));
}

TEST(Compare, tells_the_first_wrong_value_and_how_many) {
    cv::Mat expected(4, 5, CV_8UC3, cv::Scalar::all(17));
    cv::Mat out = expected.clone();
    out.at<cv::Vec3b>(2, 3)[1] = 20;
    out.at<cv::Vec3b>(3, 0)[0] = 18;
    const auto verdict = common::compare(expected, expected, out);
    EXPECT_FALSE(verdict.ok());
    EXPECT_EQ(verdict.text(),
              "first wrong value at (x=3, y=2, c=1): expected 17, got 20; 2 of 60 values wrong, "
              "largest error 3");
    EXPECT_TRUE(common::compare(expected, expected, out, {.tolerance = 3}).ok());
    EXPECT_FALSE(common::compare(expected, expected, out, {.tolerance = 2}).ok());
    EXPECT_EQ(common::compare(expected, expected, out, {.inside_only = true}, 1).wrong, 1);
}

}  // namespace
