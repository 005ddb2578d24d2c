// Times kernels on a GPU. A batch of different images is released at once to a new worker, which
// sees them from then on. The clock runs until samples of all outputs, taken at the worker's reply,
// are in this process: a kernel that goes on after the reply does not gain time. Then the worker is
// killed, and with it its kernels, and all outputs are compared whole.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "common/error.hpp"
#include "judge/timing.hpp"

namespace grading {
namespace {

using nlohmann::json;

constexpr int rounds = 5;
constexpr std::size_t batch_bytes = std::size_t{1} << 30;  // of inputs and outputs
constexpr std::size_t most_images = 512;
constexpr std::size_t least_images = 8;
constexpr std::size_t sample_count = 16;
constexpr std::size_t lines_of_sample = most_sampled_bytes / sample_bytes / sample_count;
constexpr std::size_t row_alignment = 512;  // as that of cudaMallocPitch
constexpr auto most_time = std::chrono::seconds(120);

/// An image whose rows are aligned. Its memory is `storage`.
cv::Mat aligned(const cv::Mat& image, cv::Mat& storage) {
    const std::size_t row = image.elemSize() * static_cast<std::size_t>(image.cols);
    const std::size_t pitch = (row + row_alignment - 1) / row_alignment * row_alignment;
    storage = cv::Mat(image.rows, static_cast<int>(pitch), CV_8UC1);
    cv::Mat result(image.rows, image.cols, image.type(), storage.data, pitch);
    image.copyTo(result);
    return result;
}

/// An input, its output, and where they are in the memory that is shared.
struct Entry {
    TimedCase timed;
    cv::Mat in_storage{};
    cv::Mat out_storage{};
    std::optional<SharedImage> in{};
    std::optional<SharedImage> out{};

    explicit Entry(TimedCase made) : timed(std::move(made)) {
        timed.in = aligned(timed.in, in_storage);
        timed.out = aligned(timed.out, out_storage);
    }
    std::size_t bytes() const {
        return SharedImage::bytes_of(whole(timed.in)) + SharedImage::bytes_of(whole(timed.out));
    }

    /// The mistake in the output in the shared memory; "" if there is none.
    std::string complaint() {
        try {
            require_untouched(*in, *out);
        } catch (const WorkerFailed& failed) {
            return failed.what();
        }
        out->read();
        const harness::Verdict verdict = timed.check(timed.out, {});
        return verdict.ok() ? "" : verdict.text();
    }
};

/// Images in GPU memory, all inputs before all outputs.
class Batch {
  public:
    Batch(const json& speed, const Secret& secret) : secret_(secret) {
        entries_.emplace_back(own_case(speed, 0));
        const std::size_t count =
            std::clamp(batch_bytes / entries_.front().bytes(), least_images, most_images);
        std::vector<std::optional<TimedCase>> cases(count - 1);
#pragma omp parallel for schedule(dynamic)
        for (std::size_t i = 0; i < cases.size(); ++i) cases[i] = own_case(speed, i + 1);
        for (auto& timed : cases) entries_.emplace_back(std::move(*timed));
        place();
    }

    std::size_t images() const {
        return entries_.size();
    }

    /// The time of a copy from the inputs' half to the other one.
    double copy_ms() {
        return memory_->copy_ms();
    }

    /// The time of the first `count` images. The worker is killed.
    CallTime run(std::unique_ptr<WorkerProcess> worker, std::size_t count,
                 Clock::time_point deadline) {
        fill();
        const std::vector<Sample> samples = new_samples();
        std::span<const std::byte> sampled;
        const CallTime time = worker->run_batch(
            std::span(calls_).first(count), *memory_, [&] { sampled = memory_->sample(samples); },
            deadline);
        worker.reset();
        memory_->download(memory_->size());
        if (!are_as_now(samples, sampled)) {
            throw WorkerFailed(Outcome::wrong, "its kernels go on after its reply");
        }
        check(count);
        return time;
    }

  private:
    Secret secret_;
    std::vector<Entry> entries_;
    std::vector<Call> calls_;
    std::unique_ptr<GpuMemory> memory_;
    std::size_t first_output_ = 0;
    std::size_t end_ = 0;

    TimedCase own_case(const json& speed, std::size_t image) const {
        Secret own = secret_.derived("image", image);
        return timed_case(speed, 1, own);
    }

    void place() {
        std::size_t bytes = 0;
        for (const Entry& entry : entries_) bytes += entry.bytes();
        memory_ = allocate_on_gpu(bytes);
        for (Entry& entry : entries_)
            entry.in.emplace(memory_->host(), end_, whole(entry.timed.in));
        first_output_ = end_;
        for (Entry& entry : entries_) {
            entry.out.emplace(memory_->host(), end_, whole(entry.timed.out));
        }
        for (Entry& entry : entries_) {
            calls_.push_back(call_of(*entry.in, *entry.out, entry.timed.options));
        }
    }

