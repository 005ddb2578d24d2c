// TIFF and BigTIFF in bands, through libtiff.

#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "bands/files.hpp"
#include "common/error.hpp"

namespace harness {

using namespace common;
namespace {

namespace fs = std::filesystem;

struct Close {
    void operator()(TIFF* file) const { TIFFClose(file); }
};
using TiffFile = std::unique_ptr<TIFF, Close>;

TiffFile open_file(const fs::path& path, const char* mode) {
    TIFFSetErrorHandler(nullptr);  // errors are exceptions here
    TIFFSetWarningHandler(nullptr);
    TiffFile file(TIFFOpen(path.c_str(), mode));
    if (!file) throw BadUsage(fmt::format("cannot open '{}' as a TIFF", path.string()));
    return file;
}

std::uint32_t field(TIFF* file, std::uint32_t tag, std::uint32_t otherwise) {
    std::uint32_t value = 0;
    return TIFFGetField(file, tag, &value) == 1 ? value : otherwise;
}

std::uint16_t short_field(TIFF* file, std::uint32_t tag) {
    std::uint16_t value = 0;
    TIFFGetFieldDefaulted(file, tag, &value);
    return value;
}

class TiffReader : public RowReader {
  public:
    explicit TiffReader(const fs::path& path) : path_(path), file_(open_file(path, "r")) {
        TIFF* const tiff = file_.get();
        const std::uint16_t channels = short_field(tiff, TIFFTAG_SAMPLESPERPIXEL);
        const bool planes =
            channels > 1 && short_field(tiff, TIFFTAG_PLANARCONFIG) != PLANARCONFIG_CONTIG;
        const std::uint32_t width = field(tiff, TIFFTAG_IMAGEWIDTH, 0);
        const std::uint32_t height = field(tiff, TIFFTAG_IMAGELENGTH, 0);
        const std::uint16_t meaning = short_field(tiff, TIFFTAG_PHOTOMETRIC);
        const bool plain = (meaning == PHOTOMETRIC_MINISBLACK || meaning == PHOTOMETRIC_RGB) &&
                           short_field(tiff, TIFFTAG_SAMPLEFORMAT) == SAMPLEFORMAT_UINT &&
                           short_field(tiff, TIFFTAG_ORIENTATION) == ORIENTATION_TOPLEFT;
        if (short_field(tiff, TIFFTAG_BITSPERSAMPLE) != 8 || planes || !plain || width < 1 ||
            height < 1 || (channels != 1 && channels != 3) || width > 1u << 29 ||
            height > 1u << 30) {
            throw BadUsage(
                fmt::format("'{}': only upright gray and RGB pictures of 8 bits, with interleaved "
                            "channels, are read "
                            "in bands",
                            path.string()));
        }
        shape_ = {static_cast<int>(width), static_cast<int>(height),
                  channels == 1 ? CV_8UC1 : CV_8UC3};
        if (TIFFIsTiled(tiff) == 0) return;
        tile_width_ = static_cast<int>(field(tiff, TIFFTAG_TILEWIDTH, 0));
        tile_height_ = static_cast<int>(field(tiff, TIFFTAG_TILELENGTH, 0));
        tile_.resize(static_cast<std::size_t>(TIFFTileSize(tiff)));
        tiles_.create(tile_height_, shape_.width, shape_.type);
    }

    Shape shape() const override { return shape_; }

    std::size_t buffer_bytes() const override {
        return tile_.size() + tiles_.total() * tiles_.elemSize();
    }

    void read(int first, cv::Mat to) override {
        for (int y = 0; y < to.rows; ++y) read_row(first + y, to.ptr(y));
    }

  private:
    fs::path path_;
    TiffFile file_;
    Shape shape_;
    int tile_width_ = 0;
    int tile_height_ = 0;
    std::vector<uchar> tile_{};
    cv::Mat tiles_{};      ///< one row of tiles
    int first_tile_ = -1;  ///< the first row of pixels in it

    void read_row(int y, uchar* to) {
        if (tile_height_ == 0) {
            require(TIFFReadScanline(file_.get(), to, static_cast<std::uint32_t>(y), 0) == 1);
            return;
        }
        const int first = y / tile_height_ * tile_height_;
        if (first != first_tile_) read_tiles(first);
        std::memcpy(to, tiles_.ptr(y - first), tiles_.step[0]);
    }

    void read_tiles(int first) {
        first_tile_ = first;
        for (int x = 0; x < shape_.width; x += tile_width_) {
            require(TIFFReadTile(file_.get(), tile_.data(), static_cast<std::uint32_t>(x),
                                 static_cast<std::uint32_t>(first), 0, 0) >= 0);
            const int width = std::min(tile_width_, shape_.width - x);
            cv::Mat(tile_height_, tile_width_, shape_.type, tile_.data())
                .colRange(0, width)
                .copyTo(tiles_.colRange(x, x + width));
        }
    }

    void require(bool done) const {
        if (!done) throw BadUsage(fmt::format("'{}' is truncated or damaged", path_.string()));
    }
};

class TiffWriter : public RowWriter {
  public:
    TiffWriter(const fs::path& path, const Shape& shape, int strip_rows, bool again)
        : path_(path), file_(open_file(path, again ? "r+" : "w8")), strip_rows_(strip_rows) {
        if (again) return;
        TIFF* const tiff = file_.get();
        const int channels = CV_MAT_CN(shape.type);
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(shape.width));
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(shape.height));
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, channels);
        TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
                     channels == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(strip_rows));
    }

    void write(int first, const cv::Mat& rows) override {
        for (int y = 0; y < rows.rows; y += strip_rows_) {
            const int count = std::min(strip_rows_, rows.rows - y);
            const auto bytes = static_cast<tmsize_t>(rows.step[0]) * count;
            auto* from = const_cast<uchar*>(rows.ptr(y));  // libtiff only reads it
            const auto strip = static_cast<std::uint32_t>((first + y) / strip_rows_);
            if (TIFFWriteEncodedStrip(file_.get(), strip, from, bytes) != bytes) {
                throw Failed(fmt::format("cannot write '{}' (a full disk?)", path_.string()));
            }
        }
    }

    void keep() override {
        if (TIFFCheckpointDirectory(file_.get()) != 1) {
            throw Failed(fmt::format("cannot write '{}' (a full disk?)", path_.string()));
        }
    }

  private:
    fs::path path_;
    TiffFile file_;
    int strip_rows_;
};

}  // namespace

std::unique_ptr<RowReader> open_tiff(const fs::path& path) {
    return std::make_unique<TiffReader>(path);
}

std::unique_ptr<RowWriter> write_tiff(const fs::path& file, const Shape& shape, int strip_rows,
                                      bool again) {
    return std::make_unique<TiffWriter>(file, shape, strip_rows, again);
}

}  // namespace harness
