#include "testing_threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <set>
#include <vector>

#include "harness/device.hpp"
#include "testing_caller.hpp"
#include "testing_memory.hpp"

namespace harness {
namespace {

using Threads = std::vector<ThreadIndex>;

/// The values of an image with the threads of a launch that use them.
class UsedImage {
  public:
    UsedImage(const ImageUsers& users, const Shape& shape) : users_(users), shape_(shape) {
        const std::size_t size = users.width * users.rows /
                                 (static_cast<std::size_t>(shape.width) *
                                  static_cast<std::size_t>(shape.height * shape.channels()));
        for (std::size_t i = 0; i < users.threads.size(); i += size) {
            values_.push_back(&users.threads[i]);
        }
    }

    /// "rows 0 to 7": of the values that have more than one thread, or none.
    std::string of_several() const {
        return places([](std::size_t threads) { return threads > 1; });
    }
    std::string of_none() const {
        return places([](std::size_t threads) { return threads == 0; });
    }

    std::string text() const {
        const std::string several = of_several();
        const char* verb = users_.are_stores ? "stored" : "loaded";
        std::string text = fmt::format("kernel {}: {} are {} by several threads, as {}",
                                       users_.kernel, several, verb, example());
        const std::string none = of_none();
        return none.empty() ? text : fmt::format("{}; {} are by none", text, none);
    }

  private:
    const ImageUsers& users_;
    Shape shape_;
    std::vector<const Threads*> values_{};

    template <class Is>
    std::string places(Is is) const {
        std::vector<bool> where;
        for (const Threads* threads : values_) where.push_back(is(threads->size()));
        return place_of_values(shape_.width, shape_.height, shape_.channels(), std::move(where));
    }

    std::set<std::size_t> values_of(const ThreadIndex& thread) const {
        std::set<std::size_t> all;
        for (std::size_t i = 0; i < values_.size(); ++i) {
            if (std::ranges::find(*values_[i], thread) != values_[i]->end()) all.insert(i);
        }
        return all;
    }

    /// True if only the last column and the last row have several threads.
    bool at_the_end_only() const {
        const auto row = static_cast<std::size_t>(shape_.width * shape_.channels());
        const auto last_column = row - static_cast<std::size_t>(shape_.channels());
        for (std::size_t i = 0; i < values_.size(); ++i) {
            const bool at_end = i % row >= last_column || i / row + 1 == values_.size() / row;
            if (values_[i]->size() > 1 && !at_end) return false;
        }
        return true;
    }

    /// The only index in which all threads that share a value differ, as "threadIdx.y"; or "".
    std::string only_difference() const {
        std::optional<std::string> found;
        for (const Threads* threads : values_) {
            for (std::size_t i = 1; i < threads->size(); ++i) {
                const std::string one = difference(threads->front(), (*threads)[i]);
                if (found.value_or(one) != one) return "";
                found = one;
            }
        }
        return found.value_or("");
    }

    static std::string difference(const ThreadIndex& one, const ThreadIndex& other) {
        std::vector<std::string> all;
        for (std::size_t i = 0; i < 3; ++i) {
            if (one.block[i] != other.block[i]) all.push_back(fmt::format("blockIdx.{}", "xyz"[i]));
            if (one.thread[i] != other.thread[i]) {
                all.push_back(fmt::format("threadIdx.{}", "xyz"[i]));
            }
        }
        return all.size() == 1 ? all.front() : "";
    }

    std::string example() const {
        const auto shared =
            std::ranges::find_if(values_, [](const Threads* one) { return one->size() > 1; });
        const ThreadIndex& a = (**shared)[0];
        const ThreadIndex& b = (**shared)[1];
        return fmt::format("{} and {}: {}", name_of(a), name_of(b), reason(a, b));
    }

    static std::string name_of(const ThreadIndex& index) {
        return fmt::format("thread ({}) of block ({})", fmt::join(index.thread, ","),
                           fmt::join(index.block, ","));
    }

    std::string reason(const ThreadIndex& a, const ThreadIndex& b) const {
        if (at_the_end_only() && shape_.width > 1) {
            return "threads outside the image take its last column or row again; they have to be "
                   "left out";
        }
        const std::string only = only_difference();
        const std::set<std::size_t> of_a = values_of(a);
        if (!only.empty() && of_a == values_of(b)) {
            return fmt::format("they differ in {} only, which the index does not use", only);
        }
        if (of_a.size() > 1) {
            return "they take it in different steps of a loop: the step is smaller than what all "
                   "threads take at once (gridDim * blockDim)";
        }
        return "the index of two threads is the same";
    }
};

std::optional<Shape> shape_of(const ImageUsers& users, const Shape& in, const Shape& out) {
    for (const Shape& shape : {in, out}) {
        const auto bytes = static_cast<std::size_t>(shape.bytes());
        const auto rows = static_cast<std::size_t>(shape.height);
        if (users.rows == rows && users.width * users.rows == bytes) return shape;
    }
    return std::nullopt;
}

}  // namespace

std::string shared_values(const VariantCall& variant_call, const cv::Mat& in) {
    if (!variant_call.job.on_gpu() || !is_emulated(variant_call.variant)) return "";
    std::vector<ImageUsers> images;
    try {
        images = image_users([&] { Caller(variant_call).call(in, first_fill); });
    } catch (const std::exception&) {
        return "";
    }
    const Shape given = Shape::of(variant_call.job.adapted_input(in));
    const Shape out = variant_call.job.adapted_output(variant_call.out);
    for (const ImageUsers& users : images) {
        if (!users.are_stores && !variant_call.loads_once) continue;
        const auto shape = shape_of(users, given, out);
        if (!shape) continue;
        const UsedImage values(users, *shape);
        if (!values.of_several().empty()) return values.text();
    }
    return "";
}

}  // namespace harness
