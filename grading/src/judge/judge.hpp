#pragma once

// The judge of one variant. It runs the lab's own tests, in which a proxy stands for the variant,
// and times it. It knows the right results and the clock; a worker knows neither.

#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "common/options.hpp"
#include "common/view.hpp"
#include "harness/job.hpp"
#include "harness/variants.hpp"
#include "harness/verify.hpp"
#include "judge/secret.hpp"
#include "judge/worker_process.hpp"

namespace grading {

/// The judge's input, which the program `check` writes as JSON.
struct Task {
    WorkerFiles variant;
    nlohmann::json sandbox;
    Secret seed;
    std::int64_t class_seed = 0;  ///< of the random tests
    double test_seconds = 60;
    double seconds = 0;  ///< for all tests together
    bool tests = true;
    std::string only_test;               ///< "": all
    std::vector<nlohmann::json> speeds;  ///< as in points.json; `floor` only if it has points
    std::vector<WorkerFiles> references;
    std::vector<nlohmann::json> counters;  ///< as in points.json
};

/// The worker of the variant that is being judged. A new one is started for each test, so that
/// nothing is kept from test to test and a crash costs one test.
class Judged {
  public:
    Judged(Sandbox sandbox, const Task& task)
        : sandbox_(std::move(sandbox)),
          task_(task),
          end_(Clock::now() + duration_of(task.seconds)) {
        if (task.variant.gpu) kernels_ = "shared allocations";
    }

    void begin_test();
    /// The outcome of this test so far: `right` unless a call failed.
    Outcome outcome() const { return outcome_; }
    const std::string& reason() const { return reason_; }
    /// How kernels ran: "shared allocations" or "copies" on a GPU, or "emulated".
    const std::string& kernels() const { return kernels_; }

    /// Calls the variant. A refusal becomes the exception that the variant threw, another failure
    /// becomes WorkerFailed.
    void call(const Image& in, const Image& out, std::span<const std::byte> options,
              bool may_refuse);

  private:
    Sandbox sandbox_;
    const Task& task_;
    std::optional<WorkerProcess> worker_;
    Clock::time_point end_;  ///< of the time for all tests
    Clock::time_point deadline_{};
    Outcome outcome_ = Outcome::right;
    std::string reason_;
    std::string kernels_ = "emulated";
    int timeouts_ = 0;

    void start_worker();
};

/// The variant of this process. Variants are plain functions, which have nowhere to keep it.
Judged*& judged();

template <class T, common::Memory Where>
Image image_of(const common::View<T, Where>& view) {
    using Value = std::remove_const_t<T>;
    return {reinterpret_cast<std::byte*>(const_cast<Value*>(view.data)),
            view.width,
            view.height,
            view.channels,
            static_cast<int>(sizeof(T)),
            view.pitch};
}

template <class Options>
std::vector<std::byte> bytes_of(Options options) {
    static_assert(std::is_trivially_copyable_v<Options>);
    options.scratch = nullptr;
    std::vector<std::byte> bytes(sizeof options);
    std::memcpy(bytes.data(), &options, sizeof options);
    return bytes;
}

/// The functions that stand for a variant. Emulated GPU memory is memory of this process, so a view
/// of it is copied like any other.
///
/// A variant for the CPU has to take all options, and one with kernels may refuse a block
/// (`RefusesMore`: other options as well). Otherwise a variant that refuses all that is hard would
/// be right. The variant of a task may refuse less, which the lab's tests know
/// (`VariantCall::may_refuse`).
template <class In, class Out, class Options>
void host_proxy(common::ImageView<const In> in, common::ImageView<Out> out,
                const Options& options) {
    judged()->call(image_of(in), image_of(out), bytes_of(options), false);
}
template <class In, class Out, class Options, bool RefusesMore = false>
void device_proxy(common::DeviceView<const In> in, common::DeviceView<Out> out,
                  const Options& options, cudaStream_t) {
    const bool may_refuse = RefusesMore || options.block.has_value();
    judged()->call(image_of(in), image_of(out), bytes_of(options), may_refuse);
}

/// One timed call: an input that nobody has seen before, and what its output must be.
struct TimedCase {
    cv::Mat in;
    cv::Mat out;
    std::vector<std::byte> options;
    harness::Check check;
    harness::Job job_of_library;  ///< the call of a library to compare with, if one was asked for
};

/// A value of "where" in points.json, in which numbers are texts.
inline double number_in(const nlohmann::json& where, const char* name, double otherwise) {
    const auto found = where.find(name);
    if (found == where.end()) return otherwise;
    return found->is_string() ? std::stod(found->get<std::string>()) : found->get<double>();
}
inline int size_in(const nlohmann::json& where, const char* name, int otherwise) {
    return static_cast<int>(number_in(where, name, otherwise));
}

inline std::optional<common::Block> block_in(const nlohmann::json& where) {
    if (!where.contains("block")) return std::nullopt;
    return common::parse_block(where["block"].get<std::string>());
}

/// Fills an image whose rows have no gaps.
inline void fill(cv::Mat& image, Secret& secret) {
    secret.fill({reinterpret_cast<std::byte*>(image.data), image.total() * image.elemSize()});
}

/// The library call in the lab that `speed` names ("peer_opencv"), with its options bound.
template <class LabVariant, class Bind>
harness::Job library_job(const std::vector<LabVariant>& variants, const nlohmann::json& speed,
                         Bind bind) {
    const std::string name = speed.value("against", "");
    if (!name.starts_with("peer_")) return {};
    return bind(harness::variant_named(variants, name));
}

// Each lab defines these three.

/// The folder of --hidden with which this judge was built, or "".
std::string_view hidden_folder();

/// Registers the proxy as a variant of the lab.
void register_proxy(const std::string& name, bool on_device);

/// `speed` is that of a task in points.json.
TimedCase timed_case(const nlohmann::json& speed, int threads, Secret& secret);

/// The time of the variant against a reference.
nlohmann::json measure(const Sandbox& sandbox, const Task& task, const nlohmann::json& speed,
                       const Secret& secret);

/// The values of counters of emulated kernels, for each rule: `rule` as it is, `value`, and
/// `reason` if it is none. Rules with one input share a call.
nlohmann::json count_all(const Sandbox& sandbox, const Task& task, const nlohmann::json& rules,
                         const Secret& secret);

/// Runs the tests and the measurements.
nlohmann::json judge(Sandbox sandbox, const Task& task);

}  // namespace grading
