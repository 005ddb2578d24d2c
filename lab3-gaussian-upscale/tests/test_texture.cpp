// cuda_texture keeps a texture object from call to call: two images in one place need two.

#include <gtest/gtest.h>

#include <span>

#include "common/scratch.hpp"
#include "harness/device.hpp"
#include "harness/scenes.hpp"
#include "harness/variants.hpp"
#include "lab.hpp"
#include "problem/oracle.hpp"
#include "problem/variant.hpp"
#include "variant_call.hpp"

namespace {

/// An unpadded image at an address that both sizes share. Works in the emulation only, whose GPU
/// memory is CPU memory.
common::UntypedRows place(common::Scratch& memory, std::size_t slot, const harness::Shape& shape) {
    constexpr std::size_t bytes = 1 << 20;
    return {memory.get(slot, bytes), shape.width,         shape.height,
            shape.channels(),        shape.value_bytes(), shape.bytes() / shape.height};
}

TEST(Texture, is_made_anew_for_another_size_at_the_same_address) {
    if (!harness::device_facts().emulated) GTEST_SKIP() << "cannot run here: needs the emulation";
    const auto& variant = harness::variant_named(upscale::variants(), "cuda_texture");
    const harness::Job job = upscale::job_for(variant, bicubic.options({}));
    common::Scratch memory;
    common::Scratch scratch;  // as a program that calls the variant on several images
    for (const int channels : {1, 3}) {
        for (const cv::Size size : {cv::Size(64, 8), cv::Size(32, 16), cv::Size(64, 4)}) {
            const cv::Mat image = harness::make_scene("random", size.width, size.height, channels);
            const auto in = place(memory, 0, harness::Shape::of(image));
            const auto out = place(memory, 1, {2 * size.width, 2 * size.height, image.type()});
            memory.constants(
                0, std::as_bytes(std::span(image.data, image.total() * image.elemSize())), nullptr);
            job.run(in, out, scratch, nullptr);
            const cv::Mat result(out.height, out.width, image.type(), out.data);
            const auto verdict = upscale::oracle(image, bicubic)(result, {});
            EXPECT_TRUE(verdict.ok()) << size << " " << channels << ": " << verdict.text();
        }
    }
}

}  // namespace
