#pragma once

// The mistakes that explain wrong outputs, value by value.

#include <string>
#include <vector>

#include "testing_calls.hpp"

namespace harness {

/// One of the two lists of mistakes that a call has.
using List = std::function<std::vector<KnownMistake>(const cv::Mat& in)> VariantCall::*;

inline constexpr std::size_t most_named = 2;  // in a message
inline constexpr char cut_off_name[] =
    "values are cut off at a limit below 255: they are clamped before they are scaled";

/// A mistake that explains all outputs so far in one of these ways, and the passage that treats it.
struct Named {
    std::string name;
    int number;  ///< among those of this name
    std::string passage;
    Ways ways;
};
using Names = std::vector<Named>;

/// False for an input that no mistake of the list is made for.
bool has_mistakes_for(const VariantCall& call, List list, const cv::Mat& in);

/// The mistakes that explain an output; only those in `among`, in their ways, unless it is null.
Names explanations(const VariantCall& call, List list, const Finding& finding, const Names* among);

/// Without later ones of the same name.
Names with_different_names(const Names& all);

/// The names in a message.
std::string text_of(const Names& names);

}  // namespace harness
