// TIFF files in strips and tiles, compressed and not, are read in bands of rows.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tiffio.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <utility>

#include "bands/files.hpp"
#include "common/error.hpp"
#include "harness/scenes.hpp"
#include "harness/testing.hpp"

namespace {

struct Form {
    std::uint16_t compression = COMPRESSION_NONE;
    std::uint16_t predictor = PREDICTOR_NONE;
    int tile = 0;  ///< width and height; 0: strips of 7 rows
    const char* mode = "w";
};

std::string to_text(const Form& form) {
    return fmt::format("compression {}, predictor {}, tiles of {}, mode {}", form.compression,
                       form.predictor, form.tile, form.mode);
}

struct Close {
    void operator()(TIFF* file) const { TIFFClose(file); }
};

void write(const std::string& path, const cv::Mat& image, const Form& form) {
    const std::unique_ptr<TIFF, Close> file(TIFFOpen(path.c_str(), form.mode));
    TIFF* const tiff = file.get();
    const int channels = image.channels();
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(image.cols));
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(image.rows));
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, channels);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
                 channels == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, form.compression);
    if (form.predictor != PREDICTOR_NONE) {
        TIFFSetField(tiff, TIFFTAG_PREDICTOR, form.predictor);
    }
    if (form.tile == 0) {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 7);
        for (int y = 0; y < image.rows; ++y) {
            cv::Mat row = image.row(y).clone();  // the predictor changes it
            TIFFWriteScanline(tiff, row.data, static_cast<std::uint32_t>(y), 0);
        }
        return;
    }
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, form.tile);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, form.tile);
    for (int y = 0; y < image.rows; y += form.tile) {
        for (int x = 0; x < image.cols; x += form.tile) {
            cv::Mat tile(form.tile, form.tile, image.type(), cv::Scalar::all(0));
            const cv::Rect inside(x, y, std::min(form.tile, image.cols - x),
                                  std::min(form.tile, image.rows - y));
            image(inside).copyTo(tile(cv::Rect(0, 0, inside.width, inside.height)));
            TIFFWriteTile(tiff, tile.data, static_cast<std::uint32_t>(x),
                          static_cast<std::uint32_t>(y), 0, 0);
        }
    }
}

/// Reads the file in bands of this many rows.
cv::Mat read(const std::string& path, int band_rows) {
    const auto reader = harness::open_rows(path);
    const harness::Shape shape = reader->shape();
    cv::Mat image(shape.height, shape.width, shape.type);
    for (int y = 0; y < image.rows; y += band_rows) {
        reader->read(y, image.rowRange(y, std::min(y + band_rows, image.rows)));
    }
    return image;
}

class Tiff : public testing::Test {
  protected:
    const std::filesystem::path folder_ = harness::test_folder();
    const std::string path_ = (folder_ / "in.tif").string();
    void TearDown() override { std::filesystem::remove_all(folder_); }
};

TEST_F(Tiff, every_form_is_read_in_bands) {
    for (const int compression : {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE,
                                  COMPRESSION_DEFLATE, COMPRESSION_PACKBITS}) {
        const bool has_predictor =
            compression != COMPRESSION_NONE && compression != COMPRESSION_PACKBITS;
        for (const int predictor : {PREDICTOR_NONE, PREDICTOR_HORIZONTAL}) {
            if (predictor != PREDICTOR_NONE && !has_predictor) continue;
            for (const int tile : {0, 16, 64}) {
                for (const char* mode : {"w", "w8"}) {  // TIFF and BigTIFF
                    const Form form{static_cast<std::uint16_t>(compression),
                                    static_cast<std::uint16_t>(predictor), tile, mode};
                    for (const int channels : {1, 3}) {
                        const cv::Mat image = harness::make_scene("landscape", 83, 101, channels);
                        write(path_, image, form);
                        for (const int rows : {1, 10, 64, 101}) {
                            const cv::Mat got = read(path_, rows);
                            ASSERT_EQ(got.type(), image.type());
                            EXPECT_EQ(cv::norm(got, image, cv::NORM_INF), 0)
                                << to_text(form) << ", bands of " << rows;
                        }
                    }
                }
            }
        }
    }
}

TEST_F(Tiff, a_damaged_file_is_named) {
    for (const int tile : {0, 16}) {
        write(path_, harness::make_scene("random", 83, 101, 1),
              {.compression = COMPRESSION_LZW, .tile = tile});
        // Damages compressed data in the middle of the file: the directory of the TIFF is at its
        // end.
        std::FILE* const file = std::fopen(path_.c_str(), "r+b");
        std::fseek(file, 3000, SEEK_SET);
        for (int i = 0; i < 2000; ++i) std::fputc(0xFF, file);
        std::fclose(file);
        try {
            read(path_, 10);
            ADD_FAILURE() << "damage was not noticed, tiles of " << tile;
        } catch (const common::BadUsage& error) {
            EXPECT_THAT(error.what(), testing::HasSubstr("truncated or damaged"));
        }
    }
}

/// Files that are read whole, turned or scaled, and not in bands.
TEST_F(Tiff, other_kinds_are_refused_in_bands) {
    for (const auto& [tag, value] :
         {std::pair{TIFFTAG_ORIENTATION, 6}, std::pair{TIFFTAG_SAMPLEFORMAT, 2}}) {
        write(path_, harness::make_scene("random", 8, 5, 1), {});
        const std::unique_ptr<TIFF, Close> file(TIFFOpen(path_.c_str(), "r+"));
        TIFFSetField(file.get(), static_cast<std::uint32_t>(tag), value);
        TIFFRewriteDirectory(file.get());
        EXPECT_THAT([this] { harness::open_rows(path_); },
                    testing::ThrowsMessage<common::BadUsage>(testing::HasSubstr("only upright")));
    }
    for (const char* header : {"P5 2 2 100\n", "P5 2 2 1023\n", "P2 2 2 255\n"}) {
        std::ofstream(path_ + ".pgm") << header << "12345678";
        EXPECT_THAT([this] { harness::open_rows(path_ + ".pgm"); },
                    testing::ThrowsMessage<common::BadUsage>(
                        testing::HasSubstr("no PGM or PPM (P5, P6) with values up to 255")));
    }
}

}  // namespace
