#include "testing_second_look.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "testing_picture.hpp"

namespace harness {
namespace {

constexpr std::size_t most_named = 2;

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

/// The mistakes that explain an output, with the passages that treat them.
std::map<std::string, std::string> explanations(const Seen& seen) {
    std::map<std::string, std::string> names;
    if (!seen.call.known_mistakes || !seen.finding.call.empty()) return names;
    for (const KnownMistake& known : seen.call.known_mistakes(seen.finding.in)) {
        if (!names.contains(known.name) && known.explains(seen.finding.out)) {
            names[known.name] = known.passage;
        }
    }
    return names;
}

void keep_common(std::map<std::string, std::string>& names,
                 const std::map<std::string, std::string>& others) {
    std::erase_if(names, [&](const auto& entry) { return !others.contains(entry.first); });
}

class Looker {
  public:
    Looker(const VariantCall& failed, const Finding& finding) : failed_{failed, finding} {
        if (!failed.probes) return;
        for (VariantCall& probe : failed.probes()) {
            const auto found = examined(probe);
            if (found) (found->wrong ? wrong_ : right_).push_back({std::move(probe), *found});
        }
    }

    SecondLook look() {
        SecondLook result;
        std::string passage;
        result.cause = cause_in_bytes();
        if (result.cause.empty()) std::tie(result.cause, passage) = cause_in_values();
        if (!passage.empty()) result.details += "\n    explained in " + passage;
        // Not before: the search for causes may add a call to wrong_.
        const Seen& shown = wrong_.empty() ? failed_ : wrong_.front();
        result.details += picture(shown.call, shown.finding);
        return result;
    }

  private:
    Seen failed_;
    std::vector<Seen> wrong_;
    std::vector<Seen> right_;

    /// The cause that guard bytes and garbage show on the first wrong input.
    std::string cause_in_bytes() const {
        for (const Seen& seen : wrong_) {
            if (!seen.finding.cause.empty()) return seen.finding.cause;
        }
        return failed_.finding.cause;
    }

    /// The failed call and the same on other pixels, where the probes do not show the mistake.
    void add_failed_call() {
        if (failed_.finding.in.total() > failed_.call.most_pixels) return;
        wrong_.push_back(failed_);
        if (wrong_.size() > 1) return;
        Seen other = failed_;
        try {
            other.finding = examine_once(other.call, other_image(other.finding.in));
        } catch (const std::exception&) {
            return;
        }
        (other.finding.wrong ? wrong_ : right_).push_back(other);
    }

    /// The mistakes that explain every output, with a passage of the handout.
    std::pair<std::string, std::string> cause_in_values() {
        if (wrong_.size() < 2) add_failed_call();
        if (wrong_.size() < 2) return {};
        std::map<std::string, std::string> names = explanations(wrong_[0]);
        for (std::size_t i = 1; i < wrong_.size() && !names.empty(); ++i) {
            keep_common(names, explanations(wrong_[i]));
        }
        for (std::size_t i = 0; i < right_.size() && !names.empty(); ++i) {
            keep_common(names, explanations(right_[i]));
        }
        if (names.empty() || names.size() > most_named) return {};
        std::string text = names.begin()->first;
        if (names.size() > 1) text += "; or: " + names.rbegin()->first;
        return {text, names.begin()->second};
    }
};

}  // namespace

SecondLook look_again(const VariantCall& variant_call, const Finding& finding) {
    return Looker(variant_call, finding).look();
}

}  // namespace harness
