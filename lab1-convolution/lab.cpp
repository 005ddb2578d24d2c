#include "lab.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "common/error.hpp"
#include "harness/variants.hpp"
#include "problem/oracle.hpp"
#include "problem/variant.hpp"

namespace convolution {
namespace {

/// The lab's own command-line options.
struct FilterOptions {
    std::string name;
    std::string file;

    std::optional<NamedMask> mask() const {
        if (!file.empty() && !name.empty()) {
            throw common::BadUsage("--filter-file excludes --filter");
        }
        if (!file.empty()) {
            return NamedMask{std::filesystem::path(file).stem().string(), read_mask(file)};
        }
        if (!name.empty()) return NamedMask{name, find_filter(name)};
        return std::nullopt;
    }
};

/// The expert variants choose their own block: beside variants with several blocks, they are
/// measured once.
bool takes_blocks(const common::VariantInfo& info) {
    return info.backend == common::Backend::cuda && info.name != "cuda_registers" &&
           info.name != "cuda_best";
}

harness::Trial trial(const common::VariantInfo& info, const NamedMask& named,
                     common::RunOptions run, double work) {
    if (info.backend == common::Backend::seq) run.threads = 1;
    const Options options{run, named.mask};
    std::string parameters = fmt::format("filter={};size={}", named.name, named.mask.size);
    if (!info.on_device) parameters += fmt::format(";threads={}", run.threads);
    const bool has_block = info.backend == common::Backend::cuda && run.block;
    if (has_block) parameters += ";block=" + to_string(*run.block);
    const auto column = [&](int value) { return has_block ? std::to_string(value) : ""; };
    return {
        info,
        run,
        harness::bind(harness::variant_named(variants(), info.name), options),
        parameters,
        {named.name, std::to_string(named.mask.size), column(run.block ? run.block->width : 0),
         column(run.block ? run.block->height : 0), column(run.block ? run.block->threads() : 0)},
        work};
}

}  // namespace

harness::Problem problem(const harness::ImageSource& input, const NamedMask& mask,
                         const std::vector<common::VariantInfo>& chosen,
                         const common::RunOptions& options,
                         const std::vector<common::Block>& blocks) {
    harness::Problem result;
    result.input = input;
    result.output_shape = [](const cv::Mat& in) { return harness::Shape::of(in); };
    result.check = [mask = mask.mask](const cv::Mat& in) { return oracle(in, mask); };
    result.operations = [size = mask.mask.size](const cv::Mat& in) {
        return 2.0 * size * size * static_cast<double>(in.total()) * in.channels();
    };
    const double work =
        static_cast<double>(input.width) * input.height * mask.mask.size * mask.mask.size;
    for (const common::VariantInfo& info : chosen) {
        if (blocks.empty() || !takes_blocks(info)) {
            common::RunOptions its_own = options;
            if (!blocks.empty()) its_own.block.reset();
            result.trials.push_back(trial(info, mask, its_own, work));
            continue;
        }
        for (const common::Block block : blocks) {
            common::RunOptions with_block = options;
            with_block.block = block;
            result.trials.push_back(trial(info, mask, with_block, work));
        }
    }
    return result;
}

harness::Lab make_lab() {
    const auto filter = std::make_shared<FilterOptions>();
    harness::Lab lab;
    lab.name = "lab1-convolution";
    lab.what = "2-D convolution of images with masks up to 15x15";
    lab.fastest = {"cuda_best",     "cuda_registers", "cuda_separable", "cuda_shared", "omp_best",
                   "omp_separable", "omp_simd",       "omp_rows",       "seq"};
    lab.variants = {variants().begin(), variants().end()};
    lab.columns = {"filter", "mask_size", "block_width", "block_height", "threads_per_block"};
    lab.experiments = experiments([filter] { return filter->mask(); });
    lab.add_options = [filter](harness::CommandOptions& options) {
        options.text(
            "--filter", filter->name,
            fmt::format("one of {}; default for run: sharpen", fmt::join(filter_names(), ", ")));
        options.text("--filter-file", filter->file,
                     "text file with n lines of n numbers, n odd and up to 15");
    };
    lab.problem = [filter](const harness::ImageSource& input, const common::VariantInfo& info,
                           const common::RunOptions& options) {
        const NamedMask sharpen{"sharpen", find_filter("sharpen")};
        return problem(input, filter->mask().value_or(sharpen), {info}, options, {});
    };
    return lab;
}

}  // namespace convolution
