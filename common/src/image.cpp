#include "common/image.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <opencv2/imgcodecs.hpp>  // its constants only
#include <vector>

#include "codecs.hpp"
#include "common/error.hpp"
#include "common/file.hpp"
#include "jpeg.hpp"

namespace common {
namespace {

namespace fs = std::filesystem;

const Codecs& codecs() {
    static const Codecs* const loaded = [] {
        // Beside the program, as in a build folder that was moved; else where it was built.
        std::error_code error;
        const fs::path built = LABS_CODECS;
        const fs::path beside =
            fs::read_symlink("/proc/self/exe", error).replace_filename(built.filename());
        const fs::path& file = fs::exists(beside, error) ? beside : built;
        void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        void* const found = library == nullptr ? nullptr : dlsym(library, "labs_codecs");
        if (found == nullptr) throw Failed(fmt::format("no image files here: {}", dlerror()));
        return reinterpret_cast<decltype(&labs_codecs)>(found)();
    }();
    return *loaded;
}

std::vector<uchar> read_bytes(const fs::path& path) {
    std::error_code error;
    if (!fs::exists(path, error)) throw BadUsage(fmt::format("no such file: '{}'", path.string()));
    if (fs::is_directory(path)) {
        throw BadUsage(fmt::format("'{}' is a folder, not an image file", path.string()));
    }
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        throw BadUsage(fmt::format("cannot read '{}': {}", path.string(), std::strerror(errno)));
    }
    std::vector<uchar> bytes{std::istreambuf_iterator<char>(in), {}};
    if (bytes.empty()) throw BadUsage(fmt::format("'{}' is empty", path.string()));
    return bytes;
}

/// The libraries of formats print to stderr by themselves; a failure is to be one line, which is
/// ours.
class QuietStderr {
  public:
    QuietStderr() : kept_(dup(STDERR_FILENO)) {
        const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
        dup2(null, STDERR_FILENO);
        close(null);
    }
    ~QuietStderr() {
        dup2(kept_, STDERR_FILENO);
        close(kept_);
    }
    QuietStderr(const QuietStderr&) = delete;
    QuietStderr& operator=(const QuietStderr&) = delete;

  private:
    int kept_;
};

cv::Mat decode(const std::vector<uchar>& bytes) {
    const QuietStderr quiet;
    // Photos carry their orientation, which OpenCV applies unless told to load "unchanged"; alpha,
    // which JPEG cannot have, is seen only when it is.
    const int mode =
        is_jpeg(bytes) ? cv::IMREAD_ANYCOLOR | cv::IMREAD_ANYDEPTH : cv::IMREAD_UNCHANGED;
    try {
        return codecs().decode(bytes, mode);
    } catch (const cv::Exception&) {
        return {};  // corrupt headers and sizes beyond OpenCV's limit end here
    }
}

/// Empty if the format does not hold the image.
std::vector<uchar> encoded(const std::string& extension, const cv::Mat& image) {
    const QuietStderr quiet;
    std::vector<uchar> bytes;
    try {
        if (!codecs().encode(extension, image, bytes)) bytes.clear();
    } catch (const cv::Exception&) {
        bytes.clear();
    }
    return bytes;
}

bool holds_row(const std::string& extension, int width, int type) {
    return !encoded(extension, cv::Mat::zeros(1, width, type)).empty();
}

/// Encodes a row of the longer side's length: formats limit both sides alike, and the limits depend
/// on the libraries' versions.
bool holds(const std::string& extension, int width, int height, int type) {
    // The sizes in the header of a BMP file have 32 bits.
    const std::int64_t bytes = std::int64_t{width} * height * CV_ELEM_SIZE(type);
    if (extension == ".bmp" && bytes > INT32_MAX - 3 * std::int64_t{height} - 4096) return false;
    return holds_row(extension, std::max(width, height), type);
}

/// The longest row that the format holds, which is less than `too_long`.
int longest_side(const std::string& extension, int type, int too_long) {
    int most = 1;
    while (too_long - most > 1) {
        const int middle = most + (too_long - most) / 2;
        (holds_row(extension, middle, type) ? most : too_long) = middle;
    }
    return most;
}

/// "; its longest side is 65500", or "" if no side is too long.
std::string limit_of(const std::string& extension, int width, int height, int type) {
    const int longest = std::max(width, height);
    if (!holds_row(extension, 1, type) || holds_row(extension, longest, type)) return "";
    return fmt::format("; its longest side is {}", longest_side(extension, type, longest));
}

void note(const std::string& text) {
    fmt::print(stderr, "note: {}\n", text);
}

/// To 8 bits without alpha, with a note for whatever is lost.
cv::Mat to_8_bits(cv::Mat image, const std::string& name) {
    if (image.depth() == CV_16U) {
        note(fmt::format("'{}' has 16 bits per value; scaled to 8", name));
        image.convertTo(image, CV_8U, 255.0 / 65535.0);
    }
    if (image.channels() == 4 || image.channels() == 2) {
        note(fmt::format("'{}' has an alpha channel; dropped", name));
        std::vector<cv::Mat> planes;
        cv::split(image, planes);
        planes.pop_back();
        cv::merge(planes, image);
    }
    return image;
}

}  // namespace

cv::Mat load_image(const fs::path& path) {
    const std::string name = path.string();
    const std::vector<uchar> bytes = read_bytes(path);
    cv::Mat image = decode(bytes);
    if (image.empty() || is_cut_jpeg(bytes)) {
        throw BadUsage(fmt::format(
            "'{}' is not an image that OpenCV can read, or is damaged or cut short", name));
    }
    image = to_8_bits(image, name);
    if (image.depth() != CV_8U || (image.channels() != 1 && image.channels() != 3)) {
        throw BadUsage(
            fmt::format("'{}': only 8-bit and 16-bit gray or colour images are accepted", name));
    }
    return image;
}

void check_writable_image(const fs::path& path) {
    bool known = false;
    try {
        known = path.has_extension() && codecs().has_writer(path.string());
    } catch (const cv::Exception&) {
    }
    if (!known) {
        throw BadUsage(
            fmt::format("cannot write '{}': its extension is not an image format's; "
                        "accepted: .png, .jpg, .bmp, .tiff, .pgm, .ppm",
                        path.string()));
    }
    check_writable(path);
}

void check_format_holds(const fs::path& path, int width, int height, int type) {
    const std::string extension = path.extension().string();
    if (holds(extension, width, height, type)) return;
    std::string others;
    for (const char* other : {".png", ".jpg", ".bmp", ".tiff", ".pgm", ".ppm"}) {
        const bool suits = other != extension && holds(other, width, height, type);
        if (suits) others += (others.empty() ? "" : ", ") + std::string(other);
    }
    throw BadUsage(fmt::format(
        "cannot write '{}': {} does not hold {}x{} pixels of {} channel(s){}; accepted: {}",
        path.string(), extension, width, height, CV_MAT_CN(type),
        limit_of(extension, width, height, type), others.empty() ? "smaller images" : others));
}

void write_image(const fs::path& path, const cv::Mat& image) {
    const std::vector<uchar> bytes = encoded(path.extension().string(), image);
    if (bytes.empty()) {
        throw Failed(fmt::format(
            "cannot write '{}': {} does not hold {}x{} pixels of {} channel(s)", path.string(),
            path.extension().string(), image.cols, image.rows, image.channels()));
    }
    write_file(path, [&bytes](std::ostream& out) {
        out.write(reinterpret_cast<const char*>(bytes.data()),
                  static_cast<std::streamsize>(bytes.size()));
    });
}

}  // namespace common
