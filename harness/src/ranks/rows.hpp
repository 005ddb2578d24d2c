#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/rank_functions.hpp"
#include "common/ranks.hpp"
#include "harness/job.hpp"
#include "ranks/device_rows.hpp"
#include "ranks/wire.hpp"

namespace harness {

using namespace common;

/// The rows of a rank: its part of the input, with room for `halo` more rows above and below, and
/// its part of the output. Guard bytes surround both.
class RankRows {
  public:
    /// In the memory of a GPU of this number, or in that of the CPU.
    RankRows(const wire::Request& request, int halo, MPI_Comm comm, std::optional<int> gpu);

    /// Rank 0 reads the input from `socket`, and all get their rows. Returns false if the other end
    /// of the socket is gone.
    bool distribute(int socket);

    /// Fills the output, and the room for the neighbours' rows, with `fill`.
    void prepare(unsigned char fill);

    /// Calls the function; returns ms. On a GPU, see DeviceRows::call.
    double call(const RankFunction& function, const std::byte* options, Scratch& scratch,
                bool gated);

    /// "it writes outside …" if guard bytes have changed, or "".
    std::string damage() const;

    /// The fingerprint of the output of all ranks.
    std::uint64_t fingerprint();

    /// Rank 0 gets the output and writes it to `socket`.
    bool collect(int socket);

  private:
    /// Consecutive rows of an image with guard bytes around them.
    struct Memory {
        std::size_t row_bytes = 0;
        int before = 0;  ///< rows of room
        int rows = 0;
        int after = 0;
        std::vector<unsigned char> bytes{};

        void make();
        unsigned char* row(int y);
        bool damaged() const;
    };

    Shape in_shape_;
    Shape out_shape_;
    int halo_;
    Ranks ranks_{};
    Memory in_;
    Memory out_;
    std::unique_ptr<DeviceRows> device_{};  ///< if the function takes rows in GPU memory
    std::vector<int> counts_;               ///< rows of each rank, and where they begin
    std::vector<int> starts_;
    std::vector<unsigned char> whole_;  ///< an image, in rank 0

    /// The rank's own rows.
    static cv::Mat image_of(Memory& memory, const Shape& shape);

    int scale() const { return out_shape_.height / in_shape_.height; }
};

}  // namespace harness
