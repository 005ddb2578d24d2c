#include "judge/worker_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <optional>
#include <thread>
#include <utility>

#include "common/error.hpp"
#include "judge/threads.hpp"

namespace grading {
namespace {

constexpr std::size_t most_memory = std::size_t{4} << 30;
/// A call that takes longer goes on like other programs do, and so do all later ones of its worker.
constexpr auto preferred_time = std::chrono::milliseconds(500);
constexpr std::size_t usual_gpu_memory = 64 << 20;
constexpr std::size_t bytes_for_calls = most_calls * sizeof(Call) / 4096 * 4096 + 4096;
static_assert(sizeof(Counts) <= bytes_for_calls, "a worker writes its counts there");

[[noreturn]] void throw_too_much_memory() {
    throw WorkerFailed(Outcome::crash, "it used more than 4 GB of memory");
}

std::pair<Descriptor, Descriptor> socket_pair() {
    std::array<int, 2> ends{};
    checked(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), "socketpair");
    const int on = 1;
    checked(setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on), "setsockopt");
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace

Call call_of(const SharedImage& in, const SharedImage& out, std::span<const std::byte> options) {
    Call call{.in = in.plane(),
              .out = out.plane(),
              .option_bytes = static_cast<std::uint32_t>(options.size())};
    std::copy(options.begin(), options.end(), call.options.begin());
    return call;
}

void require_untouched(const SharedImage& in, const SharedImage& out) {
    if (!in.guards_are_intact()) {
        throw WorkerFailed(Outcome::wrong, "it writes outside its input");
    }
    if (!in.image_is_unchanged()) throw WorkerFailed(Outcome::wrong, "it changes its input");
    if (!out.guards_are_intact()) {
        throw WorkerFailed(Outcome::wrong, "it writes outside the output");
    }
}

std::string to_string(Outcome outcome) {
    constexpr std::array names{
        "right",        "wrong",   "crash",      "timeout", "does not compile",
        "not done yet", "refused", "implausible"};
    return names.at(static_cast<std::size_t>(outcome));
}

std::string kind_of(const WorkerFiles& files) {
    if (!files.on_device) return "host";
    return files.gpu ? "gpu" : "emulated";
}

/// Memory that workers can map, or nullptr.
std::unique_ptr<GpuMemory> memory_to_share(const WorkerFiles& files) {
    if (!files.gpu || !files.gpu->share) return nullptr;
    try {
        return allocate_on_gpu(usual_gpu_memory);
    } catch (const common::Failed&) {
        return nullptr;
    }
}

/// A worker that has taken all memory leaves none for its images.
std::unique_ptr<GpuMemory> memory_on_gpu(std::size_t bytes) {
    try {
        return allocate_on_gpu(bytes);
    } catch (const common::Failed& failed) {
        throw WorkerFailed(Outcome::crash, failed.what());
    }
}

/// Throws unless the worker says that the work is done.
void require_done(const Reply& reply) {
    const std::string text = printable(reply.text.data());
    switch (reply.status) {
        case Status::done:
            return;
        case Status::refused:
            throw WorkerFailed(Outcome::refused, text);
        case Status::not_done:
            throw WorkerFailed(Outcome::not_done, text);
        default:
            throw WorkerFailed(Outcome::wrong, text);
    }
}

/// The host memory that is shared. A worker cannot change its size, which would end the judge.
struct WorkerProcess::Mapping {
    Descriptor file;
    std::span<std::byte> bytes;

