// Pictures of each format are read right, or refused in a message that names the file, or a note
// says what was lost.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <opencv2/imgcodecs.hpp>
#include <utility>
#include <vector>

#include "common/error.hpp"
#include "common/image.hpp"
#include "harness/scenes.hpp"
#include "harness/testing.hpp"

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;
using namespace std::string_literals;

class Format : public testing::Test {
  protected:
    const fs::path folder_ = harness::test_folder();
    void TearDown() override { fs::remove_all(folder_); }

    struct Loaded {
        cv::Mat image;
        std::string notes;
    };

    Loaded load(const std::string& bytes) const {
        const fs::path file = folder_ / "picture";  // the bytes say which format it is
        std::ofstream(file, std::ios::binary) << bytes;
        testing::internal::CaptureStderr();
        Loaded loaded;
        try {
            loaded.image = common::load_image(file);
        } catch (const common::BadUsage&) {
            testing::internal::GetCapturedStderr();
            throw;
        }
        loaded.notes = testing::internal::GetCapturedStderr();
        return loaded;
    }

    void expect_refused(const std::string& bytes, const std::string& why) const {
        EXPECT_THAT([&] { load(bytes); },
                    ThrowsMessage<common::BadUsage>(
                        testing::AllOf(HasSubstr((folder_ / "picture").string()), HasSubstr(why))));
    }

    void expect_same(const cv::Mat& got, const cv::Mat& expected, const std::string& what,
                     double most = 0) const {
        ASSERT_EQ(got.type(), expected.type()) << what;
        ASSERT_EQ(got.size(), expected.size()) << what;
        EXPECT_LE(cv::norm(got, expected, cv::NORM_INF), most) << what;
    }
};

/// A number of `bytes` bytes, the lowest first, or for PNG the highest first.
std::string number(std::uint32_t value, int bytes, bool highest_first = false) {
    std::string text;
    for (int i = 0; i < bytes; ++i) {
        const int place = highest_first ? bytes - 1 - i : i;
        text += static_cast<char>(value >> 8 * place & 255);
    }
    return text;
}

std::string encoded(const std::string& extension, const cv::Mat& image,
                    const std::vector<int>& options = {}) {
    std::vector<uchar> bytes;
    cv::imencode(extension, image, bytes, options);
    return {bytes.begin(), bytes.end()};
}

/// The pixels (B, G, R) of two rows of three.
cv::Mat six_pixels(int channels) {
    const cv::Mat all = (cv::Mat_<uchar>(2, 9) << 0, 10, 20, 30, 40, 50, 60, 70, 80,  //
                         255, 110, 120, 130, 140, 150, 160, 170, 180);
    return channels == 3 ? all.reshape(3) : all.colRange(0, 3).clone();
}

// --- Netpbm --------------------------------------------------------------------------------------

TEST_F(Format, netpbm_values_are_scaled_from_any_maximum) {
    for (const int most : {1, 6, 7, 31, 100, 255, 256, 1023, 4095, 65535}) {
        const std::array values{0, most, most / 2, most / 3 + 1, most, 0};
        for (const char kind : {'2', '3', '5', '6', '7'}) {
            const int channels = kind == '3' || kind == '6' ? 3 : kind == '7' ? 2 : 1;
            std::string bytes =
                fmt::format("P{}\n# 9 9\n{} 1 # comment\n{}\n", kind, 6 / channels, most);
            if (kind == '7') {
                bytes = fmt::format(
                    "P7\nWIDTH 3\nHEIGHT 1\nDEPTH 2\nMAXVAL {}\n"
                    "TUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n",
                    most);
            }
            for (const int value : values) {
                bytes += kind < '4'
                             ? fmt::format("{} ", value)
                             : number(static_cast<std::uint32_t>(value), most > 255 ? 2 : 1, true);
            }
            const auto [image, notes] = load(bytes);
            ASSERT_EQ(image.total(), 6u / static_cast<unsigned>(channels));
            for (int i = 0; i < 6; ++i) {
                if (kind == '7' && i % 2 == 1) continue;
                const int at = channels == 3 ? i / 3 * 3 + 2 - i % 3 : i / channels;  // BGR
                EXPECT_EQ(image.ptr(0)[at], (values[i] * 510LL + most) / (2LL * most))
                    << kind << ", value " << i << " of " << most;
            }
            EXPECT_EQ(notes.find("; scaled") != notes.npos, most > 255) << notes;
            EXPECT_EQ(notes.find("alpha channel; dropped") != notes.npos, kind == '7') << notes;
        }
    }
}

