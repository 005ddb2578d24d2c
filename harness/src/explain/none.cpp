// In builds whose kernels do not run on the CPU.

#include "common/error.hpp"
#include "explain/explain.hpp"

namespace harness {

using namespace common;
namespace {

constexpr char how_to_get_it[] =
    "--explain needs kernels that run on the CPU: build with cmake -DLABS_CUDA=EMULATE";

}  // namespace

void require_counters() {
    throw Unavailable(how_to_get_it);
}

struct Explanation::State {};
Explanation::Explanation(const std::function<void()>&) {
    throw Unavailable(how_to_get_it);
}
Explanation::~Explanation() = default;
std::string Explanation::text() const {
    return "";
}
void Explanation::emit() const {}
double Explanation::sector_bytes() const {
    return 0;
}
std::string Explanation::picture() const {
    return "";
}
std::string Explanation::beside(const Explanation&, const std::string&, const std::string&) const {
    return "";
}

}  // namespace harness
