#pragma once

// Pictures that are larger than memory: they are read, computed and written in bands of rows.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "harness/job.hpp"

namespace harness {

/// A lab's computation on bands of rows.
struct BandWork {
    /// The rows above and below a band that its output depends on.
    int halo = 0;

    /// Rows of the output for each row of the input, and columns for each column.
    int scale = 1;

    /// If set, a first pass calls this for every band without its halo. The pass adds up in
    /// `totals` all that the second pass needs to know of the whole picture.
    std::function<void(const cv::Mat& band, std::vector<std::uint64_t>& totals)> measure{};
    std::vector<std::uint64_t> totals{};

    /// Between the passes.
    std::function<void(const std::vector<std::uint64_t>& totals)> prepare{};

    /// Computes the output of a band with the rows of the halo that the picture has. The rows of
    /// the output that belong to the halo are thrown away.
    std::function<void(const cv::Mat& in, cv::Mat& out)> compute{};

    bool gray_only = false;

    /// If set, the bands are computed by OpenMP code of the lab with this name, not by a variant.
    std::string own_name{};

    /// The type of the output, given the shape of the whole picture. If it is not set, the output
    /// has the type of the input. If it is set, the output is a .npy file.
    std::function<int(const Shape& in)> output_type{};

    /// If set, `compute` treats each band on its own, and this adds the contribution of the bands
    /// above: `row` is the last output row of the previous band. Requires `output_type` and no
    /// halo.
    std::function<void(const cv::Mat& row, cv::Mat& out)> add_row_above{};

    int bytes_beside = 0;  ///< of memory that `compute` takes for each byte of the input
};

/// Wraps a variant whose output rows depend on `halo` input rows above and below. The variant
/// treats the first and the last row of its input as the edge of the picture.
BandWork windowed(const Job& job, int halo, int scale = 1);

struct BandRequest {
    std::filesystem::path input;   ///< .pgm, .ppm, .tif or .tiff; of 8 bits
    std::filesystem::path output;  ///< the same; .npy with `output_type`
    std::string what;              ///< lab, variant and parameters: those of a run that is resumed
    std::int64_t memory_mib = 0;   ///< the most that the process may have resident
    bool resume = false;           ///< continues a run that was killed
};

struct BandReport {
    Shape shape;                ///< of the input
    int band_rows = 0;          ///< without halos
    int first_row = 0;          ///< more than 0 if the run was resumed
    double seconds = 0;         ///< of everything
    double bytes = 0;           ///< read and written
    std::int64_t peak_mib = 0;  ///< the most memory that was resident
};

/// Runs `work` on all bands: one is read and one is written while one is computed. The output
/// appears when it is complete; until then it is in OUTPUT.part, and OUTPUT.journal says how far it
/// is. Throws BadUsage, and Failed if the memory did not suffice.
BandReport run_in_bands(const BandRequest& request, BandWork work);

}  // namespace harness
