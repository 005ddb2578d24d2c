// Scenes, image files, and the comparison of images.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "common/error.hpp"
#include "common/file.hpp"
#include "common/image.hpp"
#include "common/one.hpp"
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
    EXPECT_EQ(fingerprint(harness::make_scene("random", 33, 17, 3, 7)), 2899481899670745621u);
    EXPECT_EQ(fingerprint(harness::make_scene("landscape", 160, 90, 3)), 10232915258318589182u);
    EXPECT_EQ(fingerprint(harness::make_scene("foggy", 160, 90, 1)), 15758513107513430298u);
}

TEST(Scenes, exist_in_every_size_and_both_kinds) {
    for (const std::string_view name : harness::scene_names()) {
        for (const cv::Size size :
             {cv::Size(1, 1), cv::Size(1, 9), cv::Size(9, 1), cv::Size(50, 31)}) {
            for (const int channels : {1, 3}) {
                const cv::Mat image = harness::make_scene(name, size.width, size.height, channels);
                EXPECT_EQ(image.size(), size) << name;
                EXPECT_EQ(image.type(), CV_8UC(channels)) << name;
            }
        }
    }
}

TEST(Scenes, tones_are_what_their_names_say) {
    const auto mean = [](std::string_view name) {
        return cv::mean(harness::make_scene(name, 320, 180, 1))[0];
    };
    const auto spread = [](std::string_view name) {
        cv::Scalar middle, deviation;
        cv::meanStdDev(harness::make_scene(name, 320, 180, 1), middle, deviation);
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
    EXPECT_EQ(harness::parse_source("photo.jpg").scene, "");
    const auto scene = harness::parse_source("scene:checker:640x480", 5);
    EXPECT_EQ(scene.scene, "checker");
    EXPECT_EQ(scene.width, 640);
    EXPECT_EQ(scene.seed, 5u);
    EXPECT_EQ(harness::parse_source("random:3x4:99").seed, 99u);
}

TEST(Source, refuses_bad_scenes) {
    for (const char* text :
         {"scene:checker", "scene:nosuch:4x4", "scene:checker:0x4", "random:4",
          "random:4x4:", "random:4x4:x", "random:-4x4", "random:4x4x4", "random:99999999999x1"}) {
        EXPECT_THROW(harness::parse_source(text), common::BadUsage) << text;
    }
}

class ImageFile : public testing::Test {
  protected:
    const fs::path folder_ = harness::test_folder();
    void TearDown() override { fs::remove_all(folder_); }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    static cv::Mat load(const std::string& name) {
        return harness::load_source(harness::parse_source(name));
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
    const cv::Mat image = harness::make_scene("random", 31, 17, 3);
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
    const cv::Mat image = harness::make_scene("landscape", 200, 150, 3);
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

TEST_F(ImageFile, of_a_rung_as_a_program_is_named) {
    const auto read = [&](const std::string& name, const std::string& bytes) {
        std::ofstream(path(name), std::ios::binary) << bytes;
        return [=, this] { return common::one::read_picture<uchar>(path(name)); };
    };
    const auto first_row = [](const common::one::Picture<uchar>& picture) {
        const auto view = picture.view();
        return std::vector<uchar>(view.row(0), view.row(0) + view.row_length());
    };
    EXPECT_EQ(first_row(read("a.pgm", "P5\n# 9\n2 1 255\nab")()), (std::vector<uchar>{'a', 'b'}));
    EXPECT_EQ(first_row(read("a.ppm", "P6 1 1 255\nabc")()), (std::vector<uchar>{'c', 'b', 'a'}));
    for (const auto& [name, why] : std::vector<std::pair<std::string, std::string>>{
             {"missing.ppm", "No such file"}, {"", "expected a binary PGM"}}) {
        EXPECT_THAT(([&] { common::one::read_picture<uchar>(path(name)); }),
                    ThrowsMessage<common::BadUsage>(
                        testing::AllOf(HasSubstr("'" + path(name)), HasSubstr(why))));
    }
    EXPECT_THAT(read("cut.pgm", "P5 2 1 255\na"),
                ThrowsMessage<common::BadUsage>(HasSubstr("cut.pgm': the file ends too early")));
    EXPECT_THAT(read("large.ppm", "P6 2000000000 2000000000 255\na"),
                ThrowsMessage<common::BadUsage>(HasSubstr("ends too early")));
    EXPECT_THAT(read("dark.pgm", "P5 2 1 100\nab"),
                ThrowsMessage<common::BadUsage>(HasSubstr("values up to 255")));
}

/// An APP1 segment as cameras write it: an EXIF block with a whole small JPEG file inside.
std::string with_thumbnail(const std::string& photo, const std::string& thumbnail) {
    const std::string content = std::string("Exif\0\0", 6) + thumbnail;
    const std::size_t length = content.size() + 2;
    const std::string segment = {'\xFF', '\xE1', static_cast<char>(length / 256),
                                 static_cast<char>(length % 256)};
    return photo.substr(0, 2) + segment + content + photo.substr(2);
}

/// JPEG files by the encoder that labs use; `options` as in cv::imencode.
std::string jpeg(int width, int height, const std::vector<int>& options = {}) {
    std::vector<uchar> bytes;
    cv::imencode(".jpg", harness::make_scene("landscape", width, height, 3), bytes, options);
    return {bytes.begin(), bytes.end()};
}

class Photo : public ImageFile, public testing::WithParamInterface<std::vector<int>> {
  protected:
    const std::string bytes_ = with_thumbnail(jpeg(200, 150, GetParam()), jpeg(16, 12));

    bool loads(const std::string& bytes) const {
        std::ofstream(path("photo.jpg"), std::ios::binary) << bytes;
        try {
            return load(path("photo.jpg")).size() == cv::Size(200, 150);
        } catch (const common::BadUsage&) {
            return false;
        }
    }
};

TEST_P(Photo, is_whole_with_bytes_behind_its_end) {
    EXPECT_TRUE(loads(bytes_));
    EXPECT_TRUE(loads(bytes_ + "as some cameras write"));
    EXPECT_TRUE(loads(bytes_ + jpeg(16, 12)));  // multi-picture files
    EXPECT_TRUE(loads(bytes_ + jpeg(16, 12).substr(0, 50)));
    EXPECT_TRUE(loads(bytes_.substr(0, bytes_.size() - 2) + "\xFF\xFF\xFF\xD9"));  // fill bytes
}

TEST_P(Photo, is_refused_wherever_it_is_cut) {
    for (std::size_t size = 3; size < bytes_.size(); size += size < 1000 ? 7 : 97) {
        EXPECT_FALSE(loads(bytes_.substr(0, size))) << size << " of " << bytes_.size();
    }
    EXPECT_FALSE(loads(bytes_.substr(0, bytes_.size() - 1)));
}

INSTANTIATE_TEST_SUITE_P(kinds, Photo,
                         testing::Values(std::vector<int>{},
                                         std::vector<int>{cv::IMWRITE_JPEG_PROGRESSIVE, 1},
                                         std::vector<int>{cv::IMWRITE_JPEG_RST_INTERVAL, 2}));

TEST_F(ImageFile, size_that_the_format_does_not_hold_is_refused_before_the_work) {
    const auto check = [&](const std::string& name, int width, int height, int type = CV_8UC3) {
        return [=, this] { common::check_format_holds(path(name), width, height, type); };
    };
    for (const char* name : {"a.png", "a.JPG", "a.bmp", "a.tiff", "a.ppm"}) {
        EXPECT_NO_THROW(check(name, 7680, 4320)()) << name;
    }
    EXPECT_THAT(check("gray.ppm", 5, 5, CV_8UC1),
                ThrowsMessage<common::BadUsage>(
                    HasSubstr("5x5 pixels of 1 channel(s) with 8 bits; accepted")));
    EXPECT_THAT(check("a.png", 1, 3'000'000),
                ThrowsMessage<common::BadUsage>(testing::AllOf(
                    HasSubstr("a.png"), HasSubstr(".png does not hold 1x3000000 pixels"),
                    HasSubstr("its longest side is 1000000"), HasSubstr("accepted: .bmp, .tiff"))));
    EXPECT_THAT(
        check("a.jpg", 70'000, 1),
        ThrowsMessage<common::BadUsage>(HasSubstr("its longest side is 65500; accepted: .png")));
    EXPECT_THAT(check("a.bmp", 30'000, 30'000),
                ThrowsMessage<common::BadUsage>(HasSubstr("accepted: .png")));
    if (cv::haveImageWriter("a.webp")) {
        EXPECT_THAT(check("a.webp", 16'384, 1),
                    ThrowsMessage<common::BadUsage>(HasSubstr("its longest side is 16383;")));
    }
}

TEST_F(ImageFile, one_file_by_two_names_is_found) {
    std::ofstream(path("photo.png")) << "x";
    fs::create_symlink("photo.png", path("link.png"));
    fs::create_hard_link(path("photo.png"), path("hard.png"));
    fs::create_directories(path("folder"));
    for (const std::string& other :
         {path("photo.png"), path("folder/../photo.png"), path("link.png"), path("hard.png")}) {
        EXPECT_THAT(([&] {
                        common::require_different_files(
                            {{"the input", path("photo.png")}, {"--output", other}});
                    }),
                    ThrowsMessage<common::BadUsage>(HasSubstr("--output '" + other)));
    }
    EXPECT_THROW(common::require_different_files(
                     {{"--output", path("new.png")}, {"--save-input", path("folder/../new.png")}}),
                 common::BadUsage);
    EXPECT_NO_THROW(common::require_different_files(
        {{"the input", path("photo.png")}, {"--output", path("a.png")}, {"x", path("b.png")}}));
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
    EXPECT_THAT([] { harness::make_scene("random", 2'000'000, 2'000'000, 3); },
                ThrowsMessage<common::Failed>(
                    testing::AllOf(HasSubstr("12000000000000 bytes"), HasSubstr("available"))));
}

TEST(Compare, tells_the_first_wrong_value_and_how_many) {
    cv::Mat expected(4, 5, CV_8UC3, cv::Scalar::all(17));
    cv::Mat out = expected.clone();
    out.at<cv::Vec3b>(2, 3)[1] = 20;
    out.at<cv::Vec3b>(3, 0)[0] = 18;
    const auto verdict = harness::compare(expected, expected, out);
    EXPECT_FALSE(verdict.ok());
    EXPECT_EQ(verdict.text(),
              "first wrong value at (x=3, y=2, c=1): expected 17, got 20; 2 of 60 values wrong, "
              "largest error 3");
    EXPECT_TRUE(harness::compare(expected, expected, out, {.tolerance = 3}).ok());
    EXPECT_FALSE(harness::compare(expected, expected, out, {.tolerance = 2}).ok());
    EXPECT_EQ(harness::compare(expected, expected, out, {.inside_only = true}, 1).wrong, 1);
}

TEST(Compare, nan_is_wrong) {
    const cv::Mat_<float> expected(2, 2, 0.0f);
    cv::Mat_<float> out = expected.clone();
    out(1, 0) = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(harness::compare(expected, expected, out, {.tolerance = 1000}).wrong, 1);
}

}  // namespace