TEST_F(Format, netpbm_bits_and_channels) {
    const cv::Mat bits = (cv::Mat_<uchar>(2, 9) << 255, 0, 255, 255, 0, 0, 255, 255, 0,  //
                          0, 255, 255, 255, 255, 255, 255, 255, 255);
    expect_same(load("P1 9 2\n010011001\n# c\n1 00000000\n"s).image, bits, "P1");
    expect_same(load("P4 9 2\n\x4C\x80\x80\x7F"s).image, bits, "P4");
    const std::string pam = "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE ";
    const cv::Mat pixel(1, 1, CV_8UC3, cv::Scalar(3, 2, 1));
    expect_same(load(pam + "RGB_ALPHA\nENDHDR\n\1\2\3\4").image, pixel, "PAM");
    expect_refused(pam + "CMYK\nENDHDR\n\1\2\3\4", "CMYK");
    expect_refused(pam + "RGB\nENDHDR\n\1\2\3\4", "4 channels");
}

TEST_F(Format, netpbm_damage_is_named) {
    for (const auto& [bytes, why] : std::vector<std::pair<std::string, std::string>>{
             {"P5 2 2 255\nabc", "cut short"},
             {"P5 2 2 1023\nabcd", "cut short"},
             {"P4 9 2\nabc", "cut short"},
             {"P2 2 2 255\n1 2 3", "cut short"},
             {"P5 2 1 100\n\x7F!", "127 where 100 is the most"},
             {"P2 2 1 100\n7 101\n", "not 0 to 100"},
             {"P2 2 1 100\n7 -1\n", "not 0 to 100"},
             {"P1 2 1\n1 2\n", "neither 0 nor 1"},
             {"P5 2 1 0\nab", "largest value of 0"},
             {"P5 2 1 70000\nabcd", "65535"},
             {"P5 0 1 255\na", "no pixels"},
             {"P5 1000000000 1000000000 255\na", "cut short"},
             {"P7\nWIDTH 1\n", "header"},
             {"P5", "not an image"}}) {
        expect_refused(bytes, why);
    }
    EXPECT_THAT(load("P5 2 1 255\r\nab").notes, HasSubstr("1 byte(s) behind its picture"));
}

// --- TIFF ----------------------------------------------------------------------------------------

using Tags = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// A TIFF file of one strip of 8-bit rows; `more` replaces or adds tags with one short value.
std::string tiff(const cv::Mat& rows, std::uint32_t meaning, const Tags& more = {},
                 std::uint32_t next = 0) {
    std::map<std::uint32_t, std::uint32_t> tags{
        {256, rows.cols},
        {257, rows.rows},
        {258, 8},
        {259, 1},
        {262, meaning},
        {273, 8},
        {277, rows.channels()},
        {278, rows.rows},
        {279, static_cast<std::uint32_t>(rows.total() * rows.elemSize())}};
    for (const auto& [tag, value] : more) tags[tag] = value;
    const std::string pixels(rows.ptr<char>(), rows.total() * rows.elemSize());
    std::string text = "II*\0"s + number(8 + static_cast<std::uint32_t>(pixels.size()), 4) +
                       pixels + number(static_cast<std::uint32_t>(tags.size()), 2);
    for (const auto& [tag, value] : tags) {
        text += number(tag, 2) + number(3, 2) + number(1, 4) + number(value, 4);
    }
    return text + number(next, 4);
}

TEST_F(Format, tiff_colours_are_those_of_the_file) {
    enum { photometric_rgb = 2, extra_samples = 338 };
    const cv::Mat rgba(2, 3, CV_8UC4, cv::Scalar(120, 60, 30, 64));
    const cv::Mat bgr(2, 3, CV_8UC3, cv::Scalar(30, 60, 120));
    for (const std::uint32_t kind : {0u, 1u, 2u}) {
        const auto [image, notes] = load(tiff(rgba, photometric_rgb, {{extra_samples, kind}}));
        expect_same(image, bgr, fmt::format("kind {} of alpha", kind));
        EXPECT_THAT(notes, HasSubstr(kind == 1 ? "colours are multiplied" : "channel; dropped"));
    }
    const cv::Mat gray = six_pixels(1);
    expect_same(load(tiff(gray, 1)).image, gray, "gray");
    cv::Mat negative;
    cv::bitwise_not(gray, negative);
    expect_same(load(tiff(negative, 0)).image, gray, "0 is white");
    EXPECT_THAT(load(tiff(gray, 1, {}, 8)).notes, HasSubstr("several pictures"));
    expect_refused(tiff(rgba, 5), "CMYK");
    expect_refused(tiff(six_pixels(3), 8), "photometric interpretation 8");
    expect_refused(tiff(gray, 1, {{339, 2}}), "not accepted");  // signed
    expect_refused(tiff(gray, 1, {{258, 12}}), "values of 12 bits");
    expect_refused(tiff(gray, 0, {{258, 16}, {256, 1}}), "16 bits");  // 0 is white
    expect_refused(tiff(gray, 1, {{257, 400}, {278, 400}, {279, 1200}}), "damaged");
    expect_refused(tiff(gray, 1, {{259, 5}}), "damaged");  // no LZW data
    expect_refused(tiff(gray, 1).substr(0, 40), "damaged or cut short");
}

