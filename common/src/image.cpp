#include "common/image.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "codecs.hpp"
#include "common/error.hpp"
#include "common/file.hpp"
#include "common/pnm.hpp"
#include "header.hpp"

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
/// ours. What they print is kept in memory.
class KeptStderr {
  public:
    KeptStderr() : own_(dup(STDERR_FILENO)), text_(memfd_create("messages", MFD_CLOEXEC)) {
        dup2(text_, STDERR_FILENO);
    }
    ~KeptStderr() {
        dup2(own_, STDERR_FILENO);
        close(own_);
        close(text_);
    }
    KeptStderr(const KeptStderr&) = delete;
    KeptStderr& operator=(const KeptStderr&) = delete;

    /// The first line about pixels: libtiff also reports tags that it does not know.
    std::string complaint() const {
        std::string text(4096, '\0');
        text.resize(static_cast<std::size_t>(
            std::max<ssize_t>(pread(text_, text.data(), text.size(), 0), 0)));
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            const auto has = [&](const char* word) { return line.find(word) != line.npos; };
            if (!line.empty() && !has("Directory") && !has("TIFFFetch") && !has("DEBUG") &&
                !has("INFO")) {
                return line;
            }
        }
        return "";
    }

  private:
    int own_;
    int text_;
};

/// Throws BadUsage with the reason.
cv::Mat decode(const std::vector<uchar>& bytes, Header& header) {
    const KeptStderr messages;
    const cv::Mat image = codecs().decode(bytes, header.mode);
    if (image.empty()) {
        throw BadUsage("is not an image that OpenCV can read, or is damaged or cut short");
    }
    const std::string complaint = messages.complaint();
    if (!complaint.empty() && header.is_strict) {
        throw BadUsage(fmt::format("is damaged: {}", complaint));
    }
    if (!complaint.empty()) header.notes.push_back("is read all the same: " + complaint);
    if (image.depth() != (header.most > 255 ? CV_16U : CV_8U)) {
        throw BadUsage("has values of a kind that is not accepted; unsigned 8 bits are");
    }
    return image;
}

cv::Mat read_netpbm(const std::vector<uchar>& bytes, Header& header) {
    const PnmHeader found = read_pnm_header(bytes);
    std::size_t rest = 0;
    const cv::Mat image = read_pnm(bytes, found, rest);
    header.most = found.most;
    if (rest > 0) {
        header.notes.push_back(fmt::format("has {} byte(s) behind its picture; not read", rest));
    }
    return image;
}

template <class Value>
cv::Mat scaled(const cv::Mat& image, int most) {
    std::vector<uchar> table(static_cast<std::size_t>(most) + 1);
    for (int value = 0; value <= most; ++value) {
        table[static_cast<std::size_t>(value)] =
            static_cast<uchar>((value * 510LL + most) / (2 * most));
    }
    cv::Mat result(image.size(), CV_8UC(image.channels()));
    for (int y = 0; y < image.rows; ++y) {
        const Value* const from = image.ptr<Value>(y);
        for (int i = 0; i < image.cols * image.channels(); ++i) {
            if (from[i] > most) {
                throw BadUsage(
                    fmt::format("has a value of {} where {} is the most", from[i], most));
            }
            result.ptr(y)[i] = table[from[i]];
        }
    }
    return result;
}

/// To 8 bits without alpha, with a note for whatever is lost.
cv::Mat to_8_bits(cv::Mat image, Header& header) {
    if (header.most > 255) {
        header.notes.push_back(
            header.most == 65535 ? "has 16 bits per value; scaled to 8"
                                 : fmt::format("has values up to {}; scaled to 255", header.most));
    }
    if (header.most != 255) {
        image = image.depth() == CV_16U ? scaled<ushort>(image, header.most)
                                        : scaled<uchar>(image, header.most);
    }
    if (image.channels() == 4 || image.channels() == 2) {
        header.notes.push_back(alpha_note);
        std::vector<cv::Mat> planes;
        cv::split(image, planes);
        planes.pop_back();
        cv::merge(planes, image);
    }
    return image;
}

cv::Mat turned_upright(cv::Mat image, int orientation) {
    if (orientation > 4) cv::transpose(image, image);
    constexpr int both = -1;
    constexpr int up_and_down = 0;
    constexpr int left_and_right = 1;
    switch (orientation % 4) {
        case 0:
            cv::flip(image, image, up_and_down);
            break;
        case 2:
            cv::flip(image, image, left_and_right);
            break;
        case 3:
            cv::flip(image, image, both);
            break;
        default:
            break;
    }
    return image;
}

cv::Mat load_bytes(std::vector<uchar>& bytes, Header& header) {
    const bool netpbm = is_pnm(bytes);
    if (!netpbm) header = read_header(bytes);
    const cv::Mat image =
        to_8_bits(netpbm ? read_netpbm(bytes, header) : decode(bytes, header), header);
    if (header.orientation == 1) return image;
    header.notes.push_back(
        fmt::format("is turned upright, as its orientation {} says", header.orientation));
    return turned_upright(image, header.orientation);
}

/// Empty if the format does not hold the image.
std::vector<uchar> encoded(const std::string& extension, const cv::Mat& image) {
    const KeptStderr quiet;
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

/// True if a small picture comes back as it was, but for what a lossy format (JPEG) changes: one
/// bit per pixel, floats, or a gray picture in three channels are something else.
bool keeps_values(const std::string& extension, int type) {
    constexpr double most_loss = 8;
    const cv::Mat image(16, 16, type, cv::Scalar(60, 120, 180));
    std::vector<uchar> bytes = encoded(extension, image);
    Header header;
    try {
        const cv::Mat back = load_bytes(bytes, header);
        return back.type() == type && cv::norm(image, back, cv::NORM_INF) <= most_loss;
    } catch (const BadUsage&) {
        return false;
    }
}

/// Encodes a row of the longer side's length: formats limit both sides alike, and the limits depend
/// on the libraries' versions.
bool holds(const std::string& extension, int width, int height, int type) {
    // The sizes in the header of a BMP file have 32 bits.
    const std::int64_t bytes = std::int64_t{width} * height * CV_ELEM_SIZE(type);
    if (extension == ".bmp" && bytes > INT32_MAX - 3 * std::int64_t{height} - 4096) return false;
    return keeps_values(extension, type) && holds_row(extension, std::max(width, height), type);
}

/// The longest row that the format holds, which is less than `too_long`.
int longest_side_of(const std::string& extension, int type, int too_long) {
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
    return fmt::format("; its longest side is {}", longest_side_of(extension, type, longest));
}

}  // namespace

cv::Mat load_image(const fs::path& path) {
    std::vector<uchar> bytes = read_bytes(path);
    Header header;
    try {
        cv::Mat image = load_bytes(bytes, header);
        for (const std::string& note : header.notes) {
            fmt::print(stderr, "note: '{}' {}\n", path.string(), note);
        }
        return image;
    } catch (const BadUsage& error) {
        throw BadUsage(fmt::format("'{}' {}", path.string(), error.what()));
    }
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
        "cannot write '{}': {} does not hold {}x{} pixels of {} channel(s) with 8 bits{}; "
        "accepted: {}",
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
