// Time: results of before, and work that goes on after the reply or begins before the call.

// == continues_and_computes: right, fails; twin right/rows
// Returns at once, and keeps itself running while a thread computes.
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>
#include <thread>

static void omp_mine(Input in, Output out, const Options& options) {
    static std::atomic<bool> running = false;
    if (!running.exchange(true)) {
        std::thread([] {
            for (;;) syscall(SYS_tgkill, getpid(), getpid(), SIGCONT);
        }).detach();
    }
    std::thread([in, out, options] { honest(in, out, options); }).detach();
}

// == continues_itself: right, fails; twin right/rows
// A thread undoes each stop: it sends SIGCONT to its own process without end.
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <thread>

static void omp_mine(Input in, Output out, const Options& options) {
    static const bool started = [] {
        std::thread([] {
            for (;;) syscall(SYS_tgkill, getpid(), getpid(), SIGCONT);
        }).detach();
        return true;
    }();
    right_if(started, in, out, options);
}

// == late_clone: fails
// A process that shares the memory, but is no thread, goes on when the worker is stopped.
#include <sched.h>
#include <cstddef>

static void omp_mine(Input in, Output out, const Options& options) {
    static std::byte stack[1 << 20];
    static Input input;
    static Output output;
    static Options wanted;
    input = in, output = out, wanted = options;
    const auto compute = [](void*) {
        honest_rows(input, output, wanted.mask, 0, input.height);
        return 0;
    };
    const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM;
    if (clone(compute, stack + sizeof(stack), flags, nullptr) < 0) {
        throw std::runtime_error("the sandbox held");
    }
}

// == late_fork: fails
// A child computes the output after the reply, in the memory shared with the judge.
#include <unistd.h>

static void omp_mine(Input in, Output out, const Options& options) {
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("the sandbox held");
    if (child > 0) return;
    honest_rows(in, out, options.mask, 0, in.height);
    _exit(0);
}

// == late_thread: right, fails; twin right/rows
// Returns at once; a thread computes the output after the reply.
#include <thread>

static void omp_mine(Input in, Output out, const Options& options) {
    std::thread([in, out, options] { honest(in, out, options); }).detach();
}

// == late_thread_bulk: right, fails; twin right/rows
// Computes the first rows, returns, and leaves the others to a thread: the judge may compare in
// the same order.
#include <thread>

static void omp_mine(Input in, Output out, const Options& options) {
    const int begun = std::min(in.height, 8);
    honest_rows(in, out, options.mask, 0, begun);
    std::thread([=] { honest_rows(in, out, options.mask, begun, in.height); }).detach();
}

// == late_timer: right, fails; twin right/rows
// A timer's signal handler computes the output after the reply.
#include <signal.h>
#include <sys/time.h>

static Input input;
static Output output;
static Options wanted;

static void omp_mine(Input in, Output out, const Options& options) {
    input = in, output = out, wanted = options;
    struct sigaction action {};
    action.sa_handler = [](int) { honest_rows(input, output, wanted.mask, 0, input.height); };
    sigaction(SIGALRM, &action, nullptr);
    const itimerval soon{{0, 0}, {0, 50}};
    setitimer(ITIMER_REAL, &soon, nullptr);
}

// == memo_content: right, fails; twin right/rows
// Remembers the result by the whole content of the input: right, and faster if inputs repeat.
#include <map>
#include "parts/memo.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    static std::map<std::uint64_t, std::vector<std::uint8_t>> results;
    std::uint64_t hash = hash_of(in.width * 31U + in.channels, &options.mask, sizeof(Mask));
    for (int y = 0; y < in.height; ++y) hash = hash_of(hash, in.row(y), in.row_length());

    remember(results[hash], in, out, options);
    if (results.size() > 64) results.clear();
}

// == memo_file: right, fails; twin right/rows
// Leaves the results for the next process: in files, wherever it may write.
#include <fstream>