// --- Orientation ---------------------------------------------------------------------------------

std::string exif(int orientation) {
    std::string data = "MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"s;
    data.push_back(static_cast<char>(orientation));
    data.append(6, '\0');
    return data;
}

std::string png_chunk(const std::string& name, const std::string& data) {
    std::uint32_t crc = ~0u;
    for (const char byte : name + data) {
        crc ^= static_cast<uchar>(byte);
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320u : 0);
    }
    return number(static_cast<std::uint32_t>(data.size()), 4, true) + name + data +
           number(~crc, 4, true);
}

std::string riff_chunk(const std::string& name, const std::string& data) {
    return name + number(static_cast<std::uint32_t>(data.size()), 4) + data;
}

/// A picture with an orientation, in each format that has one.
std::vector<std::pair<std::string, std::string>> with_orientation(const cv::Mat& bgr, int value) {
    const std::string png = encoded(".png", bgr);
    const std::string jpeg = encoded(".jpg", bgr, {cv::IMWRITE_JPEG_QUALITY, 100});
    const std::string block = "Exif\0\0"s + exif(value);
    cv::Mat rgb = bgr.clone();
    for (auto pixel = rgb.begin<cv::Vec3b>(); pixel != rgb.end<cv::Vec3b>(); ++pixel) {
        std::swap((*pixel)[0], (*pixel)[2]);
    }
    constexpr std::size_t after_ihdr = 33;
    std::vector<std::pair<std::string, std::string>> files{
        {"png",
         png.substr(0, after_ihdr) + png_chunk("eXIf", exif(value)) + png.substr(after_ihdr)},
        {"jpeg", jpeg.substr(0, 2) + "\xFF\xE1" +
                     number(static_cast<std::uint32_t>(block.size()) + 2, 2, true) + block +
                     jpeg.substr(2)},
        {"tiff", tiff(rgb, 2, {{274, static_cast<std::uint32_t>(value)}})}};
    if (cv::haveImageWriter("a.webp")) {
        const auto side = [](int n) { return number(static_cast<std::uint32_t>(n - 1), 3); };
        const std::string chunks =
            "WEBP" + riff_chunk("VP8X", number(8, 4) + side(bgr.cols) + side(bgr.rows)) +
            encoded(".webp", bgr).substr(12) + riff_chunk("EXIF", exif(value));
        files.emplace_back("webp", riff_chunk("RIFF", chunks));
    }
    return files;
}

TEST_F(Format, orientation_is_applied_in_all_formats) {
    cv::Mat upright;  // gray, as JPEG stores colours at half of the size
    cv::merge(std::vector<cv::Mat>(3, harness::make_scene("landscape", 24, 16, 1)), upright);
    for (int value = 1; value <= 8; ++value) {
        cv::Mat expected = upright.clone();  // the rows and columns of EXIF's table
        if (value > 4) cv::transpose(expected, expected);
        if (value == 2 || value == 3 || value == 6 || value == 7) cv::flip(expected, expected, 1);
        if (value == 3 || value == 4 || value == 7 || value == 8) cv::flip(expected, expected, 0);
        for (const auto& [format, bytes] : with_orientation(upright, value)) {
            const auto [image, notes] = load(bytes);
            const std::string what = fmt::format("{}, orientation {}", format, value);
            expect_same(image, expected, what, format == "jpeg" ? 4 : 0);
            EXPECT_EQ(notes.find("turned upright") != notes.npos, value != 1) << what << notes;
        }
    }
    for (const auto& [format, bytes] : with_orientation(upright, 9)) {
        EXPECT_EQ(load(bytes).notes, "") << format;
    }
}

// --- JPEG and BMP --------------------------------------------------------------------------------

