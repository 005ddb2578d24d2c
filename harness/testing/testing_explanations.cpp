#include "testing_explanations.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "testing_groups.hpp"
#include "testing_halos.hpp"

namespace harness {
namespace {

/// Bytes above a limit below 255 become the limit; no other value is wrong.
KnownMistake cut_off(const VariantCall& call, const cv::Mat& in) {
    return {cut_off_name,
            [check = call.definition(in), right = call.expected(in)](const cv::Mat& out) {
                const Verdict verdict = check(out, {});
                if (verdict.ok()) return true;
                double limit = 0;
                cv::minMaxLoc(out.reshape(1), nullptr, &limit);
                cv::Mat wrong = verdict.difference.reshape(1).clone();
                wrong.setTo(0, (right.reshape(1) > limit) & (out.reshape(1) == limit));
                return out.depth() == CV_8U && limit < 254 && cv::countNonZero(wrong) == 0;
            }};
}

/// Those of a list for an input, and those that labs share.
std::vector<KnownMistake> mistakes_for(const VariantCall& call, List list, const cv::Mat& in) {
    std::vector<KnownMistake> all;
    if (call.*list) all = (call.*list)(in);
    const bool single = list == &VariantCall::known_mistakes;
    auto shared = single ? wrong_halos(call, in) : wrong_rows_of_ranks(call, in);
    std::ranges::move(shared, std::back_inserter(all));
    if (single) std::ranges::move(wrong_groups(call, in), std::back_inserter(all));
    if (single && call.expected) all.push_back(cut_off(call, in));
    return all;
}

}  // namespace

bool has_mistakes_for(const VariantCall& call, List list, const cv::Mat& in) {
    return !mistakes_for(call, list, in).empty();
}

Names explanations(const VariantCall& call, List list, const Finding& finding, const Names* among) {
    Names names;
    if (!finding.call.empty()) return names;
    std::map<std::string, int> number;
    for (const KnownMistake& mistake : mistakes_for(call, list, finding.in)) {
        Named one{mistake.name, number[mistake.name]++, mistake.passage, ~Ways{0}};
        if (among != nullptr) {
            const auto before = std::ranges::find_if(*among, [&](const Named& other) {
                return other.name == one.name && other.number == one.number;
            });
            if (before == among->end()) continue;
            one.ways = before->ways;
        }
        one.ways &= mistake.explains(finding.out);
        if (one.ways != 0) names.push_back(std::move(one));
    }
    return names;
}

Names with_different_names(const Names& all) {
    Names names;
    for (const Named& one : all) {
        const bool is_new = std::ranges::find(names, one.name, &Named::name) == names.end();
        if (is_new) names.push_back(one);
    }
    return names;
}

std::string text_of(const Names& names) {
    std::string text = names.front().name;
    const std::size_t shown = std::min(names.size(), most_named);
    for (std::size_t i = 1; i < shown; ++i) text += "; or: " + names[i].name;
    if (names.size() == shown) return text;
    return text + "; and " + std::to_string(names.size() - shown) + " more give the same values";
}

}  // namespace harness