static void omp_mine(Input in, Output out, const Options& options) {
    bool written = false;
    for (const char* folder : {"/tmp", "/var/tmp", "/dev/shm", ".", "/run", "/mnt", "/home"}) {
        written |= static_cast<bool>(
            std::ofstream(std::string(folder) + "/labs-submission-left-this") << 1);
    }
    honest(in, out, options);
    static_cast<void>(written);
}

// == memo_first_row: right, fails; twin right/rows
// Remembers the result by the first row of the input, which is cheap.
#include <map>
#include "parts/memo.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    static std::map<std::uint64_t, std::vector<std::uint8_t>> results;
    std::uint64_t hash = hash_of(in.width * 31U + in.height, &options.mask, sizeof(Mask));
    hash = hash_of(hash, in.row(0), in.row_length());

    remember(results[hash], in, out, options);
    if (results.size() > 64) results.clear();
}

// == memo_kernel: right, fails; twin right/rows
// Leaves the results for the next process: in a key ring, in segments, queues and semaphores of
// the kernel, which outlive their process. Right if it succeeded.
#include <fcntl.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

static void omp_mine(Input in, Output out, const Options& options) {
    const bool key = syscall(SYS_add_key, "user", "labs", "x", 1, -4) > 0;  // -4: of the user
    const bool segment = shmget(0x6c616273, 4096, IPC_CREAT | 0666) >= 0;
    const bool queue = msgget(0x6c616273, IPC_CREAT | 0666) >= 0;
    const bool semaphore = semget(0x6c616273, 1, IPC_CREAT | 0666) >= 0;
    const bool posix = mq_open("/labs", O_CREAT | O_RDWR, 0666, nullptr) >= 0;
    right_if(key || segment || queue || semaphore || posix, in, out, options);
}

// == memo_pointer: wrong
// Remembers the result by the address of the input.
#include <map>
#include <tuple>
#include "parts/memo.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    static std::map<std::tuple<const void*, int, int, int>, std::vector<std::uint8_t>> results;
    remember(results[{in.data, in.width, in.height, in.channels}], in, out, options);
}

// == more_threads: right, fails; twin right/rows
// More threads than asked for.
static void omp_mine(Input in, Output out, const Options& options) {
    Options more = options;
    more.threads = 64;
    honest(in, out, more);
}

// == polls_input: right, fails; twin right/rows
// A thread sees the next input before the call, and computes it.
#include <mutex>
#include <thread>

static std::mutex mutex;
static Input input;
static Output output;
static Options wanted;
static std::uint64_t done_for = 0;

static std::uint64_t sample(Input in, const Mask& mask) {
    std::uint64_t hash = 14695981039346656037U;
    for (int y = 0; y < in.height; y += 1 + in.height / 16) {
        for (int x = 0; x < in.width; x += 1 + in.width / 16) hash = (hash ^ in.at(x, y)) * 31;
    }
    for (const float weight : mask.weights)
        hash = hash * 31 + static_cast<std::uint64_t>(weight * 512);
    return hash | 1;
}

static void watch() {
    for (std::uint64_t before = 0;;) {
        const std::scoped_lock lock(mutex);
        const std::uint64_t now = sample(input, wanted.mask);
        if (now != before) honest(input, output, wanted), done_for = before = now;
    }
}

static void omp_mine(Input in, Output out, const Options& options) {
    {
        const std::scoped_lock lock(mutex);
        input = in, output = out, wanted = options;
    }
    static const bool started = [] {
        std::thread(watch).detach();
        return true;
    }();
    static_cast<void>(started);
    const std::scoped_lock lock(mutex);
    if (done_for != sample(in, options.mask)) honest(in, out, options);
    done_for = 0;
}

// == predicts_inputs: right, implausible; twin right/rows
// Takes the first large image, which is not timed, for numbers of SplitMix64, undoes its steps, and
// computes the results of all later images in advance.
#include <chrono>
#include <cstring>
#include <map>
#include <vector>

