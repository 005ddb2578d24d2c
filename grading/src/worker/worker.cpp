#include "worker/worker.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "common/error.hpp"
#include "sandbox/filter.hpp"

namespace grading {
namespace {

void send(Status status, const std::string& text = "") {
    Reply reply;
    reply.status = status;
    std::copy_n(text.begin(), std::min(text.size(), reply.text.size() - 1), reply.text.begin());
    ::send(channel_descriptor, &reply, sizeof reply, MSG_NOSIGNAL);
}

std::byte* shared_memory() {
    void* memory =
        mmap(nullptr, memory_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory_descriptor, 0);
    if (memory == MAP_FAILED) fail("the shared memory");
    close(memory_descriptor);
    return static_cast<std::byte*>(memory);
}

/// Addresses for this number of bytes beside those that are reserved already. The emulated GPU
/// reserves more than a machine has, so the limit cannot be set before.
void limit_memory(std::size_t bytes) {
    std::size_t pages = 0;
    FILE* file = std::fopen("/proc/self/statm", "r");
    const bool known = file != nullptr && std::fscanf(file, "%zu", &pages) == 1;
    if (file != nullptr) std::fclose(file);
    if (!known) return;  // the judge limits what is in memory as well
    const rlim_t limit = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + bytes;
    const rlimit both{limit, limit};
    setrlimit(RLIMIT_AS, &both);
}

void answer(const Call& call, std::byte* memory, common::Scratch& scratch,
            const std::function<void(const Place&)>& function) {
    try {
        function({call, memory, scratch});
        send(Status::done);
    } catch (const common::NotDoneYet& error) {
        send(Status::not_done, error.what());
    } catch (const common::Unsupported& error) {
        send(Status::refused, error.what());
    } catch (const std::exception& error) {
        send(Status::failed, error.what());
    } catch (...) {
        send(Status::failed, "throws something that is no exception of the standard library");
    }
}

}  // namespace

int work(int count, char** arguments, const std::function<bool()>& loaded,
         const std::function<void(const Place&)>& function) {
    if (count != 4) return 2;
    const char* const file = arguments[1];
    std::byte* const memory = shared_memory();
    if (std::string(arguments[3]) == "device") wait_for_device();  // reserves the GPU's addresses
    limit_memory(std::size_t{4} << 30);
    send(Status::started);
    apply_worker_filter(channel_descriptor);

    // From here on the student's code runs.
    if (dlopen(file, RTLD_NOW | RTLD_LOCAL) == nullptr) {
        send(Status::failed, dlerror());
        return 1;
    }
    if (!loaded()) {
        send(Status::failed, "the file registers no variant");
        return 1;
    }
    send(Status::loaded);
    common::Scratch scratch;
    Call call;
    while (recv(channel_descriptor, &call, sizeof call, 0) == sizeof call) {
        answer(call, memory, scratch, function);
    }
    _exit(0);
}

}  // namespace grading
