#pragma once

// Calls of a variant on guarded images.

#include <memory>

#include "common/scratch.hpp"
#include "harness/device.hpp"
#include "harness/testing.hpp"
#include "harness/testing_guard.hpp"
#include "testing_calls.hpp"
#include "testing_fence.hpp"
#include "testing_memory.hpp"

namespace harness {

/// The output before each call.
inline constexpr unsigned char fills[] = {first_fill, 0x5A, 0xC3};

/// Calls the variant several times with the same buffers.
class Caller {
  public:
    explicit Caller(const VariantCall& variant_call, unsigned char around_input = guard_byte)
        : variant_call_(variant_call), around_input_(around_input) {}

    Outcome call(const cv::Mat& image, unsigned char fill) {
        const Job& job = variant_call_.job;
        const cv::Mat given = job.adapted_input(image);
        const Shape shape = job.adapted_output(variant_call_.out);
        if (in_.empty()) in_ = guarded(Shape::of(given), 0, around_input_);
        given.copyTo(in_);
        cv::Mat out = guarded(shape, fill);
        if (job.needs_transfers()) {
            if (!runner_) runner_ = make_device_runner(job, in_, shape, guard_rows);
            runner_->fill_output(fill);
            runner_->call(out);
        } else {
            const Fence fence(in_, out);
            job.run(in_, out, scratch_);
        }
        return {job.result(out), fill, damage(image, given, out)};
    }

    /// The result for images of another size at other addresses, with the scratch memory of the
    /// calls before. Only for a job on the GPU, and as the last call.
    cv::Mat call_elsewhere(const cv::Mat& image, const Shape& shape) {
        const Job& job = variant_call_.job;
        cv::Mat in = guarded(Shape::of(image), 0, around_input_);
        image.copyTo(in);
        cv::Mat out = guarded(shape, fills[1]);
        if (!runner_) {
            job.run(in, out, scratch_);
            return out;
        }
        const auto other = make_device_runner(job, in, shape, guard_rows);
        other->fill_output(fills[1]);
        runner_->share_images(*other);
        runner_->set_input(in);
        runner_->call(out);
        return out;
    }

  private:
    const VariantCall& variant_call_;
    unsigned char around_input_;
    /// Guard rows above and below an image on the GPU. None in the emulation, which finds accesses
    /// outside an image by itself and names their line.
    const int guard_rows = is_emulated(variant_call_.variant) ? 0 : 8;
    cv::Mat in_;
    Scratch scratch_;
    std::unique_ptr<DeviceRunner> runner_;

    std::string damage(const cv::Mat& image, const cv::Mat& given, const cv::Mat& out) const {
        const auto is_right = [&](const cv::Mat& result) {
            const cv::Mat own = variant_call_.job.result(result);
            if (variant_call_.definition(image)(own, {}).ok()) return true;
            if (image.depth() != CV_8U) return false;  // the sums may need another type
            // The pitch of the input is ignored, too.
            return variant_call_.definition(read_without_pitch(image))(own, {}).ok();
        };
        std::string where = damage_of_output(surrounded(out), inside_of(out), out, is_right);
        if (where.empty() && runner_ && guard_rows > 0) {
            where =
                damage_of_output(runner_->memory_of_output(), inside_on_gpu(out), out, is_right);
        }
        if (!where.empty()) return "it writes outside the output, " + where;
        if (!equal_bytes(in_, given)) return "it changes its input";
        if (runner_) {
            const cv::Mat memory = runner_->memory_of_input();
            const cv::Rect inside = inside_on_gpu(in_);
            const cv::Mat bytes(in_.rows, inside.width, CV_8UC1, in_.data, in_.step[0]);
            if (!equal_bytes(memory(inside), bytes)) return "it changes its input";
            if (guard_rows > 0) where = first_damage(memory, inside);
        } else {
            where = first_damage(surrounded(in_), inside_of(in_), around_input_);
        }
        return where.empty() ? "" : "it writes outside its input, " + where;
    }

    cv::Rect inside_on_gpu(const cv::Mat& image) const {
        return {0, guard_rows, image.cols * static_cast<int>(image.elemSize()), image.rows};
    }
};

}  // namespace harness
