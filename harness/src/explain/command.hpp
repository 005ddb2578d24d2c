#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "explain/explain.hpp"
#include "harness/lab.hpp"

namespace harness {

/// `run --explain [--against OTHER]`.
class ExplainCommand {
  public:
    /// Throws if this build cannot count one of the variants, or if the drawing, which lies beside
    /// `output`, cannot be written. `against` may be empty.
    ExplainCommand(const Lab& lab, const VariantInfo& variant, const std::string& against,
                   const std::filesystem::path& output);

    const std::filesystem::path& drawing() const { return picture_; }

    void count(const std::function<void()>& call) { explanation_ = explained(call); }

    /// Prints the tables and writes the drawing; with `against`, prints both variants' totals.
    void print(const ImageSource& source, const RunOptions& options, const cv::Mat& in) const;

  private:
    /// The arithmetic intensity; `bytes` are those of input and output.
    void print_arithmetic(double operations, std::size_t bytes) const;
    void print_beside(const ImageSource& source, const RunOptions& options,
                      const cv::Mat& in) const;

    const Lab& lab_;
    VariantInfo variant_;
    std::optional<VariantInfo> against_;
    std::filesystem::path picture_;
    Explanation explanation_;
};

}  // namespace harness
