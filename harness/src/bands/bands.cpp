// Pictures larger than memory: three threads read, compute and write different bands.

#include "harness/bands.hpp"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <memory>

#include "bands/band.hpp"
#include "bands/files.hpp"
#include "bands/journal.hpp"
#include "bands/memory.hpp"
#include "common/clock.hpp"
#include "common/error.hpp"
#include "common/file.hpp"
#include "common/scratch.hpp"
#include "harness/device.hpp"
#include "progress.hpp"

namespace harness {

using namespace common;
namespace {

namespace fs = std::filesystem;

class BandRun {
  public:
    BandRun(const BandRequest& request, BandWork work)
        : request_(request),
          work_(std::move(work)),
          reader_(open_rows(request.input)),
          shape_(reader_->shape()),
          part_(request.output.string() + ".part"),
          journal_(request.output.string() + ".journal") {
        if (work_.gray_only && CV_MAT_CN(shape_.type) != 1) {
            throw BadUsage("--memory: this lab takes gray pictures only in bands");
        }
        out_shape_ = {shape_.width * work_.scale, shape_.height * work_.scale,
                      work_.output_type ? work_.output_type(shape_) : shape_.type};
        begin();
    }

    BandReport run() {
        const auto start = std::chrono::steady_clock::now();
        const int first_row = state_.rows;
        Progress progress("bands");
        const double height = shape_.height;
        if (work_.measure && !state_.measured) progress.plan("read", height);
        progress.plan("compute", height - first_row);
        if (work_.measure && !state_.measured) measure_all(progress);
        if (work_.prepare) work_.prepare(state_.totals);
        compute_all(progress);
        writer_.reset();
        fs::rename(part_, request_.output);
        journal_.remove();

        const int passes = work_.measure && first_row == 0 ? 2 : 1;
        const double share = (height - first_row) / height;
        const std::int64_t peak = memory_of_process("VmHWM");
        BandReport report{shape_,
                          state_.band_rows,
                          first_row,
                          ms_since(start) / 1000,
                          share * (passes * static_cast<double>(shape_.bytes()) +
                                   static_cast<double>(out_shape_.bytes())),
                          (peak + mib - 1) / mib};
        if (report.peak_mib > request_.memory_mib) {
            throw Failed(fmt::format("--memory {}: the output is right, but {} MiB were needed",
                                     request_.memory_mib, report.peak_mib));
        }
        return report;
    }

  private:
    const BandRequest& request_;
    BandWork work_;
    std::unique_ptr<RowReader> reader_;
    Shape shape_;
    Shape out_shape_{};
    fs::path part_;
    Journal journal_;
    Progressed state_{};
    std::unique_ptr<RowWriter> writer_{};
    cv::Mat row_above_{};  ///< the last row of the output so far, if the next band needs it

    /// Describes the run; one that is resumed has the same text.
    std::string description() const {
        return fmt::format("{}; {} of {} bytes, {}; {} MiB", request_.what,
                           fs::absolute(request_.input).string(), fs::file_size(request_.input),
                           fs::last_write_time(request_.input).time_since_epoch().count(),
                           request_.memory_mib);
    }

    void begin() {
        const auto left = request_.resume ? journal_.read() : std::nullopt;
        const bool again = left && left->rows > 0 && fs::exists(part_);
        if (left && left->run != description()) {
            throw BadUsage(
                fmt::format("--resume: '{}' was begun with other options or another "
                            "input; without --resume it is begun again",
                            request_.output.string()));
        }
        if (left) state_ = *left;
        if (!again) state_.rows = 0;
        if (!left) {
            state_ = {description(), rows_that_fit(memory_needs(), request_.memory_mib), false,
                      work_.totals, 0};
            journal_.write(state_);
        }
        writer_ = write_rows(part_, request_.output, out_shape_, strip_rows(), again);
        if (work_.add_row_above && state_.rows > 0) {
            row_above_.create(1, out_shape_.width, out_shape_.type);
            writer_->read_back(state_.rows * work_.scale - 1, row_above_);
        }
    }

    /// A whole number of strips is written at a time.
    int strip_rows() const { return std::min(most_strip_rows, state_.band_rows) * work_.scale; }

    BandMemory memory_needs() const {
        const auto row_of = [&](const Shape& shape) {
            return static_cast<std::int64_t>(shape.bytes()) / shape_.height;
        };
        return {.height = shape_.height,
                .halo = work_.halo,
                .in_row = row_of(shape_),
                .out_row = row_of(out_shape_),
                .beside_row = row_of(shape_) * work_.bytes_beside,
                .reader_bytes = static_cast<std::int64_t>(reader_->buffer_bytes())};
    }

