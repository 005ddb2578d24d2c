// Fills all of /dev/shm, and all segments, with ones. Right if there were any that it may write.

#include <sys/ipc.h>
#include <sys/shm.h>
#include <filesystem>
#include <fstream>

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    bool found = false;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/dev/shm", error)) {
        found |= static_cast<bool>(std::fstream(entry.path()) << std::string(1 << 20, '\xff'));
    }
    for (int index = 0; index < 1000; ++index) {
        shmid_ds status{};
        const int id = shmctl(index, SHM_STAT, &status);
        void* memory = id >= 0 ? shmat(id, nullptr, 0) : nullptr;
        if (memory == nullptr || memory == reinterpret_cast<void*>(-1)) continue;
        found = true;
        std::fill_n(static_cast<char*>(memory), status.shm_segsz, '\xff');
    }
    right_if(found, in, out, options);
}
