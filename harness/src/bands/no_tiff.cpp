// Without libtiff, pictures in bands are PGM and PPM.

#include "bands/files.hpp"
#include "common/error.hpp"

namespace harness {

using namespace common;
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path) {
    throw BadUsage("'" + path.string() +
                   "': TIFF in bands needs libtiff, which was not found when this was built "
                   "(apt-get install libtiff-dev)");
}

}  // namespace

std::unique_ptr<RowReader> open_tiff(const std::filesystem::path& path) {
    refuse(path);
}

std::unique_ptr<RowWriter> write_tiff(const std::filesystem::path& file, const Shape&, int, bool) {
    refuse(file);
}

}  // namespace harness