    Mapping() : file(checked(memfd_create("images", MFD_CLOEXEC | MFD_ALLOW_SEALING), "memfd")) {
        checked(ftruncate(file.get(), memory_bytes), "ftruncate");
        checked(fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL), "seals");
        void* at = mmap(nullptr, memory_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
        if (at == MAP_FAILED) fail("mmap");
        bytes = {static_cast<std::byte*>(at), memory_bytes};
    }
    ~Mapping() { munmap(bytes.data(), bytes.size()); }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
};

WorkerProcess::WorkerProcess(const Sandbox& sandbox, const WorkerFiles& files, int cores,
                             Clock::time_point deadline)
    : memory_(std::make_unique<Mapping>()),
      gpu_(memory_to_share(files)),
      is_preferred_(cores > 0),
      judge_waited_ms_(Waited::of(getpid()).most_ms) {
    auto [mine, its] = socket_pair();
    channel_ = std::move(mine);
    std::vector<std::filesystem::path> readable = files.libraries;
    readable.push_back(files.module);
    if (files.gpu) send_order({}, gpu_.get());
    process_ = sandbox.start(
        {.arguments = {files.program, files.module, files.name, kind_of(files)},
         .folder = files.module.parent_path(),
         .readable = readable,
         .devices = files.gpu ? files.gpu->devices : std::vector<std::filesystem::path>{},
         .library_path = files.gpu ? files.gpu->library_path : "",
         .descriptors = {its.get(), memory_->file.get()},
         .limits = {.memory_bytes = most_memory, .file_bytes = 1, .processes = 64 + 3},
         .cores = cores});
    its.reset();
    wait_until_loaded(deadline);
}

/// The first message comes from our own code, so the process number in it is right; the kernel adds
/// it.
void WorkerProcess::wait_until_loaded(Clock::time_point deadline) {
    const Reply started = wait_for_reply(deadline);
    if (started.status != Status::started || id_ <= 0) {
        throw common::Failed("the worker does not start: " + printable(text()));
    }
    if (started.text.front() != 0) gpu_.reset();
    const Reply loaded = wait_for_reply(deadline);
    stop();
    if (loaded.status == Status::loaded) return;
    process_->read_output();
    throw WorkerFailed(Outcome::does_not_compile, printable(loaded.text.data()) + printed());
}

WorkerProcess::~WorkerProcess() = default;

Reply WorkerProcess::receive() {
    Reply reply;
    iovec place{&reply, sizeof reply};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ucred))> control{};
    msghdr message{};
    message.msg_iov = &place;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t bytes = recvmsg(channel_.get(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (bytes <= 0) has_ended();
    reply.text.back() = 0;
    const cmsghdr* header = CMSG_FIRSTHDR(&message);
    if (id_ == 0 && header != nullptr && header->cmsg_type == SCM_CREDENTIALS) {
        ucred sender{};
        std::copy_n(CMSG_DATA(header), sizeof sender, reinterpret_cast<unsigned char*>(&sender));
        id_ = sender.pid;
    }
    return reply;
}

std::string WorkerProcess::printed() const {
    const std::string said = printable(text(), 1000);
    return said.empty() ? "" : "; it printed: " + said;
}

void WorkerProcess::has_ended() {
    process_->wait(Clock::now() + std::chrono::seconds(2));
    if (process_->ran_out_of_memory()) throw_too_much_memory();
    throw WorkerFailed(Outcome::crash,
                       "the process ended: " + describe_status(process_->status()) + printed());
}

/// For machines without control groups.
void WorkerProcess::require_little_memory() const {
    std::ifstream file("/proc/" + std::to_string(id_) + "/statm");
    std::size_t addresses = 0;
    std::size_t pages = 0;
    if (file >> addresses >> pages && pages * 4096 > most_memory) {
        throw_too_much_memory();
    }
}

/// Other work on the machine is not the student's fault. Own threads that wait for each other look
/// the same, so there is an end.
Clock::duration WorkerProcess::disturbance(Clock::time_point deadline) const {
    const double waited_ms =
        Waited::of(id_).most_ms + Waited::of(getpid()).most_ms - judge_waited_ms_;
    const auto waited = std::chrono::milliseconds(static_cast<std::int64_t>(waited_ms));
    return std::min<Clock::duration>(waited, 3 * (deadline - start_));
}

Reply WorkerProcess::wait_for_reply(Clock::time_point deadline) {
    bool has_output = true;
    while (true) {
        std::array<pollfd, 2> waiting{pollfd{channel_.get(), POLLIN, 0},
                                      pollfd{has_output ? process_->output() : -1, POLLIN, 0}};
        poll(waiting.data(), waiting.size(), 20);
        if (waiting[0].revents != 0) return receive();
        if (waiting[1].revents != 0) has_output = process_->read_output();
        if (id_ > 0) require_little_memory();
        limit_preference();
        if (Clock::now() > deadline && Clock::now() > deadline + disturbance(deadline)) {
            throw WorkerFailed(Outcome::timeout, "it did not answer in time and was killed");
        }
    }
}

/// Real-time threads that do not end would keep a core from all other programs. While they are
/// stopped, none of them can start another one.
void WorkerProcess::limit_preference() {
    if (!preferred_until_ || Clock::now() < *preferred_until_) return;
    stop();
    prefer_no_more(id_);
    preferred_until_.reset();
    is_preferred_ = false;
    kill(id_, SIGCONT);
}

void WorkerProcess::stop() const {
    kill(id_, SIGSTOP);
    const auto deadline = Clock::now() + std::chrono::seconds(10);
    while (!all_threads_are_stopped(id_)) {
        if (Clock::now() > deadline) {
            throw WorkerFailed(Outcome::timeout, "its threads do not stop");
        }
        // A thread has to run to stop, perhaps on this core.
        std::this_thread::sleep_for(std::chrono::microseconds(10));
    }
}

/// The calls go to the beginning of the host memory.
void WorkerProcess::send_order(std::span<const Call> calls, const GpuMemory* memory, bool counted) {
    if (calls.size() > most_calls) throw common::Failed("more calls than fit into an order");
    std::ranges::copy(std::as_bytes(calls), memory_->bytes.begin());
    Order order{.calls = static_cast<std::uint32_t>(calls.size()), .counted = counted};
    iovec place{&order, sizeof order};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr message{};
    message.msg_iov = &place;
    message.msg_iovlen = 1;
    if (memory != nullptr) {
        order.gpu_bytes = memory->size();
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        cmsghdr* const header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        const int descriptor = memory->descriptor();
        std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    const ssize_t sent = sendmsg(channel_.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EAGAIN) {  // it has answered without reading what was asked
        throw WorkerFailed(Outcome::crash, "it does not read its commands");
    }
    if (sent != sizeof order) has_ended();
}

/// Lets the worker run until its reply, and then until `at_reply` returns.
WorkerProcess::Answer WorkerProcess::released(Clock::time_point deadline,
                                              const std::function<void()>& at_reply) {
    const double cpu_before = cpu_ms_of(id_);
    std::optional<RealTime> first_of_all;
    if (is_preferred_) {
        first_of_all.emplace();
        prefer(id_);
        preferred_until_ = Clock::now() + preferred_time;
    }
    // The judge's own threads count too: if it waits for a core, it sees the reply late.
    const auto waited_ms = [this] {
        return Waited::of(id_).sum_ms + Waited::of(getpid()).sum_ms + stolen_ms();
    };
    const double waited_before = waited_ms();
    const auto start = Clock::now();
    kill(id_, SIGCONT);
    const Reply reply = wait_for_reply(deadline);
    at_reply();
    const std::chrono::duration<double, std::milli> time = Clock::now() - start;
    stop();
    preferred_until_.reset();
    return {{time.count(), cpu_ms_of(id_) - cpu_before, waited_ms() - waited_before}, reply};
}

/// Memory for the images of a call. That of the GPU grows as needed.
std::span<std::byte> WorkerProcess::memory_for(const Image& in, const Image& out) {
    if (!gpu_) return memory_->bytes;
    const std::size_t bytes = SharedImage::bytes_of(in) + SharedImage::bytes_of(out);
    if (gpu_->size() < bytes) {
        gpu_.reset();
        gpu_ = memory_on_gpu(bytes);
    }
    return gpu_->host();
}

CallTime WorkerProcess::call(const Image& in, const Image& out, std::span<const std::byte> options,
                             Clock::time_point deadline, Counts* counts) {
    const std::span<std::byte> memory = memory_for(in, out);
    std::size_t bytes = gpu_ ? 0 : bytes_for_calls;
    SharedImage input(memory, bytes, in);
    SharedImage output(memory, bytes, out);
    input.write();
    output.write();
    if (gpu_) gpu_->upload(bytes);
    const Call call = call_of(input, output, options);
    send_order({&call, 1}, gpu_.get(), counts != nullptr);
    const Answer answer = released(deadline, [&] { stop(); });
    if (gpu_) gpu_->download(bytes);

    require_untouched(input, output);
    require_done(answer.reply);
    output.read();
    if (counts != nullptr) std::memcpy(counts, memory_->bytes.data(), sizeof *counts);
    return answer.time;
}

CallTime WorkerProcess::run_batch(std::span<const Call> calls, GpuMemory& memory,
                                  const std::function<void()>& at_reply,
                                  Clock::time_point deadline) {
    send_order(calls, &memory);
    const Answer answer = released(deadline, at_reply);
    require_done(answer.reply);
    return answer.time;
}

}  // namespace grading
