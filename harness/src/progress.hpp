#pragma once

#include <chrono>
#include <map>
#include <string>

namespace harness {

/// A progress bar with an estimate of the time left, on stderr if that is a terminal; silent
/// otherwise. Work is counted in any unit, apart for kinds of work whose speeds differ.
class Progress {
  public:
    explicit Progress(std::string title);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void plan(const std::string& kind, double work);

    /// Says that `work` of a kind is done since the last call.
    void done(const std::string& kind, double work, const std::string& what);

  private:
    struct Kind {
        double planned = 0;
        double done = 0;
        double seconds = 0;
    };
    std::string title_;
    bool visible_;
    std::chrono::steady_clock::time_point last_;
    std::map<std::string, Kind> kinds_;

    double seconds_left() const;
    double seconds_spent() const;
};

/// "12 s", "3 min 20 s", "1 h 5 min".
std::string duration_text(double seconds);

}  // namespace harness