TEST_F(Format, jpeg_with_damaged_data_is_refused) {
    const cv::Mat scene = harness::make_scene("landscape", 200, 150, 3);
    for (const int progressive : {0, 1}) {
        const auto whole = encoded(".jpg", scene, {cv::IMWRITE_JPEG_PROGRESSIVE, progressive});
        EXPECT_EQ(load(whole).notes, "");
        for (const double part : {0.4, 0.6, 0.9}) {
            const auto at = static_cast<std::size_t>(part * static_cast<double>(whole.size()));
            expect_refused(whole.substr(0, at) + "\xFF\xD9", "damaged");
            expect_refused(std::string(whole).erase(at, 300), "damaged");
        }
        const std::size_t last_scan = whole.rfind("\xFF\xDA");
        expect_refused(whole.substr(0, last_scan) + "\xFF\xD9", "damaged");
    }
    std::string four = encoded(".jpg", scene);
    four[four.find("\xFF\xC0") + 9] = 4;
    expect_refused(four, "CMYK");
}

/// A BMP file; `header` begins with its own size. Rows have a multiple of 4 bytes.
std::string bmp(const std::string& header, const std::string& more, const std::string& rows) {
    const std::string rest = header + more + rows;
    return "BM" + number(14 + static_cast<std::uint32_t>(rest.size()), 4) + number(0, 4) +
           number(14 + static_cast<std::uint32_t>((header + more).size()), 4) + rest;
}

TEST_F(Format, bmp_of_each_kind_is_right_or_refused) {
    const auto os2 = [](std::uint32_t bits) {
        return number(12, 4) + number(4, 2) + number(1, 2) + number(1, 2) + number(bits, 2);
    };
    const auto windows = [](std::uint32_t bits, std::uint32_t compression) {
        return number(40, 4) + number(4, 4) + number(1, 4) + number(1, 2) + number(bits, 2) +
               number(compression, 4) + std::string(20, '\0');
    };
    const cv::Mat colour = (cv::Mat_<cv::Vec3b>(1, 4) << cv::Vec3b(1, 2, 3), cv::Vec3b(4, 5, 6),
                            cv::Vec3b(7, 8, 9), cv::Vec3b(10, 11, 12));
    const std::string bytes = "\1\2\3\4\5\6\7\x8\x9\xA\xB\xC"s;
    expect_same(load(bmp(os2(24), "", bytes)).image, colour, "OS/2");
    expect_same(load(bmp(windows(24, 0), "", bytes)).image, colour, "Windows");
    const std::string palette = "\1\2\3\4\5\6"s;
    const cv::Mat two = (cv::Mat_<cv::Vec3b>(1, 4) << cv::Vec3b(1, 2, 3), cv::Vec3b(4, 5, 6),
                         cv::Vec3b(1, 2, 3), cv::Vec3b(4, 5, 6));
    expect_same(load(bmp(os2(1), palette, "\x50\0\0\0"s)).image, two, "OS/2, palette");
    const std::string four(16, '\1');
    const std::string usual = number(0xFF0000, 4) + number(0xFF00, 4) + number(0xFF, 4);
    EXPECT_THAT(load(bmp(windows(32, 3), usual, four)).notes, HasSubstr("alpha channel; dropped"));
    expect_refused(bmp(windows(32, 3), usual.substr(4) + usual.substr(0, 4), four), "bit masks");
    expect_refused(bmp(windows(16, 0), "", four), "16 bits per pixel");
    expect_refused(bmp(windows(24, 0), "", bytes.substr(4)), "cut short");
}

// --- Output --------------------------------------------------------------------------------------

TEST_F(Format, output_has_to_hold_8_bits) {
    for (const char* name : {"a.pbm", "a.pfm", "a.hdr", "a.exr", "a.ppm", "a.PBM"}) {
        if (!cv::haveImageWriter(name)) continue;
        EXPECT_THAT([&] { common::check_format_holds(name, 5, 4, CV_8UC1); },
                    ThrowsMessage<common::BadUsage>(HasSubstr("accepted: .png")))
            << name;
    }
    for (const char* name : {"a.png", "a.jpg", "a.bmp", "a.TIF", "a.pgm", "a.pnm"}) {
        EXPECT_NO_THROW(common::check_format_holds(name, 5, 4, CV_8UC1)) << name;
    }
    for (const char* name : {"a.png", "a.jpg", "a.bmp", "a.TIF", "a.ppm", "a.pnm"}) {
        EXPECT_NO_THROW(common::check_format_holds(name, 5, 4, CV_8UC3)) << name;
    }
}

}  // namespace
