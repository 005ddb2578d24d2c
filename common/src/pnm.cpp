// OpenCV scales the values of text files only, exchanges red and blue of PAM, and takes any number
// of values; so its decoder is not used.

#include "common/pnm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>

#include "common/error.hpp"

namespace common {
namespace {

/// Words between white space and comments, which reach from # to the end of a line.
class Words {
  public:
    explicit Words(std::span<const uchar> file, std::size_t at = 0) : file_(file), at_(at) {}

    std::size_t at() const { return at_; }

    std::string word() {
        skip();
        std::string text;
        while (!ended() && !is_space()) text += static_cast<char>(file_[at_++]);
        return text;
    }

    /// In the header a comment may end a number.
    int number(std::int64_t most) {
        skip();
        std::int64_t value = 0;
        const std::size_t first = at_;
        for (; !ended() && std::isdigit(file_[at_]) != 0 && value <= most; ++at_) {
            value = 10 * value + (file_[at_] - '0');
        }
        const bool delimited = ended() || is_space() || file_[at_] == '#';
        if (at_ == first && ended()) throw BadUsage("is damaged or cut short");
        if (at_ == first || !delimited || value > most) {
            throw BadUsage(fmt::format("has a value that is not 0 to {} where one is due", most));
        }
        return static_cast<int>(value);
    }

    bool bit() {
        skip();
        if (ended()) throw BadUsage("is damaged or cut short");
        const uchar digit = file_[at_++];
        if (digit != '0' && digit != '1') throw BadUsage("has a pixel that is neither 0 nor 1");
        return digit == '1';
    }

    std::string line() {
        std::string text;
        for (; !ended() && file_[at_] != '\n'; ++at_) text += static_cast<char>(file_[at_]);
        if (!ended()) ++at_;
        return text;
    }

    void skip() {
        while (!ended() && (is_space() || file_[at_] == '#')) {
            if (file_[at_] == '#') {
                line();
            } else {
                ++at_;
            }
        }
    }

  private:
    std::span<const uchar> file_;
    std::size_t at_;

