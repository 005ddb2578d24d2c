// The worker of each lab. LAB is the lab's namespace; CMake compiles this file once for each.

#include <cstdint>

#include "problem/variant.hpp"
#include "worker/worker.hpp"

namespace {

template <class Variant>
void run(const Variant& variant, const grading::Place& place) {
    if constexpr (requires { variant.sums32; }) {
        const bool narrow = place.call.out.value_bytes == sizeof(std::int32_t);
        return narrow ? grading::run(variant.sums32, place) : grading::run(variant.sums64, place);
    } else {
        grading::run(variant, place);
    }
}

}  // namespace

int main(int count, char** arguments) {
    const LAB::Variant* variant = nullptr;
    return grading::work(
        count, arguments,
        [&] {
            variant = grading::registered_variant<LAB::Register>(arguments[2]);
            return variant != nullptr;
        },
        [&](const grading::Place& place) { run(*variant, place); });
}
