#include "ranks/rows.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "common/clock.hpp"
#include "common/error.hpp"
#include "harness/device.hpp"
#include "harness/machine.hpp"
#include "harness/ranks.hpp"
#include "measure/fingerprint.hpp"

namespace harness {

using namespace common;
namespace {

constexpr std::size_t guard_bytes = 256;

/// One row of an image as MPI counts: an image may have more bytes than an int holds.
class RowType {
  public:
    explicit RowType(std::size_t bytes) {
        PMPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type_);
        PMPI_Type_commit(&type_);
    }
    ~RowType() { PMPI_Type_free(&type_); }
    RowType(const RowType&) = delete;
    RowType& operator=(const RowType&) = delete;
    operator MPI_Datatype() const { return type_; }

  private:
    MPI_Datatype type_{};
};

std::vector<int> times(std::vector<int> values, int factor) {
    for (int& value : values) value *= factor;
    return values;
}

}  // namespace

void RankRows::Memory::make() {
    const auto all = static_cast<std::size_t>(before + rows + after) * row_bytes;
    bytes.assign(all + 2 * guard_bytes, guard_byte);
}

unsigned char* RankRows::Memory::row(int y) {
    return bytes.data() + guard_bytes + static_cast<std::size_t>(y + before) * row_bytes;
}

bool RankRows::Memory::damaged() const {
    const auto changed = [](unsigned char byte) { return byte != guard_byte; };
    return std::any_of(bytes.begin(), bytes.begin() + guard_bytes, changed) ||
           std::any_of(bytes.end() - guard_bytes, bytes.end(), changed);
}

RankRows::RankRows(const wire::Request& request, int halo, MPI_Comm comm, std::optional<int> gpu)
    : in_shape_{request.in_width, request.in_height, request.in_type},
      out_shape_{request.out_width, request.out_height, request.out_type},
      halo_(halo) {
    ranks_.comm = comm;
    PMPI_Comm_rank(comm, &ranks_.rank);
    PMPI_Comm_size(comm, &ranks_.count);
    ranks_.image_height = in_shape_.height;
    starts_ = first_rows_of_ranks(in_shape_.height, halo, ranks_.count);
    for (std::size_t rank = 0; rank + 1 < starts_.size(); ++rank) {
        counts_.push_back(starts_[rank + 1] - starts_[rank]);
    }
    const auto mine = static_cast<std::size_t>(ranks_.rank);
    ranks_.first_row = starts_[mine];
    in_ = {in_shape_.bytes() / static_cast<std::size_t>(in_shape_.height), halo, counts_[mine],
           halo};
    out_ = {out_shape_.bytes() / static_cast<std::size_t>(out_shape_.height), 0,
            counts_[mine] * scale(), 0};
    in_.make();
    out_.make();
    if (gpu) {
        device_ = make_device_rows({in_shape_.width, in_.rows, in_shape_.type},
                                   {out_shape_.width, out_.rows, out_shape_.type}, halo, *gpu);
    }
}

bool RankRows::distribute(int socket) {
    bool there = true;
    if (ranks_.rank == 0) {
        whole_.resize(in_shape_.bytes());
        there = wire::read_all(socket, whole_.data(), whole_.size());
    }
    const RowType row(in_.row_bytes);
    PMPI_Scatterv(whole_.data(), counts_.data(), starts_.data(), row, in_.row(0), in_.rows, row, 0,
                  ranks_.comm);
    return there;
}

cv::Mat RankRows::image_of(Memory& memory, const Shape& shape) {
    return {memory.rows, shape.width, shape.type, memory.row(0)};
}

void RankRows::prepare(unsigned char fill) {
    if (device_) return device_->prepare(image_of(in_, in_shape_), fill);
    const std::size_t room = static_cast<std::size_t>(halo_) * in_.row_bytes;
    std::memset(in_.row(-halo_), fill, room);
    std::memset(in_.row(in_.rows), fill, room);
    std::memset(out_.row(0), fill, static_cast<std::size_t>(out_.rows) * out_.row_bytes);
}

double RankRows::call(const RankFunction& function, const std::byte* options, Scratch& scratch,
                      bool gated) {
    if (device_) return device_->call(function, options, scratch, ranks_, gated);
    const auto rows_of = [](Memory& memory, const Shape& shape) {
        return UntypedRows{memory.row(0),    shape.width,         memory.rows,
                           shape.channels(), shape.value_bytes(), memory.row_bytes};
    };
    const auto start = std::chrono::steady_clock::now();
    function.call(rows_of(in_, in_shape_), rows_of(out_, out_shape_), options, scratch, ranks_,
                  nullptr);
    return ms_since(start);
}

std::string RankRows::damage() const {
    if (out_.damaged()) return "it writes outside its rows of the output";
    return in_.damaged() ? "it writes outside its rows of the input and the room beside them" : "";
}

std::uint64_t RankRows::fingerprint() {
    const int first = ranks_.first_row * scale();
    const int threads = std::max(cpu_cores() / ranks_.count, 1);
    const std::uint64_t own =
        device_ ? device_->fingerprint(first)
                : harness::fingerprint(image_of(out_, out_shape_), threads, first);
    std::uint64_t sum = 0;
    PMPI_Allreduce(&own, &sum, 1, MPI_UINT64_T, MPI_SUM, ranks_.comm);
    return sum;
}

bool RankRows::collect(int socket) {
    if (device_) {
        cv::Mat out = image_of(out_, out_shape_);
        device_->download(out);
    }
    if (ranks_.rank == 0) whole_.resize(out_shape_.bytes());
    const RowType row(out_.row_bytes);
    PMPI_Gatherv(out_.row(0), out_.rows, row, whole_.data(), times(counts_, scale()).data(),
                 times(starts_, scale()).data(), row, 0, ranks_.comm);
    return ranks_.rank != 0 || wire::write_all(socket, whole_.data(), whole_.size());
}

}  // namespace harness
