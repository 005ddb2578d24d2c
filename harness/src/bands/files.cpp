// Pictures in bands: PGM, PPM and NPY, whose rows lie one after the other behind a short header.

#include "bands/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "common/error.hpp"
#include "common/npy.hpp"
#include "common/pnm.hpp"

namespace harness {

using namespace common;
namespace {

namespace fs = std::filesystem;

/// A file descriptor.
class File {
  public:
    File(const fs::path& path, int flags)
        : path_(path), file_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {
        if (file_ < 0)
            throw BadUsage(
                fmt::format("cannot open '{}': {}", path.string(), std::strerror(errno)));
    }
    ~File() { close(file_); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    void read_at(std::int64_t place, void* to, std::size_t bytes) const {
        for (auto* at = static_cast<char*>(to); bytes > 0;) {
            const ssize_t got = pread(file_, at, bytes, place);
            if (got <= 0) throw BadUsage(fmt::format("'{}' is truncated", path_.string()));
            at += got;
            place += got;
            bytes -= static_cast<std::size_t>(got);
        }
    }
    void write_at(std::int64_t place, const void* from, std::size_t bytes) const {
        for (const auto* at = static_cast<const char*>(from); bytes > 0;) {
            const ssize_t put = pwrite(file_, at, bytes, place);
            if (put <= 0) {
                throw Failed(
                    fmt::format("cannot write '{}': {}", path_.string(), std::strerror(errno)));
            }
            at += put;
            place += put;
            bytes -= static_cast<std::size_t>(put);
        }
    }
    std::string beginning(std::size_t bytes) const {
        std::string text(bytes, '\0');
        const ssize_t got = pread(file_, text.data(), bytes, 0);
        text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        return text;
    }
    std::int64_t size() const { return lseek(file_, 0, SEEK_END); }

  private:
    fs::path path_;
    int file_;
};

std::size_t row_bytes(const Shape& shape) {
    return shape.bytes() / static_cast<std::size_t>(shape.height);
}

/// The header, in the file's first bytes.
PnmHeader read_header(const File& file, const fs::path& path) {
    const std::string beginning = file.beginning(4096);
    const std::vector<uchar> bytes(beginning.begin(), beginning.end());
    PnmHeader header{.kind = '0'};
    try {
        if (is_pnm(bytes)) header = read_pnm_header(bytes);
    } catch (const BadUsage& error) {
        throw BadUsage(fmt::format("'{}' {}", path.string(), error.what()));
    }
    if ((header.kind != '5' && header.kind != '6') || header.most != 255) {
        throw BadUsage(
            fmt::format("'{}' is no PGM or PPM (P5, P6) with values up to 255", path.string()));
    }
    return header;
}

class PnmReader : public RowReader {
  public:
    explicit PnmReader(const fs::path& path)
        : file_(path, O_RDONLY), header_(read_header(file_, path)) {
        if (file_.size() < place_of(header_.height)) {
            throw BadUsage(fmt::format("'{}' is truncated", path.string()));
        }
    }
    Shape shape() const override {
        return {header_.width, header_.height, CV_8UC(header_.channels)};
    }
    void read(int first, cv::Mat to) override {
        file_.read_at(place_of(first), to.data,
                      row_bytes(shape()) * static_cast<std::size_t>(to.rows));
    }

  private:
    File file_;
    PnmHeader header_;

    std::int64_t place_of(int row) const {
        return static_cast<std::int64_t>(header_.bytes) +
               row * static_cast<std::int64_t>(row_bytes(shape()));
    }
};

/// A header, and then the rows one after the other.
class PlainWriter : public RowWriter {
  public:
    PlainWriter(const fs::path& path, const Shape& shape, std::string header, bool again)
        : file_(path, O_RDWR | (again ? 0 : O_CREAT | O_TRUNC)),
          row_bytes_(row_bytes(shape)),
          header_(std::move(header)) {
        file_.write_at(0, header_.data(), header_.size());
    }
    void write(int first, const cv::Mat& rows) override {
        file_.write_at(place_of(first), rows.data,
                       row_bytes_ * static_cast<std::size_t>(rows.rows));
    }
    void keep() override {}  // what write() has taken survives the process
    void read_back(int row, cv::Mat to) override {
        file_.read_at(place_of(row), to.data, row_bytes_);
    }

  private:
    File file_;
    std::size_t row_bytes_;
    std::string header_;

    std::int64_t place_of(int row) const {
        return static_cast<std::int64_t>(header_.size()) +
               row * static_cast<std::int64_t>(row_bytes_);
    }
};

std::string extension(const fs::path& path) {
    std::string text = path.extension().string();
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

}  // namespace

bool is_tiff(const fs::path& path) {
    return extension(path) == ".tif" || extension(path) == ".tiff";
}

void RowWriter::read_back(int, cv::Mat) {
    throw Failed("rows of this format are not read back");
}

void check_band_format(const fs::path& path, const std::string& option, bool wide) {
    const std::string text = extension(path);
    const bool plain = is_tiff(path) || text == ".pgm" || text == ".ppm";
    if (wide ? text == ".npy" : plain) return;
    throw BadUsage(fmt::format("--memory: {} '{}' has to be a {} file", option, path.string(),
                               wide ? ".npy" : ".pgm, .ppm, .tif or .tiff"));
}

std::unique_ptr<RowReader> open_rows(const fs::path& path) {
    if (is_tiff(path)) return open_tiff(path);
    return std::make_unique<PnmReader>(path);
}

std::unique_ptr<RowWriter> write_rows(const fs::path& file, const fs::path& format,
                                      const Shape& shape, int strip_rows, bool again) {
    if (is_tiff(format)) return write_tiff(file, shape, strip_rows, again);
    if (extension(format) == ".npy") {
        const auto value_bytes = static_cast<std::size_t>(CV_ELEM_SIZE(shape.type));
        return std::make_unique<PlainWriter>(
            file, shape, common::npy_header(value_bytes, shape.height, shape.width), again);
    }
    const bool gray = CV_MAT_CN(shape.type) == 1;
    if ((extension(format) == ".pgm") != gray) {
        throw BadUsage(fmt::format("'{}': a gray picture is a .pgm, a colour picture a .ppm",
                                   format.string()));
    }
    return std::make_unique<PlainWriter>(
        file, shape, fmt::format("P{}\n{} {}\n255\n", gray ? 5 : 6, shape.width, shape.height),
        again);
}

}  // namespace harness
