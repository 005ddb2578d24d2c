#include "testing_calls.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

#include "common/error.hpp"
#include "harness/testing_guard.hpp"
#include "testing_caller.hpp"
#include "testing_memory.hpp"

namespace harness {
namespace {

/// True if the result is a function of what the output held before the call: the same for the same
/// bytes, in any order of calls and at any address. The results of a race vary from call to call;
/// those of a variant that keeps a value depend on the order.
bool depends_on_output(const VariantCall& variant_call, const cv::Mat& in, const Outcome& first,
                       const Outcome& last) {
    for (int i = 0; i < 2; ++i) {
        Caller caller(variant_call);
        for (const Outcome* one : {&last, &first, &first, &last, &last, &first}) {
            if (!equal_bytes(one->out, caller.call(in, one->fill).out)) return false;
        }
    }
    return true;
}

/// While it exists, a parallel region has one thread, whatever its clauses say.
class OneThread {
  public:
    OneThread() { omp_set_max_active_levels(0); }
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;
    ~OneThread() { omp_set_max_active_levels(levels_); }

  private:
    int levels_ = omp_get_max_active_levels();
};

/// False if the result does not depend on the threads of OpenMP in this process.
bool runs_threads(const VariantCall& variant_call) {
    return !variant_call.job.on_gpu() && variant_call.job.in_ranks() == nullptr;
}

/// The CPU time of the other threads of this process.
std::chrono::nanoseconds time_of_others() {
    const auto now = [](clockid_t clock) {
        timespec time{};
        clock_gettime(clock, &time);
        return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    };
    return now(CLOCK_PROCESS_CPUTIME_ID) - now(CLOCK_THREAD_CPUTIME_ID);
}

/// False while another thread of this process runs, or is ready to. The state follows the thread's
/// name, which is in parentheses and may contain some.
bool others_sleep() {
    const std::string self = std::to_string(syscall(SYS_gettid));
    std::error_code gone;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", gone)) {
        std::string line;
        std::getline(std::ifstream(thread.path() / "stat"), line);
        const auto end = line.rfind(") ");
        if (thread.path().filename() != self && end != std::string::npos && line[end + 2] == 'R') {
            return false;
        }
    }
    return true;
}

/// Threads of OpenMP spin for a while before they fall asleep, on a busy machine for longer.
void wait_until_others_sleep() {
    for (int i = 0; i < 200 && !others_sleep(); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

/// True if the result depends on the calls before it where OpenMP has one thread, and the variant
/// starts no other threads: that is no race.
bool depends_on_calls(const VariantCall& variant_call, const cv::Mat& in) {
    if (!runs_threads(variant_call)) return false;
    const OneThread one_thread;
    wait_until_others_sleep();
    const auto before = time_of_others();
    Caller caller(variant_call);
    const auto starts_threads = [&] {
        return time_of_others() - before > std::chrono::microseconds(5);
    };
    const cv::Mat first = caller.call(in, fills[0]).out;
    if (starts_threads()) return false;
    caller.call(other_image(in), fills[0]);
    bool differs = false;
    for (int i = 0; i < 2; ++i) differs |= !equal_bytes(first, caller.call(in, fills[0]).out);
    return differs && !starts_threads();
}

std::string differing_calls(const VariantCall& variant_call, const cv::Mat& in) {
    if (depends_on_calls(variant_call, in)) {
        return "two runs differ, with one thread too: it keeps something of an earlier call "
               "(a static or global variable, a buffer that is not cleared), or uses memory before "
               "it is written";
    }
    return fmt::format("two runs differ: a race ({}), or memory used before it is written",
                       variant_call.job.on_gpu()                ? "a missing barrier?"
                       : variant_call.job.in_ranks() != nullptr ? "a missing MPI_Wait?"
                                                                : "a lost update?");
}

/// Why the first and the last call gave different results, or "".
std::string cause_of(const VariantCall& variant_call, const cv::Mat& in, const Outcome& first,
                     const Outcome& last) {
    const std::string garbage = garbage_in(first, last, variant_call.block, in.size());
    if (!garbage.empty() || equal_bytes(first.out, last.out)) return garbage;
    if (!depends_on_output(variant_call, in, first, last)) return differing_calls(variant_call, in);
    const std::string outside = reads_outside(variant_call, in);    // as far as the output
    if (!outside.empty() || variant_call.halo > 0) return outside;  // a halo held the same
    return "the result depends on what the output held before the call: a value of the output is "
           "read before it is written";
}

/// Only for a library, within its Agreement.
Verdict compared(const VariantCall& variant_call, const cv::Mat& in, const cv::Mat& out) {
    const VariantInfo& variant = variant_call.variant;
    const bool is_library = variant.backend == Backend::peer;
    return variant_call.definition(in)(out, is_library ? variant.agreement : Agreement{});
}

/// True if calls are right where OpenMP has one thread, so that others were wrong by a race.
bool is_right_with_one_thread(const VariantCall& variant_call, const cv::Mat& in) {
    if (!runs_threads(variant_call)) return false;
    const OneThread one_thread;
    Caller caller(variant_call);
    const std::array images{in, other_image(in), in};
    return std::ranges::all_of(images, [&](const cv::Mat& image) {
        return compared(variant_call, image, caller.call(image, fills[0]).out).ok();
    });
}

/// Examines a variant that was right in its first call and wrong in a second call on `image`.
Finding examine_second_call(const VariantCall& variant_call, const cv::Mat& image,
                            const Outcome& second, const Verdict& verdict, bool keeps_something) {
    if (second.damage.empty() && !keeps_something) {  // is it wrong in a first call too?
        Finding alone = examine_once(variant_call, image);
        if (alone.wrong) return alone;
    }
    const std::string kept = is_right_with_one_thread(variant_call, image)
                                 ? differing_calls(variant_call, image)
                                 : "only the first call is right: does it keep something for the "
                                   "next one, a result or a buffer that is not cleared? or a race";
    return {true,
            image,
            second.out,
            verdict,
            "in call 2, on other pixels: ",
            second.damage.empty() ? kept : second.damage};
}

/// Other pixels in an image of another size, if there is one with as many pixels or a row less.
cv::Mat image_of_other_size(const cv::Mat& image) {
    const cv::Mat other = other_image(image);
    if (image.rows == image.cols) return other.rowRange(0, std::max(1, image.rows - 1)).clone();
    return other.t();
}

/// True for small images of an emulated variant whose options fit another size. A variant of the
/// CPU has scratch memory of its own.
bool is_worth_a_call_elsewhere(const VariantCall& variant_call) {
    constexpr std::size_t most_pixels = 1'000;
    const Job& job = variant_call.job;
    const VariantInfo& info = variant_call.variant;
    if (info.on_device && !is_emulated(info)) return false;
    return job.on_gpu() && !job.adapter && variant_call.any_size &&
           variant_call.in.total() <= most_pixels;
}

/// Examines a variant that was right so far.
Finding examine_elsewhere(const VariantCall& variant_call, Caller& caller) {
    const cv::Mat image = image_of_other_size(variant_call.in);
    const VariantCall elsewhere = call_on(image, variant_call);
    cv::Mat out;
    try {
        out = caller.call_elsewhere(image, elsewhere.out);
    } catch (const Unsupported&) {
        return {};
    }
    const Verdict verdict = compared(variant_call, image, out);
    if (verdict.ok()) return {};
    Finding alone = examine_once(elsewhere, image);
    if (alone.wrong) return alone;
    return {true,
            image,
            out,
            verdict,
            "after a call on an image of another size, at another address: ",
            "it keeps something of an earlier image (in scratch.kept, in scratch memory or in a "
            "static variable): an address, a size, a texture object or a table, which has to be "
            "made again when the image is another one"};
}

}  // namespace

std::vector<cv::Mat> others_like(const cv::Mat& image) {
    const double middle = cv::mean(image)[0];
    cv::Mat one_pixel = cv::Mat::zeros(image.size(), image.type());
    one_pixel(cv::Rect(image.cols / 2, image.rows / 3, 1, 1)).setTo(cv::Scalar::all(200));
    cv::Mat two_levels;
    cv::Mat(image.reshape(1) > middle).convertTo(two_levels, image.depth());
    two_levels = two_levels.reshape(image.channels());
    const cv::Mat flat(image.size(), image.type(), cv::Scalar::all(middle));
    return {other_image(image), one_pixel, two_levels, flat};
}

VariantCall call_on(const cv::Mat& image, VariantCall variant_call) {
    const int scale = variant_call.out.height / variant_call.in.rows;
    variant_call.in = image;
    variant_call.out = {image.cols * scale, image.rows * scale, variant_call.out.type};
    return variant_call;
}

cv::Mat other_image(const cv::Mat& image) {
    cv::Mat other;
    cv::flip(image, other, -1);
    if (other.depth() == CV_8U) cv::bitwise_not(other, other);
    return other;
}

Finding examine_once(const VariantCall& variant_call, const cv::Mat& image) {
    const Outcome first = Caller(variant_call).call(image, fills[0]);
    const Verdict verdict = compared(variant_call, image, first.out);
    const bool wrong = !verdict.ok() || !first.damage.empty();
    return {wrong, image, first.out, verdict, "", first.damage};
}

std::string reads_outside(const VariantCall& variant_call, const cv::Mat& image) {
    if (variant_call.job.needs_transfers()) return "";
    const auto output = [&](unsigned char around_input) {
        return Caller(variant_call, around_input).call(image, fills[0]).out;
    };
    constexpr auto other = static_cast<unsigned char>(~guard_byte);
    const cv::Mat one = output(guard_byte);
    const cv::Mat two = output(other);
    if (equal_bytes(one, two)) return "";
    // Results of a race differ here, too.
    for (int i = 0; i < 5; ++i) {
        if (!equal_bytes(one, output(guard_byte)) || !equal_bytes(two, output(other))) return "";
    }
    return "it reads outside the input: the result depends on the bytes around it";
}

std::string Finding::text() const {
    std::string text = verdict.text();
    const std::string got = fmt::format(", got {};", verdict.actual);
    const auto at = text.find(got);
    if (!unwritten || at == std::string::npos) return text;
    return text.replace(at, got.size(),
                        fmt::format(", never written ({} was there before);", verdict.actual));
}

Finding examine(const VariantCall& variant_call) {
    Caller caller(variant_call);
    const cv::Mat& in = variant_call.in;
    const bool few_pixels = in.total() <= 40'000;
    const Outcome first = caller.call(in, fills[0]);
    const Verdict verdict = compared(variant_call, in, first.out);
    if (!first.damage.empty()) return {true, in, first.out, verdict, "", first.damage};

    const cv::Mat other = few_pixels ? other_image(in) : cv::Mat();
    Outcome second;
    Verdict second_verdict;
    if (few_pixels) {
        second = caller.call(other, fills[1]);
        second_verdict = compared(variant_call, other, second.out);
    }
    const Outcome last = caller.call(in, fills[2]);
    const bool last_equals_first = equal_bytes(first.out, last.out);
    if (!verdict.ok()) {
        return {true,
                in,
                first.out,
                verdict,
                "",
                cause_of(variant_call, in, first, last),
                is_untouched(first, last, verdict)};
    }
    if (!second_verdict.ok() || !second.damage.empty()) {
        const bool keeps_something = !last_equals_first || equal_bytes(first.out, second.out);
        return examine_second_call(variant_call, other, second, second_verdict, keeps_something);
    }
    if (last_equals_first && last.damage.empty()) {
        if (is_worth_a_call_elsewhere(variant_call)) {
            Finding elsewhere = examine_elsewhere(variant_call, caller);
            if (elsewhere.wrong) return elsewhere;
        }
        return {false, in, first.out, verdict};
    }
    return {true,
            in,
            last.out,
            compared(variant_call, in, last.out),
            fmt::format("in call {}, on the same pixels as in call 1: ", few_pixels ? 3 : 2),
            last.damage.empty() ? differing_calls(variant_call, in) : last.damage};
}

}  // namespace harness