    /// Inputs, and garbage where outputs will be: nothing is left of an earlier worker's.
    void fill() {
#pragma omp parallel for
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            entries_[i].timed.out.setTo(0xA5);
            entries_[i].in->write();
            entries_[i].out->write();
        }
        memory_->upload(memory_->size());
    }

    /// Each sample goes through all outputs with a step of its own.
    std::vector<Sample> new_samples() {
        const std::size_t bytes = end_ - first_output_;
        std::vector<Sample> samples;
        for (std::size_t i = 0; i < sample_count; ++i) {
            const std::size_t least = bytes / lines_of_sample + sample_bytes;
            const std::size_t stride = least + secret_.next() % least;
            const std::size_t offset = secret_.next() % stride;
            const std::size_t lines = (bytes - offset - sample_bytes) / stride + 1;
            samples.push_back({first_output_ + offset, stride, lines});
        }
        return samples;
    }

    bool are_as_now(const std::vector<Sample>& samples, std::span<const std::byte> sampled) {
        const std::byte* earlier = sampled.data();
        for (const Sample& sample : samples) {
            for (std::size_t line = 0; line < sample.lines; ++line, earlier += sample_bytes) {
                const std::byte* now =
                    memory_->host().data() + sample.offset + line * sample.stride;
                if (std::memcmp(now, earlier, sample_bytes) != 0) return false;
            }
        }
        return true;
    }

    void check(std::size_t count) {
        std::vector<std::string> complaints(count);
#pragma omp parallel for schedule(dynamic)
        for (std::size_t i = 0; i < count; ++i) complaints[i] = entries_[i].complaint();
        for (std::size_t i = 0; i < count; ++i) {
            if (complaints[i].empty()) continue;
            throw WorkerFailed(Outcome::wrong,
                               fmt::format("image {} of {}: {}", i + 1, count, complaints[i]));
        }
    }
};

/// The variant and its reference, each in a new worker for each batch.
class Contest {
  public:
    Contest(const Sandbox& sandbox, const Task& task, const json& speed, const Secret& secret)
        : sandbox_(sandbox),
          task_(task),
          against_(speed.at("against")),
          inputs_(inputs_of(speed)),
          secret_(secret.derived("batches")),
          first_(case_of_warm_up()) {}

    std::optional<json> result() {
        if (!start(task_.variant)->shares_gpu()) return std::nullopt;
        Batch batch(inputs_, secret_.derived("batch"));
        const double copy_ms = batch.copy_ms();
        const double overhead_ms = reference_ms(batch, 0);
        std::vector<double> ms;
        std::vector<double> references;
        std::vector<TimePair> pairs;
        for (int round = 0; round < rounds; ++round) {
            const bool reference_first = secret_.next() % 2 == 0;
            if (reference_first) references.push_back(reference_ms(batch, batch.images()));
            ms.push_back(batch.run(start(task_.variant), batch.images(), deadline()).ms);
            if (!reference_first) references.push_back(reference_ms(batch, batch.images()));
            pairs.push_back({references.back(), ms.back()});
        }
        const double time = median(ms);
        json result{{"outcome", "right"},
                    {"reason", ""},
                    {"against", against_},
                    {"where", inputs_.at("where")},
                    {"gpu", "shared allocations"},
                    {"images", batch.images()},
                    {"speedup", median_ratio(pairs)},
                    {"ms", ms},
                    {"reference_ms", references},
                    {"overhead_ms", overhead_ms},
                    {"copy_ms", copy_ms}};
        if (time < copy_ms) {
            result["outcome"] = to_string(Outcome::implausible);
            result["reason"] = fmt::format(
                "{:.3f} ms, but a copy of the bytes takes {:.3f} ms: a person has to look at it",
                time, copy_ms);
        }
        return result;
    }

  private:
    const Sandbox& sandbox_;
    const Task& task_;
    std::string against_;
    json inputs_;
    Secret secret_;
    TimedCase first_;

    TimedCase case_of_warm_up() const {
        Secret own = secret_.derived("warm-up");
        return timed_case(inputs_, 1, own);
    }

    static Clock::time_point deadline() { return Clock::now() + most_time; }

    /// A worker that has been called once: CUDA loads a kernel at its first launch.
    std::unique_ptr<WorkerProcess> start(const WorkerFiles& files) {
        auto worker = std::make_unique<WorkerProcess>(sandbox_, files, cores(), deadline());
        timed_call(*worker, first_, deadline());
        return worker;
    }

    double reference_ms(Batch& batch, std::size_t count) {
        try {
            return batch.run(start(reference_named(task_, against_)), count, deadline()).ms;
        } catch (const WorkerFailed& failed) {  // the fault is not the student's
            throw common::Failed("reference " + against_ + ": " + failed.what());
        }
    }
};

}  // namespace

std::optional<json> measure_batches(const Sandbox& sandbox, const Task& task, const json& speed,
                                    const Secret& secret) {
    if (!task.variant.gpu->share) return std::nullopt;
    try {
        return Contest(sandbox, task, speed, secret).result();
    } catch (const WorkerFailed& failed) {
        return failure(failed.outcome, failed.what());
    }
}

}  // namespace grading