    /// Rows that the band shares with the one before are copied from there.
    void read(const Band& band, const Band& before) {
        const int known = std::max(before.end() - band.begin(), 0);
        const cv::Mat to = band.with_halo();
        if (known > 0) {
            const cv::Mat from = before.with_halo();
            from.rowRange(from.rows - known, from.rows).copyTo(to.rowRange(0, known));
        }
        if (known < to.rows) reader_->read(band.begin() + known, to.rowRange(known, to.rows));
    }

    /// Calls `use` with the bands in order, from the row `from` on. Meanwhile, another thread reads
    /// the next one.
    template <class Use>
    void for_each_band(int halo, int from, Use use) {
        const int most_rows = state_.band_rows + 2 * halo;
        std::array<cv::Mat, band_buffers> buffers;
        for (cv::Mat& buffer : buffers) buffer.create(most_rows, shape_.width, shape_.type);
        std::vector<Band> bands = bands_of(shape_.height, state_.band_rows, halo, from);
        std::future<void> reading;
        const auto begin_to_read = [&](std::size_t i) {
            if (i == bands.size()) return;
            bands[i].memory = buffers[i % buffers.size()];
            reading = std::async(std::launch::async, [this, &bands, i] {
                read(bands[i], i > 0 ? bands[i - 1] : Band{});
            });
        };
        begin_to_read(0);
        for (std::size_t i = 0; i < bands.size(); ++i) {
            reading.get();
            begin_to_read(i + 1);
            use(bands[i]);
        }
    }

    void measure_all(Progress& progress) {
        state_.totals = work_.totals;
        for_each_band(0, 0, [&](const Band& band) {
            work_.measure(band.with_halo(), state_.totals);
            progress.done("read", band.rows, fmt::format("row {}", band.first));
        });
        state_.measured = true;
        journal_.write(state_);
    }

    void compute_all(Progress& progress) {
        const int most_rows = state_.band_rows + 2 * work_.halo;
        std::array<cv::Mat, band_buffers> buffers;
        for (cv::Mat& buffer : buffers) {
            buffer.create(most_rows * work_.scale, out_shape_.width, out_shape_.type);
        }
        std::future<void> writing;  // of the band before
        for_each_band(
            work_.halo, state_.rows, [&, next = std::size_t{0}](const Band& band) mutable {
                Band result = band;
                result.memory = buffers[next++ % buffers.size()];
                cv::Mat rows = result.memory.rowRange(0, band.with_halo().rows * work_.scale);
                work_.compute(band.with_halo(), rows);
                if (work_.add_row_above) {
                    if (!row_above_.empty()) work_.add_row_above(row_above_, rows);
                    rows.row(rows.rows - 1).copyTo(row_above_);
                }
                if (writing.valid()) writing.get();
                writing = std::async(std::launch::async, [this, result] { write(result); });
                progress.done("compute", band.rows, fmt::format("row {}", band.first));
            });
        if (writing.valid()) writing.get();
    }

    void write(const Band& band) {
        const int begin = band.above * work_.scale;
        writer_->write(band.first * work_.scale,
                       band.memory.rowRange(begin, begin + band.rows * work_.scale));
        writer_->keep();
        state_.rows = band.first + band.rows;
        journal_.write(state_);
    }
};

/// The bands of a picture on a GPU. All but the first and the last have the same shape, and share
/// buffers.
class DeviceBands {
  public:
    explicit DeviceBands(Job job) : job_(std::move(job)) {}

    void compute(const cv::Mat& in, cv::Mat& out) {
        if (runner_ && shape_ == Shape::of(in)) {
            runner_->set_input(in);
        } else {
            runner_.reset();  // first, so that the GPU has room for one band only
            runner_ = make_device_runner(job_, in, Shape::of(out));
            shape_ = Shape::of(in);
        }
        runner_->call(out);
    }

  private:
    Job job_;
    Shape shape_{};
    std::unique_ptr<DeviceRunner> runner_{};
};

}  // namespace

BandWork windowed(const Job& job, int halo, int scale) {
    BandWork work;
    work.halo = halo;
    work.scale = scale;
    if (job.needs_transfers()) {
        work.compute = [device = std::make_shared<DeviceBands>(job)](
                           const cv::Mat& in, cv::Mat& out) { device->compute(in, out); };
    } else {
        work.compute = [job, scratch = std::make_shared<Scratch>()](
                           const cv::Mat& in, cv::Mat& out) { job.run(in, out, *scratch); };
    }
    return work;
}

BandReport run_in_bands(const BandRequest& request, BandWork work) {
    mallopt(M_MMAP_THRESHOLD, 1 << 20);  // large buffers that are freed leave the process
    check_band_format(request.input, "the input");
    check_band_format(request.output, "--output", static_cast<bool>(work.output_type));
    check_writable(request.output);
    require_different_files({{"the input", request.input}, {"--output", request.output}});
    return BandRun(request, std::move(work)).run();
}

}  // namespace harness
