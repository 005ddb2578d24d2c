#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "common/error.hpp"

namespace grading {

/// An open file descriptor, closed at the end.
class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor() { reset(); }
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        reset();
        number_ = std::exchange(other.number_, -1);
        return *this;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int get() const { return number_; }
    bool is_open() const { return number_ >= 0; }
    void reset() {
        if (number_ >= 0) close(std::exchange(number_, -1));
    }

  private:
    int number_;
};

/// Throws Failed with `what` and the system's reason.
[[noreturn]] inline void fail(const std::string& what) {
    const int reason = errno;
    throw common::Failed(what + ": " + std::strerror(reason));
}

/// The result of a system call that returns a negative number if it fails.
template <class Number>
Number checked(Number result, const std::string& what) {
    if (result < 0) fail(what);
    return result;
}

}  // namespace grading