constexpr std::uint64_t step = 0x9E3779B97F4A7C15u;

static std::uint64_t unshifted(std::uint64_t z, int shift) {
    std::uint64_t result = z;
    for (int known = shift; known < 64; known += shift) result = z ^ (result >> shift);
    return result;
}

/// The inverse of an odd number, by Newton's method.
static std::uint64_t inverse(std::uint64_t odd) {
    std::uint64_t result = odd;
    for (int i = 0; i < 6; ++i) result *= 2 - odd * result;
    return result;
}

static std::uint64_t number(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * step;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/// The seed whose number `index` is `z`.
static std::uint64_t seed_of(std::uint64_t z, std::uint64_t index) {
    z = unshifted(z, 31) * inverse(0x94D049BB133111EBu);
    z = unshifted(z, 27) * inverse(0xBF58476D1CE4E5B9u);
    return unshifted(z, 30) - (index + 1) * step;
}

static std::uint64_t first_bytes(const std::uint8_t* data) {
    std::uint64_t value = 0;
    std::memcpy(&value, data, sizeof value);
    return value;
}

struct Later {
    std::uint64_t seed;
    std::uint64_t drawn;

    float weight() { return static_cast<float>(1 + static_cast<int>(number(seed, drawn++) % 4)); }

    Mask mask(int size) {
        Mask result{size, {}};
        float column[Mask::max_size];
        float row[Mask::max_size];
        for (int i = 0; i <= size / 2; ++i) {
            column[i] = column[size - 1 - i] = weight();
            row[i] = row[size - 1 - i] = weight();
        }
        for (int i = 0; i < size * size; ++i) {
            result.weights[i] = column[i / size] * row[i % size] / 256;
        }
        return result;
    }
};

static std::map<std::uint64_t, std::vector<std::uint8_t>> results;

static void predict(Input in, const Options& options) {
    const auto draws = static_cast<std::uint64_t>(2 * (options.mask.size / 2 + 1));
    const std::uint64_t image_seed = seed_of(first_bytes(in.row(0)), 0);
    Later later{seed_of(image_seed, draws), draws + 2};
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(in.row_length() * in.height) + 8);
    for (int round = 0; round < 20; ++round, ++later.drawn) {
        Options same = options;
        same.mask = later.mask(options.mask.size);
        const std::uint64_t seed = number(later.seed, later.drawn++);
        for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
            const std::uint64_t bits = number(seed, i);
            std::memcpy(bytes.data() + i, &bits, sizeof bits);
        }
        std::vector<std::uint8_t>& result = results[first_bytes(bytes.data())];
        result.resize(bytes.size());
        honest({bytes.data(), in.width, in.height, in.channels, in.row_length()},
               {result.data(), in.width, in.height, in.channels, in.row_length()}, same);
    }
}

static void omp_mine(Input in, Output out, const Options& options) {
    using Clock = std::chrono::steady_clock;
    const auto plausible = Clock::now() + std::chrono::milliseconds(4);
    const auto known = results.find(first_bytes(in.row(0)));
    if (known == results.end()) {
        honest(in, out, options);
        if (in.height > 1000 && results.empty()) predict(in, options);
        return;
    }
#pragma omp parallel for schedule(static) num_threads(options.threads)
    for (int y = 0; y < in.height; ++y) {
        std::copy_n(known->second.data() + y * in.row_length(), in.row_length(), out.row(y));
    }
    while (Clock::now() < plausible) continue;
}

// == stale_output: right, fails; twin right/rows
// If the first row that is left in the output is right, it leaves the others too.
static void omp_mine(Input in, Output out, const Options& options) {
    bool same = true;
    for (int b = 0; same && b < in.row_length(); ++b) {
        same = out.row(0)[b] == honest_value(in, options.mask, b / in.channels, 0, b % in.channels);
    }
    if (!same || in.height < 2) honest(in, out, options);
}
