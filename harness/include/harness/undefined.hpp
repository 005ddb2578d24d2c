#pragma once

#include <functional>
#include <string>

#include "common/error.hpp"

namespace harness {

using namespace common;

/// The default of a function that a lab has to define: a call throws Failed with the member's name,
/// where an empty std::function would say "bad_function_call".
struct Undefined {
    const char* member;

    template <class Result, class... Arguments>
    operator std::function<Result(Arguments...)>() const {
        return [name = std::string(member)](Arguments...) -> Result {
            throw Failed("this lab does not define " + name);
        };
    }
};

}  // namespace harness
