// Fences. A block that writes, calls __threadfence() and sets a flag may be read by blocks that
// have seen the flag. Which flag belongs to which data is not known, so such blocks are not
// accused.

#include <mutex>
#include <set>
#include <utility>

#include "block.hpp"

namespace emulation {
namespace {

struct Fences {
    std::mutex mutex;
    std::uint64_t launch = 0;
    std::set<std::uint32_t> fenced_domains;
};

Fences& fences() {
    static Fences all;
    return all;
}

}  // namespace

void fence() {
    Block& block = *current_thread->block;
    if (!std::exchange(block.fenced, true)) {
        Fences& all = fences();
        const std::lock_guard lock(all.mutex);
        if (std::exchange(all.launch, current_worker->launch) != current_worker->launch) {
            all.fenced_domains.clear();
        }
        all.fenced_domains.insert(block.race_domain);
    }
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

bool has_fenced(std::uint64_t launch, std::uint32_t race_domain) {
    Fences& all = fences();
    const std::lock_guard lock(all.mutex);
    return all.launch == launch && all.fenced_domains.contains(race_domain);
}

}  // namespace emulation
