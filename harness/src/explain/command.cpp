#include "explain/command.hpp"

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/file.hpp"
#include "harness/measure.hpp"

namespace harness {

using namespace common;
namespace {

void require_cuda(const std::string& option, const VariantInfo& variant) {
    if (variant.backend == Backend::cuda) return;
    throw BadUsage(fmt::format("{} needs a CUDA variant, not {}; see list", option, variant.name));
}

void require_available(const VariantInfo& variant) {
    if (const auto reason = why_unavailable(variant)) {
        throw Unavailable(fmt::format("{} cannot run here: {}", variant.name, *reason));
    }
}

/// The bytes of all sectors of global memory that loads, stores and atomic functions touch.
double sector_bytes(const std::vector<Metric>& totals) {
    double sectors = 0;
    for (const Metric& metric : totals) {
        if (metric.name.find("t_sectors") != std::string::npos) {
            sectors += static_cast<double>(metric.value);
        }
    }
    return 32 * sectors;
}

void print_ratios(const std::vector<Metric>& own, const std::vector<Metric>& others,
                  const std::string& own_name, const std::string& other_name) {
    fmt::print("\n{:<53} {:>18.18} {:>18.18} {:>7}\n", "", own_name, other_name, "ratio");
    for (std::size_t i = 0; i < own.size(); ++i) {
        const std::uint64_t a = own[i].value;
        const std::uint64_t b = others[i].value;
        if (a == 0 && b == 0) continue;
        const std::string ratio =
            b == 0 ? "-" : fmt::format("{:.2f}", static_cast<double>(a) / static_cast<double>(b));
        fmt::print("{:<53} {:>18} {:>18} {:>7}\n", own[i].name, a, b, ratio);
    }
}

}  // namespace

ExplainCommand::ExplainCommand(const Lab& lab, const VariantInfo& variant,
                               const std::string& against, const std::filesystem::path& output)
    : lab_(lab),
      variant_(variant),
      picture_(std::filesystem::path(output).replace_filename("explain_" + variant.name + ".svg")) {
    if (!against.empty()) {
        against_ = find_variant(lab.variants, against, "--against");
        require_cuda("--against", *against_);
    }
    require_cuda("--explain", variant);
    require_counters();
    require_available(variant);
    if (against_) require_available(*against_);
    check_writable(picture_);
}

void ExplainCommand::print(const ImageSource& source, const RunOptions& options,
                           const cv::Mat& in) const {
    if (against_) return print_beside(source, options, in);
    explanation_.emit();
    fmt::print("{}", explanation_.text);
    const Problem problem = lab_.problem(source, variant_, options);
    print_arithmetic(problem.operations(in),
                     Shape::of(in).bytes() + problem.output_shape(in).bytes());
    if (explanation_.picture.empty()) return;
    write_file(picture_, [&](std::ostream& out) { out << explanation_.picture; });
    fmt::print("\npicture  {}\n", picture_.string());
}

void ExplainCommand::print_arithmetic(double operations, std::size_t bytes) const {
    fmt::print(
        "\narithmetic  {:.3g} operations by the definition: {:.3g} for each byte of input and "
        "output",
        operations, operations / static_cast<double>(bytes));
    if (const double sectors = sector_bytes(explanation_.totals); sectors > 0) {
        fmt::print(", {:.3g} for each byte of the sectors above", operations / sectors);
    }
    fmt::print("\n");
}

void ExplainCommand::print_beside(const ImageSource& source, const RunOptions& options,
                                  const cv::Mat& in) const {
    const Problem problem = lab_.problem(source, *against_, options);
    Runner runner(problem.trials.front().job, in, problem.output_shape(in));
    const std::vector<Metric> others = explained([&] { runner.call(); }).totals;
    print_ratios(explanation_.totals, others, variant_.name, against_->name);
}

}  // namespace harness
