#include "problem/variant.hpp"
#include "worker/worker.hpp"

int main(int count, char** arguments) {
    using namespace @{space}@;
    const Variant* variant = nullptr;
    return grading::work(
        count, arguments,
        [&] {
            variant = grading::registered_variant<Register>(arguments[2]);
            return variant != nullptr;
        },
        [&](const grading::Place& place) { grading::run(*variant, place); });
}
