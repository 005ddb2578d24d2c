#include "testing_second_look.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "testing_explanations.hpp"
#include "testing_picture.hpp"
#include "testing_places.hpp"
#include "testing_threads.hpp"

namespace harness {
namespace {

/// Longest probe for a variant that writes outside small images. Longer probes would crash the
/// process.
constexpr int most_length_outside = 40;
constexpr std::size_t most_pixels_again = 40'000;  // of a call that is repeated for a cause
constexpr int least_wrong = 12;     // values that a mistake explains, without the right calls
const cv::Size least_size{24, 16};  // of the image of such a call

/// An input with what the variant made of it.
struct Seen {
    VariantCall call;
    Finding finding;
};

/// Returns nothing if the variant refuses the input or throws.
std::optional<Finding> examined(const VariantCall& variant_call) {
    try {
        return examine(variant_call);
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

std::optional<Finding> examined_once(const VariantCall& variant_call, const cv::Mat& image) {
    try {
        return examine_once(variant_call, image);
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

/// The first call that this process has checked, and the last before this one.
struct Earlier {
    std::string variant{};
    std::any options{};
    std::string parameters{};
};
std::vector<Earlier> earlier_calls;

class Looker {
  public:
    Looker(const VariantCall& failed, const Finding& finding) : failed_{failed, finding} {
        if (!failed.probes) return;
        const bool leaves_images = leaves_image(failed_);
        for (VariantCall& probe : failed.probes()) {
            if (leaves_images && std::max(probe.in.cols, probe.in.rows) > most_length_outside) {
                continue;
            }
            const auto found = examined(probe);
            if (found) (found->wrong ? wrong_ : right_).push_back({std::move(probe), *found});
        }
    }

    SecondLook look() {
        SecondLook result;
        // Not later: the search for causes may add calls to wrong_. A probe is read at a glance.
        const bool is_smaller =
            wrong_.empty() || failed_.finding.in.total() < wrong_.front().finding.in.total();
        const Seen shown = is_smaller ? failed_ : wrong_.front();
        std::string passage;
        result.cause = shown.finding.cause;
        if (result.cause.empty()) result.cause = cause_in_bytes();
        if (result.cause.empty()) result.cause = cause_in_options();
        if (result.cause.empty()) std::tie(result.cause, passage) = cause_in_values();
        if (result.cause.empty() && gives_zeros()) {
            result.cause =
                "all values are 0: the result is lost before it reaches the output, for instance "
                "in a private or firstprivate copy, which ends with its loop (reduction adds the "
                "copies up)";
        }
        if (result.cause.empty()) std::tie(result.cause, passage) = cause_in_one_path();
        if (result.cause.empty()) {
            result.cause = reads_outside(shown.call, shown.finding.in);
        }
        add_shared_values(result.cause, shown);
        if (result.cause.empty()) result.details += place();
        if (!passage.empty()) result.details += "\n    explained in " + passage;
        result.details += picture(shown.call, shown.finding);
        result.shown = shown.call;
        result.finding = shown.finding;
        return result;
    }

  private:
    Seen failed_;
    std::vector<Seen> wrong_;
    std::vector<Seen> right_;

    static bool leaves_image(const Seen& seen) {
        if (seen.finding.in.total() > most_pixels_again) return false;
        return seen.finding.cause.find("outside") != std::string::npos ||
               !reads_outside(seen.call, seen.finding.in).empty();
    }

    /// A kernel whose threads share work that is one thread's explains these symptoms.
    static void add_shared_values(std::string& cause, const Seen& shown) {
        const bool is_symptom = cause.empty() || cause.find("never written") != cause.npos ||
                                cause.find("two runs differ") != cause.npos;
        if (!is_symptom || shown.finding.in.total() > most_pixels_again) return;
        const std::string shared = shared_values(shown.call, shown.finding.in);
        if (!shared.empty()) cause = shared;
    }

    /// The cause that guard bytes and garbage show on the first wrong input.
    std::string cause_in_bytes() const {
        for (const Seen& seen : wrong_) {
            if (!seen.finding.cause.empty()) return seen.finding.cause;
        }
        return failed_.finding.cause;
    }

    /// The line of a message that names no cause.
    std::string place() const {
        std::vector<const Finding*> all{&failed_.finding};
        for (const Seen& seen : wrong_) all.push_back(&seen.finding);
        return place_of_wrong_values(std::move(all));
    }

    /// Not where the right output is a single value, which any wrong formula can turn into 0.
    bool gives_zeros() const {
        const auto is_zero = [](const Seen& seen) {
            return cv::countNonZero(seen.finding.out.reshape(1)) == 0;
        };
        const auto has_values = [](const Seen& seen) {
            double least = 0;
            double greatest = 1;
            if (seen.call.expected) {
                cv::minMaxLoc(seen.call.expected(seen.finding.in).reshape(1), &least, &greatest);
            }
            return least < greatest;
        };
        return std::ranges::all_of(wrong_, is_zero) && std::ranges::any_of(wrong_, has_values);
    }

    /// An output without such values does not show a limit.
    static bool has_values_below_largest(const Seen& seen) {
        double largest = 0;
        cv::minMaxLoc(seen.finding.out.reshape(1), nullptr, &largest);
        return cv::countNonZero(seen.finding.out.reshape(1) < largest) >= least_wrong;
    }

    /// Adds the call that failed, and one on other pixels of the same size, in case no probe shows
    /// the mistake.
    void add_failed_call() {
        if (failed_.finding.in.total() > failed_.call.most_pixels) return;
        wrong_.push_back(failed_);
        if (wrong_.size() > 1) return;
        add_call(failed_.call, other_image(failed_.finding.in));
    }

    void add_call(const VariantCall& call, const cv::Mat& image) {
        const auto found = examined_once(call, image);
        if (found) (found->wrong ? wrong_ : right_).push_back({call, *found});
    }

    /// The earlier call whose options explain two wrong outputs. Others do not matter: they may be
    /// outputs with other options.
    std::string cause_in_options() {
        if (!failed_.call.kept_options) return "";
        if (wrong_.size() < 2) add_failed_call();
        for (const Earlier& earlier : earlier_calls) {
            const auto explained =
                std::count_if(wrong_.begin(), wrong_.end(), [&](const Seen& seen) {
                    return seen.call.kept_options(earlier.options, seen.finding.in,
                                                  seen.finding.out);
                });
            if (explained < 2) continue;
            return "it has kept options of an earlier call (" + earlier.parameters +
                   "): they are copied in the first call only, or a static variable holds them";
        }
        return "";
    }

    /// False for what no mistake of the list is made for: a large image, a later call, the luma of
    /// a picture.
    static bool can_be_explained(const Seen& seen, List list) {
        return seen.finding.call.empty() && seen.finding.in.total() <= seen.call.most_pixels &&
               has_mistakes_for(seen.call, list, seen.finding.in);
    }

    /// The mistakes of a list that explain every output.
    Names common_to_all(List list) const {
        // The smallest image first: all mistakes are tried on it.
        std::vector<const Seen*> all;
        for (const Seen& seen : wrong_) all.push_back(&seen);
        std::stable_sort(all.begin(), all.end(), [](const Seen* a, const Seen* b) {
            return a->finding.in.total() < b->finding.in.total();
        });
        for (const Seen& seen : right_) all.push_back(&seen);
        if (can_be_explained(failed_, list)) all.push_back(&failed_);
        Names names;
        for (const Seen* seen : all) {
            const Names* among = seen == all.front() ? nullptr : &names;
            if (among != nullptr && names.empty()) break;
            names = explanations(seen->call, list, seen->finding, among);
        }
        return names;
    }

    /// Reduces several possible mistakes to those that also explain the outputs for further images.
    /// Keeps all of them if none explains these.
    void tell_apart(Names& names, List list) const {
        for (const Seen& seen : wrong_) {
            for (const cv::Mat& image : others_like(seen.finding.in)) {
                if (names.size() < 2 || image.total() > most_pixels_again) return;
                const auto found = examined_once(seen.call, image);
                if (!found) continue;
                Names fewer = explanations(seen.call, list, *found, &names);
                if (!fewer.empty()) names = std::move(fewer);
            }
        }
    }

    /// The mistakes that explain every output, with a passage of the handout.
    std::pair<std::string, std::string> cause_in_values() {
        if (wrong_.size() < 2) add_failed_call();
        if (wrong_.size() < 2) return {};
        for (const List list : {&VariantCall::known_mistakes, &VariantCall::known_pairs}) {
            Names names = common_to_all(list);
            if (std::ranges::none_of(wrong_, has_values_below_largest)) {
                std::erase_if(names, [](const Named& one) { return one.name == cut_off_name; });
            }
            tell_apart(names, list);
            names = with_different_names(names);
            if (!names.empty()) return {text_of(names), names.front().passage};
        }
        return {};
    }

    /// The same for calls with the options of the one that failed only, where probes with others
    /// are right: a mistake in code that few options reach. As nothing else contradicts it, it has
    /// to explain further images. Called last, as it drops the probes.
    std::pair<std::string, std::string> cause_in_one_path() {
        if (right_.empty() || !failed_.call.any_size) return {};
        right_.clear();
        wrong_.clear();
        add_failed_call();
        const cv::Mat& in = failed_.finding.in;
        const cv::Mat larger = other_image(cv::repeat(in, (least_size.height - 1) / in.rows + 1,
                                                      (least_size.width - 1) / in.cols + 1));
        if (larger.total() <= most_pixels_again) add_call(call_on(larger, failed_.call), larger);
        std::int64_t wrong_values = 0;
        for (const Seen& seen : wrong_) wrong_values += seen.finding.verdict.wrong;
        right_.clear();
        if (wrong_.size() < 2 || wrong_values < least_wrong) return {};
        const List list = &VariantCall::known_mistakes;
        Names names = common_to_all(list);
        for (const cv::Mat& image : others_like(in)) {
            if (names.empty() || image.total() > most_pixels_again) break;
            const auto found = examined_once(failed_.call, image);
            if (found) names = explanations(failed_.call, list, *found, &names);
        }
        names = with_different_names(names);
        if (names.empty() || names.size() > most_named) return {};
        return {text_of(names) + "; other calls are right", names.front().passage};
    }
};

}  // namespace

void note_call(const VariantCall& variant_call) {
    const std::string& variant = variant_call.variant.name;
    std::erase_if(earlier_calls, [&](const Earlier& one) { return one.variant != variant; });
    if (!variant_call.options.has_value()) return;
    if (earlier_calls.size() > 1) earlier_calls.pop_back();
    earlier_calls.push_back({variant, variant_call.options, variant_call.parameters});
}

SecondLook look_again(const VariantCall& variant_call, const Finding& finding) {
    return Looker(variant_call, finding).look();
}

}  // namespace harness
