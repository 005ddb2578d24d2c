#pragma once

#include <filesystem>
#include <memory>
#include <opencv2/core.hpp>

#include "harness/job.hpp"

namespace harness {

/// A picture of 8-bit values that is read from the first row to the last.
class RowReader {
  public:
    virtual ~RowReader() = default;
    virtual Shape shape() const = 0;

    /// Reads the rows from `first` on, in order, into the rows of `to`.
    virtual void read(int first, cv::Mat to) = 0;

    /// Memory that it needs besides `to`.
    virtual std::size_t buffer_bytes() const { return 0; }
};

/// A picture that is written in order, band by band.
class RowWriter {
  public:
    virtual ~RowWriter() = default;
    virtual void write(int first, const cv::Mat& rows) = 0;

    /// All that was written so far stays in the file, even if the process is killed.
    virtual void keep() = 0;

    /// Reads a row that was written before. Only .npy files can.
    virtual void read_back(int row, cv::Mat to);
};

/// Throws BadUsage for what is no picture of 8 bits and 1 or 3 channels in one of these formats.
std::unique_ptr<RowReader> open_rows(const std::filesystem::path& path);

/// Makes the file, or opens it again to continue. `format` is the name of the picture, whose
/// extension counts. Bands have a multiple of `strip_rows` rows, except the last.
std::unique_ptr<RowWriter> write_rows(const std::filesystem::path& file,
                                      const std::filesystem::path& format, const Shape& shape,
                                      int strip_rows, bool again);

/// Throws BadUsage unless the extension is one of those that can be read and written in bands; for
/// an output with values of more than 8 bits, it is .npy.
void check_band_format(const std::filesystem::path& path, const std::string& option,
                       bool wide = false);
bool is_tiff(const std::filesystem::path& path);

// In tiff.cpp, or where there is no libtiff in no_tiff.cpp.
std::unique_ptr<RowReader> open_tiff(const std::filesystem::path& path);
std::unique_ptr<RowWriter> write_tiff(const std::filesystem::path& file, const Shape& shape,
                                      int strip_rows, bool again);

}  // namespace harness