    bool ended() const { return at_ >= file_.size(); }
    bool is_space() const { return std::isspace(file_[at_]) != 0; }
};

constexpr int longest_side = 1 << 30;

/// Throws unless the kind of tuples is one that has a meaning here.
void check_kind(std::string kind, int channels) {
    const bool alpha = kind.ends_with("_ALPHA");
    if (alpha) kind.resize(kind.size() - 6);
    const int expected = (kind == "RGB" ? 3 : 1) + (alpha ? 1 : 0);
    const bool known = kind == "RGB" || kind == "GRAYSCALE" || kind == "BLACKANDWHITE";
    if (kind.empty() ? channels < 1 || channels > 4 : !known || channels != expected) {
        throw BadUsage(
            fmt::format("has {} channels of kind '{}'; gray and RGB are accepted", channels, kind));
    }
}

PnmHeader read_pam_header(Words& words) {
    PnmHeader header{'7'};
    std::string kind;
    header.channels = header.most = 0;
    const std::map<std::string, int*> numbers{{"WIDTH", &header.width},
                                              {"HEIGHT", &header.height},
                                              {"DEPTH", &header.channels},
                                              {"MAXVAL", &header.most}};
    for (std::string key = words.word(); key != "ENDHDR"; key = words.word()) {
        const auto number = numbers.find(key);
        if (number != numbers.end()) {
            *number->second = words.number(longest_side);
        } else if (key == "TUPLTYPE") {
            kind += words.word();
        } else {
            throw BadUsage("has a damaged header");
        }
    }
    if (header.most > 65535) throw BadUsage("has a damaged header");
    check_kind(kind, header.channels);
    return header;
}

template <class Value>
cv::Mat read_binary(std::span<const uchar> data, const PnmHeader& header) {
    cv::Mat image(header.height, header.width,
                  CV_MAKETYPE(cv::DataType<Value>::depth, header.channels));
    const std::size_t row = image.elemSize() * static_cast<std::size_t>(image.cols);
    for (int y = 0; y < image.rows; ++y) {
        const auto from = data.subspan(static_cast<std::size_t>(y) * row, row);
        Value* const to = image.ptr<Value>(y);
        for (std::size_t i = 0; i < row / sizeof(Value); ++i) {
            to[i] = sizeof(Value) == 1 ? from[i]
                                       : static_cast<Value>(from[2 * i] << 8 | from[2 * i + 1]);
        }
    }
    return image;
}

template <class Value>
cv::Mat read_text(Words& words, const PnmHeader& header) {
    cv::Mat image(header.height, header.width,
                  CV_MAKETYPE(cv::DataType<Value>::depth, header.channels));
    for (int y = 0; y < image.rows; ++y) {
        for (int i = 0; i < image.cols * header.channels; ++i) {
            image.ptr<Value>(y)[i] =
                static_cast<Value>(header.kind == '1' ? !words.bit() : words.number(header.most));
        }
    }
    return image;
}

cv::Mat read_bits(std::span<const uchar> data, const PnmHeader& header) {
    cv::Mat image(header.height, header.width, CV_8UC1);
    for (int y = 0; y < image.rows; ++y) {
        for (int x = 0; x < image.cols; ++x) {
            image.ptr(y)[x] = (data[static_cast<std::size_t>(x) / 8] >> (7 - x % 8) & 1) == 0;
        }
        data = data.subspan((static_cast<std::size_t>(image.cols) + 7) / 8);
    }
    return image;
}

template <class Value>
void exchange_red_and_blue(cv::Mat& image) {
    for (int y = 0; y < image.rows; ++y) {
        for (int x = 0; x < image.cols; ++x) {
            Value* const pixel = image.ptr<Value>(y) + x * image.channels();
            std::swap(pixel[0], pixel[2]);
        }
    }
}

/// The bytes behind the header of a binary file; the smallest number of them in a text file.
std::uint64_t data_bytes(const PnmHeader& header) {
    const auto width = static_cast<std::uint64_t>(header.width);
    const auto height = static_cast<std::uint64_t>(header.height);
    const std::uint64_t values = width * height * static_cast<std::uint64_t>(header.channels);
    if (header.kind == '1') return values;
    if (header.kind == '4') return (width + 7) / 8 * height;
    if (header.is_text()) return 2 * values - 1;
    return values * (header.most > 255 ? 2 : 1);
}

}  // namespace

bool is_pnm(std::span<const uchar> file) {
    return file.size() > 2 && file[0] == 'P' && file[1] >= '1' && file[1] <= '7' &&
           (std::isspace(file[2]) != 0 || file[2] == '#');
}

PnmHeader read_pnm_header(std::span<const uchar> file) {
    Words words(file, 2);
    PnmHeader header{static_cast<char>(file[1])};
    if (header.kind == '7') {
        header = read_pam_header(words);
    } else {
        header.width = words.number(longest_side);
        header.height = words.number(longest_side);
        header.channels = header.kind == '3' || header.kind == '6' ? 3 : 1;
        if (header.kind != '1' && header.kind != '4') header.most = words.number(65535);
    }
    if (header.width == 0 || header.height == 0) throw BadUsage("has no pixels");
    if (header.most == 0) throw BadUsage("has a largest value of 0");
    header.bytes = words.at() + 1;  // one character of white space
    if (header.bytes > file.size() || std::isspace(file[header.bytes - 1]) == 0) {
        throw BadUsage("is damaged or cut short");
    }
    return header;
}

cv::Mat read_pnm(std::span<const uchar> file, const PnmHeader& header, std::size_t& rest) {
    const std::uint64_t bytes = data_bytes(header);
    if (bytes > file.size() - header.bytes) throw BadUsage("is damaged or cut short");
    const bool wide = header.most > 255;
    cv::Mat image;
    if (header.is_text()) {
        Words words(file, header.bytes);
        image = wide ? read_text<ushort>(words, header) : read_text<uchar>(words, header);
        words.skip();
        rest = file.size() - words.at();
    } else {
        const auto data = file.subspan(header.bytes, bytes);
        image = header.kind == '4' ? read_bits(data, header)
                : wide             ? read_binary<ushort>(data, header)
                                   : read_binary<uchar>(data, header);
        rest = file.size() - header.bytes - bytes;
    }
    if (header.channels > 2) {
        wide ? exchange_red_and_blue<ushort>(image) : exchange_red_and_blue<uchar>(image);
    }
    return image;
}

}  // namespace common
