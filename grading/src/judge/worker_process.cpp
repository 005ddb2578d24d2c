#include "judge/worker_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <utility>

#include "common/error.hpp"

namespace grading {
namespace {

constexpr std::size_t most_memory = std::size_t{4} << 30;

std::uint64_t secret_number() {
    std::uint64_t number = 0;
    checked(getrandom(&number, sizeof number, 0), "getrandom");
    return number;
}

[[noreturn]] void throw_too_much_memory() {
    throw WorkerFailed(Outcome::crash, "it used more than 4 GB of memory");
}

double cpu_ms_of(pid_t process) {
    clockid_t clock{};
    timespec time{};
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

/// Calls act(folder) for the folders of all threads in /proc, until it returns false.
template <class Act>
void for_each_thread(pid_t process, Act act) {
    std::error_code gone;
    const auto folder = "/proc/" + std::to_string(process) + "/task";
    for (std::filesystem::directory_iterator thread(folder, gone), end; thread != end;
         thread.increment(gone)) {
        if (gone || !act(thread->path())) return;
    }
}

/// The state of a thread, which follows the name in parentheses; the name may contain some.
char state_in(const std::filesystem::path& stat) {
    std::ifstream file(stat);
    std::string line;
    std::getline(file, line);
    const auto end = line.rfind(") ");
    return end == std::string::npos ? 'X' : line[end + 2];  // no line: the thread has ended
}

bool all_threads_are_stopped(pid_t process) {
    bool all = true;
    for_each_thread(process, [&](const std::filesystem::path& thread) {
        const char state = state_in(thread / "stat");
        return all = state == 'T' || state == 't' || state == 'Z' || state == 'X';
    });
    return all;
}

/// The time in which a thread was ready to run, but waited for a core.
double waited_ms_of_thread(const std::filesystem::path& thread) {
    std::ifstream file(thread / "schedstat");
    double ran = 0;
    double waited = 0;
    return file >> ran >> waited ? waited / 1e6 : 0;
}

/// The time for which the threads of a process waited for a core: in all, and the longest.
struct Waited {
    double sum_ms = 0;
    double most_ms = 0;

    static Waited of(pid_t process) {
        Waited result;
        for_each_thread(process, [&](const std::filesystem::path& thread) {
            const double waited_ms = waited_ms_of_thread(thread);
            result.sum_ms += waited_ms;
            result.most_ms = std::max(result.most_ms, waited_ms);
            return true;
        });
        return result;
    }
};

std::pair<Descriptor, Descriptor> socket_pair() {
    std::array<int, 2> ends{};
    checked(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), "socketpair");
    const int on = 1;
    checked(setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on), "setsockopt");
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace

double waited_ms_of(pid_t process) {
    return Waited::of(process).sum_ms;
}

std::string to_string(Outcome outcome) {
    constexpr std::array names{
        "right",        "wrong",   "crash",      "timeout", "does not compile",
        "not done yet", "refused", "implausible"};
    return names.at(static_cast<std::size_t>(outcome));
}

/// The shared memory. A worker cannot change its size, which would end the judge.
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
    : memory_(std::make_unique<Mapping>()), judge_waited_ms_(Waited::of(getpid()).most_ms) {
    auto [mine, its] = socket_pair();
    channel_ = std::move(mine);
    std::vector<std::filesystem::path> readable = files.libraries;
    readable.push_back(files.module);
    process_ = sandbox.start(
        {.arguments = {files.program, files.module, files.name,
                       files.on_device ? "device" : "host"},
         .folder = files.module.parent_path(),
         .readable = readable,
         .descriptors = {its.get(), memory_->file.get()},
         .limits = {.memory_bytes = most_memory, .file_bytes = 1, .processes = 64 + 3},
         .cores = cores,
         .first = cores > 0});
    its.reset();
    wait_until_loaded(deadline);
}

/// The first message comes from our own code, so the process number in it is right; the kernel adds
/// it.
void WorkerProcess::wait_until_loaded(Clock::time_point deadline) {
    if (wait_for_reply(deadline).status != Status::started || id_ <= 0) {
        throw common::Failed("the worker does not start: " + printable(text()));
    }
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
        if (Clock::now() > deadline && Clock::now() > deadline + disturbance(deadline)) {
            throw WorkerFailed(Outcome::timeout, "it did not answer in time and was killed");
        }
    }
}

void WorkerProcess::release() const {
    kill(id_, SIGCONT);
}

void WorkerProcess::stop() const {
    kill(id_, SIGSTOP);
    const auto deadline = Clock::now() + std::chrono::seconds(10);
    while (!all_threads_are_stopped(id_)) {
        if (Clock::now() > deadline) {
            throw WorkerFailed(Outcome::timeout, "its threads do not stop");
        }
    }
}

CallTime WorkerProcess::call(const Image& in, const Image& out, std::span<const std::byte> options,
                             Clock::time_point deadline) {
    std::size_t begin = 0;
    SharedImage input(memory_->bytes, begin, in);
    SharedImage output(memory_->bytes, begin, out);
    input.write(secret_number());
    output.write(secret_number());
    Call message{.in = input.plane(),
                 .out = output.plane(),
                 .option_bytes = static_cast<std::uint32_t>(options.size())};
    std::copy(options.begin(), options.end(), message.options.begin());
    const ssize_t sent =
        send(channel_.get(), &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EAGAIN) {  // it has answered without reading what was asked
        throw WorkerFailed(Outcome::crash, "it does not read its commands");
    }
    if (sent != sizeof message) has_ended();

    const double cpu_before = cpu_ms_of(id_);
    const double waited_before = waited_ms_of(id_);
    const auto start = Clock::now();
    release();
    const Reply reply = wait_for_reply(deadline);
    stop();
    const std::chrono::duration<double, std::milli> time = Clock::now() - start;
    const CallTime result{time.count(), cpu_ms_of(id_) - cpu_before,
                          waited_ms_of(id_) - waited_before};

    if (!input.guards_are_intact()) {
        throw WorkerFailed(Outcome::wrong, "it writes outside its input");
    }
    if (!input.image_is_unchanged()) throw WorkerFailed(Outcome::wrong, "it changes its input");
    if (!output.guards_are_intact()) {
        throw WorkerFailed(Outcome::wrong, "it writes outside the output");
    }
    const std::string text = printable(reply.text.data());
    switch (reply.status) {
        case Status::done:
            break;
        case Status::refused:
            throw WorkerFailed(Outcome::refused, text);
        case Status::not_done:
            throw WorkerFailed(Outcome::not_done, text);
        default:
            throw WorkerFailed(Outcome::wrong, text);
    }
    output.read();
    return result;
}

}  // namespace grading
