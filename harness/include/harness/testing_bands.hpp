#pragma once

// For the tests of `run --memory`: a picture in bands has to equal the same picture as a whole.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "common/image.hpp"
#include "harness/testing_cli.hpp"

namespace harness {

using namespace common;

class BandsCli : public Cli {
  protected:
    /// `run` on NAME with `options`; the output is OUT.
    std::string command(const std::string& name, const std::string& out,
                        const std::string& options) const {
        return "run " + path(name) + " --output " + path(out) + " " + options;
    }

    /// The file formats of `extensions` that this build can read and write in bands. TIFF needs
    /// libtiff.
    std::vector<std::string> supported(std::vector<std::string> extensions) const {
        std::erase_if(extensions, [&](const std::string& extension) {
            std::ofstream(path("empty" + extension));
            const Ran ran = run(command("empty" + extension, "out" + extension, "--memory 500"));
            return ran.err.find("needs libtiff") != std::string::npos;
        });
        return extensions;
    }

    /// As many MiB as make several bands of the picture.
    int little_memory(const std::string& run_command) const {
        const Ran ran = run(run_command + " --memory 1");
        EXPECT_EQ(ran.exit_code, 2) << ran.err;
        const std::string before = "need at least ";
        const auto at = ran.err.find(before);
        if (at == std::string::npos) return 0;
        return std::atoi(ran.err.c_str() + at + before.size()) + 2;
    }

    /// Makes in.EXTENSION of a scene, and whole.EXTENSION of it without bands.
    void make_whole(const std::string& scene, const std::string& extension,
                    const std::string& options) const {
        const Ran ran = run("run " + scene + " --save-input " + path("in" + extension) +
                            " --output " + path("whole" + extension) + " " + options);
        ASSERT_EQ(ran.exit_code, 0) << ran.err;
    }

    /// Files of images have to have the same pixels, others the same bytes.
    void expect_same(const std::string& name, const std::string& whole,
                     const std::string& about = "") const {
        if (name.ends_with(".npy")) {
            EXPECT_TRUE(read(name) == read(whole)) << about;
        } else {
            const cv::Mat expected = load_image(path(whole));
            EXPECT_EQ(cv::norm(expected, load_image(path(name)), cv::NORM_INF), 0) << about;
        }
    }

    /// in.EXTENSION in bands has to be whole.OUT_EXTENSION.
    void expect_equal_in_bands(const std::string& extension, const std::string& options,
                               const std::string& out_extension) const {
        const std::string bands = command("in" + extension, "bands" + out_extension, options);
        const Ran ran = run(bands + fmt::format(" --json --memory {}", little_memory(bands)));
        ASSERT_EQ(ran.exit_code, 0) << ran.err;
        EXPECT_EQ(ran.err, "");
        expect_same("bands" + out_extension, "whole" + out_extension, ran.out);
        const auto number = [&](const std::string& name) {
            return std::atoi(ran.out.c_str() + ran.out.find(name) + name.size());
        };
        EXPECT_LT(number("\"band_rows\": "), number("\"height\": ") / 2) << "too few bands";
    }
    void expect_equal_in_bands(const std::string& extension, const std::string& options) const {
        expect_equal_in_bands(extension, options, extension);
    }

    /// Kills a run after its first band, and continues it.
    void expect_equal_after_kill(const std::string& extension, const std::string& options,
                                 const std::string& out_extension) const {
        const std::string name = "killed" + out_extension;
        std::string bands = command("in" + extension, name, options);
        bands += fmt::format(" --memory {}", little_memory(bands));
        const std::string killer = fmt::format(
            "(for i in $(seq 3000); do grep -qs \",.rows.:[1-9]\" {} && kill -9 $$ && break; sleep "
            "0.002; done) & true",
            path(name + ".journal"));
        EXPECT_NE(run(bands, killer).exit_code, 0) << "it was not killed";
        EXPECT_FALSE(std::filesystem::exists(path(name))) << "an output that is not whole";
        EXPECT_TRUE(std::filesystem::exists(path(name + ".part")));
        const Ran other = run(bands + "0 --resume");  // ten times the memory
        EXPECT_EQ(other.exit_code, 2);
        EXPECT_THAT(other.err, testing::HasSubstr("--resume"));

        const Ran ran = run(bands + " --resume");
        ASSERT_EQ(ran.exit_code, 0) << ran.err;
        EXPECT_THAT(ran.out, testing::HasSubstr("from row"));
        expect_same(name, "whole" + out_extension);
        EXPECT_FALSE(std::filesystem::exists(path(name + ".part")));
        EXPECT_FALSE(std::filesystem::exists(path(name + ".journal")));
    }
    void expect_equal_after_kill(const std::string& extension, const std::string& options) const {
        expect_equal_after_kill(extension, options, extension);
    }
};

}  // namespace harness
