// Measuring in rounds, disturbed repeats, and the hash of outputs.

#include <gtest/gtest.h>

#include <opencv2/core.hpp>
#include <stdexcept>
#include <string>

#include "bench/rounds.hpp"
#include "harness/scenes.hpp"
#include "measure/fingerprint.hpp"

namespace {

using harness::Measurement;

/// Appends its letter to the log whenever it is measured; throws in the given repeat.
class Letter : public harness::Target {
  public:
    Letter(char letter, std::string& log, int throws_in = 0)
        : letter_(letter), log_(log), throws_in_(throws_in) {}
    void warm_up() override {}
    harness::Times measure() override {
        log_ += letter_;
        if (++calls_ == throws_in_) throw std::runtime_error("planted");
        return {static_cast<double>(calls_), static_cast<double>(calls_)};
    }
    int watched_threads() const override { return 1; }
    bool bound() const override { return true; }

  private:
    char letter_;
    std::string& log_;
    int throws_in_;
    int calls_ = 0;
};

/// Reports the given number of repeats as disturbed, from the first on.
class Detector : public harness::DisturbanceDetector {
  public:
    explicit Detector(int disturbed) : disturbed_(disturbed) {}
    void begin(int) override {}
    bool end() override { return disturbed_-- > 0; }

  private:
    int disturbed_;
};

/// Measurements of several letters.
struct Rounds {
    std::string log;
    std::vector<Measurement> measurements;
    std::string faults;

    void run(int repeats, int disturbed) {
        Detector detector(disturbed);
        measure_in_rounds(measurements, repeats, detector);
    }
    void add(char letter, int throws_in = 0) {
        measurements.push_back({.target = std::make_unique<Letter>(letter, log, throws_in),
                                .before_repeat = [] {},
                                .on_exception = [this, letter] { faults += letter; }});
    }
};

TEST(Rounds, by_turns) {
    Rounds rounds;
    rounds.add('a');
    rounds.add('b');
    rounds.run(3, 0);
    EXPECT_EQ(rounds.log, "ababab");
    EXPECT_EQ(rounds.measurements[1].samples.size(), 3u);
    EXPECT_EQ(rounds.measurements[1].samples.disturbed_part(), 0);
}

TEST(Rounds, an_exception_ends_one_measurement) {
    Rounds rounds;
    rounds.add('a', 2);
    rounds.add('b');
    rounds.run(4, 0);
    EXPECT_EQ(rounds.log, "ababbb");
    EXPECT_EQ(rounds.faults, "a");
    EXPECT_EQ(rounds.measurements[0].samples.size(), 0u);
    EXPECT_EQ(rounds.measurements[1].samples.size(), 4u);
}

TEST(Rounds, disturbed_repeats_are_measured_again) {
    Rounds rounds;
    rounds.add('a');
    rounds.run(4, 2);
    EXPECT_EQ(rounds.log, "aaaaaa");
    EXPECT_EQ(rounds.measurements[0].samples.kernel_ms, (std::vector<double>{3, 4, 5, 6}));
    EXPECT_EQ(rounds.measurements[0].samples.disturbed_part(), 0);
}

TEST(Rounds, disturbed_repeats_are_kept_where_there_are_no_others) {
    Rounds rounds;
    rounds.add('a');
    rounds.run(4, 5);
    EXPECT_EQ(rounds.log, "aaaaaa");
    EXPECT_EQ(rounds.measurements[0].samples.kernel_ms, (std::vector<double>{1, 2, 3, 6}));
    EXPECT_EQ(rounds.measurements[0].samples.disturbed_part(), 0.75);
}

/// The report of the detector depends on the machine. This test only runs the detector.
TEST(Disturbance, of_more_threads_than_cores) {
    harness::DisturbanceDetector detector;
    for (const int threads : {1, 2, 64}) {
        detector.begin(threads);
        detector.end();
    }
}

TEST(Fingerprint, sees_every_byte) {
    cv::Mat image = harness::make_scene("random", 13, 7, 3);
    const auto before = harness::fingerprint(image, 2);
    EXPECT_EQ(before, harness::fingerprint(image, 1));
    for (int y = 0; y < image.rows; ++y) {
        for (int i = 0; i < 3 * image.cols; ++i) {
            uchar& byte = image.ptr(y)[i];
            byte = static_cast<uchar>(byte + 1);
            EXPECT_NE(before, harness::fingerprint(image, 2)) << i << " in row " << y;
            byte = static_cast<uchar>(byte - 1);
        }
    }
}

TEST(Fingerprint, sees_exchanged_rows_and_ignores_padding) {
    const cv::Mat whole = harness::make_scene("random", 20, 8, 1);
    const cv::Mat part = whole(cv::Rect(3, 1, 11, 6));
    EXPECT_EQ(harness::fingerprint(part, 1), harness::fingerprint(part.clone(), 1));
    cv::Mat flipped = part.clone();
    for (int y = 0; y < part.rows; ++y) part.row(part.rows - 1 - y).copyTo(flipped.row(y));
    EXPECT_NE(harness::fingerprint(part, 1), harness::fingerprint(flipped, 1));
}

}  // namespace
