// Calls a variant with an output of which each row begins a page. Pages can be read, but a write
// raises a signal, whose handler notes the thread and opens the page until the thread writes to
// another one. Then the values that have become right are those of the threads that had asked for
// the page: who clears the output, or writes it once more, gains nothing.

#include "races_share.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <vector>

#include "harness/testing_races.hpp"
#include "races_libgomp.hpp"

namespace races {
namespace {

using harness::CallWithOutput;
using harness::OutputSize;

constexpr std::size_t none = ~std::size_t{0};
constexpr unsigned most_threads = 64;
constexpr int most_signals = 5'000;  // of 0.1 ms each, under ThreadSanitizer
constexpr int most_calls = 3;        // a busy machine may have let one thread run alone
constexpr long wait_ns = 200'000;    // before a page is opened, so that others can ask for it, too

/// The memory of the output, as the handler of the signal sees it.
class Watch {
  public:
    Watch(const OutputSize& output, const std::vector<std::byte>& expected)
        : expected_(expected.data()), output_(output) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        pages_of_row_ = (output.row_bytes + page - 1) / page;
        page_ = page;
        bytes_ = output.rows * pitch();
        pages_.resize(output.rows * pages_of_row_);
        is_right_.resize(output.rows * output.row_bytes / output.value_bytes);
        void* const memory =
            mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memory_ = memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
    }
    ~Watch() {
        if (memory_ != nullptr) munmap(memory_, bytes_);
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    std::byte* memory() const { return memory_; }
    std::size_t pitch() const { return pages_of_row_ * page_; }

    /// No value is right at the beginning.
    void begin() {
        for (std::size_t y = 0; y < output_.rows; ++y) {
            for (std::size_t i = 0; i < output_.row_bytes; ++i) {
                memory_[y * pitch() + i] = ~expected_[y * output_.row_bytes + i];
            }
        }
        mprotect(memory_, bytes_, PROT_READ);
    }

    void end() {
        for (Writer& writer : writers_) close(writer);
        mprotect(memory_, bytes_, PROT_READ | PROT_WRITE);
    }

    /// False if the address is not of the output.
    bool opens(const void* address) {
        const auto offset =
            reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(memory_);
        if (offset >= bytes_) return false;
        const std::size_t number = offset / page_;
        lock();
        if (++signals_ > most_signals) {
            mprotect(memory_, bytes_, PROT_READ | PROT_WRITE);
        } else {
            open(number);
        }
        unlock();
        return true;
    }

    double largest_share() const {
        double most = 0;
        for (const Writer& writer : writers_) most = std::max(most, writer.values);
        return right() > 0 ? most / right() : 0;
    }

    /// Enough values to judge by are those of the first call.
    bool is_known() const {
        const auto values = static_cast<double>(is_right_.size());
        return signals_ > most_signals ? right() > 0 : right() > values / 2;
    }

  private:
    struct Page {
        std::uint64_t asked = 0;  ///< a bit for each thread, since the page was closed
        bool was_open = false;
    };
    struct Writer {
        long thread = 0;
        std::size_t page = none;  ///< that it writes to
        double values = 0;
    };

    const std::byte* expected_;
    OutputSize output_;
    std::size_t page_ = 0;
    std::size_t pages_of_row_ = 0;
    std::size_t bytes_ = 0;
    std::byte* memory_ = nullptr;
    std::vector<Page> pages_;
    std::vector<char> is_right_;
    std::array<Writer, most_threads> writers_{};
    std::atomic_flag busy_;
    int signals_ = 0;

    void lock() {
        while (busy_.test_and_set(std::memory_order_acquire)) syscall(SYS_sched_yield);
    }
    void unlock() { busy_.clear(std::memory_order_release); }

    double right() const {
        double sum = 0;
        for (const Writer& writer : writers_) sum += writer.values;
        return sum;
    }

    std::size_t number_of_thread() {
        const long thread = syscall(SYS_gettid);
        std::size_t i = 0;
        while (i + 1 < most_threads && writers_[i].thread != 0 && writers_[i].thread != thread) ++i;
        writers_[i].thread = thread;
        return i;
    }

    void open(std::size_t number) {
        const std::size_t self = number_of_thread();
        pages_[number].asked |= std::uint64_t{1} << self;
        if (!pages_[number].was_open) {
            unlock();
            const timespec time{0, wait_ns};
            syscall(SYS_nanosleep, &time, nullptr);
            lock();
            pages_[number].was_open = true;
            pages_[number].asked |= std::uint64_t{1} << self;  // another may have closed it
        }
        Writer& writer = writers_[self];
        if (writer.page != number) close(writer);
        writer.page = number;
        mprotect(memory_ + number * page_, page_, PROT_READ | PROT_WRITE);
    }

    void close(Writer& writer) {
        if (writer.page == none) return;
        Page& page = pages_[writer.page];
        mprotect(memory_ + writer.page * page_, page_, PROT_READ);
        const double values = new_right_values(writer.page);
        const int askers = std::popcount(page.asked);
        for (std::size_t i = 0; i < most_threads; ++i) {
            if ((page.asked >> i & 1) != 0) writers_[i].values += values / askers;
        }
        page.asked = 0;
        writer.page = none;
    }

    int new_right_values(std::size_t number) {
        const std::size_t y = number / pages_of_row_;
        const std::size_t begin = number % pages_of_row_ * page_;
        const std::size_t end = std::min(begin + page_, output_.row_bytes);
        int values = 0;
        for (std::size_t at = begin; at < end; at += output_.value_bytes) {
            const std::size_t of_output = y * output_.row_bytes + at;
            char& is_right = is_right_[of_output / output_.value_bytes];
            if (is_right != 0 || std::memcmp(memory_ + y * pitch() + at, expected_ + of_output,
                                             output_.value_bytes) != 0) {
                continue;
            }
            is_right = 1;
            ++values;
        }
        return values;
    }
};

Watch* current = nullptr;
double share = 0;
std::string unknown;

void on_signal(int, siginfo_t* info, void*) {
    if (!current->opens(info->si_addr)) std::signal(SIGSEGV, SIG_DFL);  // the variant's own fault
}

void call_watched(const OutputSize& output, const std::vector<std::byte>& expected,
                  const CallWithOutput& call) {
    Watch watch(output, expected);
    if (watch.memory() == nullptr) {
        unknown = "no memory for the output";
        return;
    }
    current = &watch;
    struct sigaction action {};
    struct sigaction before {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &action, &before);
    watch.begin();
    call(watch.memory(), static_cast<std::ptrdiff_t>(watch.pitch()));
    watch.end();
    sigaction(SIGSEGV, &before, nullptr);
    share = watch.largest_share();
    unknown = watch.is_known() ? "" : "two calls with the same input have different outputs";
}

}  // namespace

double largest_share() {
    return share;
}

const std::string& why_share_is_unknown() {
    return unknown;
}

}  // namespace races

void harness::make_calls(const OutputSize& output, bool is_shared, const CallWithOutput& call) {
    std::vector<std::byte> expected(output.rows * output.row_bytes);
    call(expected.data(), static_cast<std::ptrdiff_t>(output.row_bytes));
    if (!is_shared || races::threads_started() == 0) return;
    for (int i = 0; i < races::most_calls; ++i) {
        races::call_watched(output, expected, call);
        if (races::unknown.empty() && races::share <= races::most_of_one_thread) return;
    }
}
