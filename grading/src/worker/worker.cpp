#include "worker/worker.hpp"

#include <cuda_runtime.h>
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <optional>

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

/// Waits for an order of the judge. Returns false at the end. `descriptor` is that of GPU memory,
/// or -1.
bool receive(Order& order, int& descriptor) {
    iovec place{&order, sizeof order};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr message{};
    message.msg_iov = &place;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    descriptor = -1;
    if (recvmsg(channel_descriptor, &message, MSG_CMSG_CLOEXEC) != sizeof order) return false;
    const cmsghdr* const header = CMSG_FIRSTHDR(&message);
    if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
        std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    }
    return true;
}

using Function = std::function<void(const Place&)>;

/// Carries an order out.
class Work {
  public:
    Work(std::byte* memory, const Function& function) : host_(memory), function_(function) {}

    /// Replies while GPU memory is still mapped: unmapping it is not the variant's work.
    void answer(const Order& order, int descriptor) {
        std::optional<JudgesMemory> gpu;
        try {
            if (order.gpu_bytes > 0) gpu.emplace(descriptor, order.gpu_bytes);
            std::byte* const images = gpu ? gpu->data() : host_;
            const auto* const calls = reinterpret_cast<const Call*>(host_);
            const auto call_all = [&] {
                for (std::uint32_t i = 0; i < order.calls; ++i) {
                    function_({calls[i], images, scratch_, gpu.has_value()});
                }
            };
            if (order.counted != 0) {
                const Counts counts = counted(call_all);
                std::memcpy(host_, &counts, sizeof counts);
            } else {
                call_all();
            }
            if (gpu) wait_for_device();
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
        if (gpu) cudaDeviceSynchronize();  // after an exception, a kernel may still run
    }

  private:
    std::byte* host_;
    const Function& function_;
    common::Scratch scratch_;
};

/// "" if memory that the judge sends can be mapped here, otherwise the reason.
std::string try_to_share() {
    Order order;
    int descriptor = -1;
    if (!receive(order, descriptor) || descriptor < 0) return "the judge shares none";
    try {
        const JudgesMemory memory(descriptor, order.gpu_bytes);
        return "";
    } catch (const common::Error& error) {
        return error.what();
    }
}

}  // namespace

int work(int count, char** arguments, const std::function<bool()>& loaded,
         const std::function<void(const Place&)>& function) {
    if (count != 4) return 2;
    const char* const file = arguments[1];
    const std::string where = arguments[3];  // "host", "emulated" or "gpu"
    const bool on_gpu = where == "gpu";
    std::byte* const memory = shared_memory();
    if (where != "host") wait_for_device();  // reserves the GPU's addresses
    const std::string why_copies = on_gpu ? try_to_share() : "";
    if (!on_gpu) limit_memory(std::size_t{4} << 30);  // the driver reserves addresses later too
    send(Status::started, why_copies);
    apply_worker_filter(channel_descriptor, on_gpu);
    // If the driver needs a system call that the filter refuses, this ends the probe, so that
    // kernels are emulated, and no student's variant is wrong for it.
    if (on_gpu) wait_for_device();

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
    Work work(memory, function);
    Order order;
    int descriptor = -1;
    while (receive(order, descriptor)) work.answer(order, descriptor);
    _exit(0);
}

}  // namespace grading
