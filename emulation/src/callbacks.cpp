// The functions that the compiler calls: before every load and store (-fsanitize=thread, without
// that sanitizer's library), at the beginning of every basic block (-fsanitize-coverage=trace-pc),
// and for addresses and indices that are wrong in themselves (-fsanitize=alignment,bounds). Their
// names and parameters are the compiler's.

#include <fmt/format.h>

#include <bit>
#include <cstdlib>
#include <utility>

#include "access.hpp"
#include "counting.hpp"

using emulation::Kind;

/// Defined by the check for races too: the linker refuses a program that has these functions and
/// the library of the sanitizer, which would see no access.
extern "C" const char has_thread_sanitizer;
const char has_thread_sanitizer = 1;

namespace {

std::uintptr_t number(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address);
}

/// The thread's position in the loops of its kernel, or null if accesses are not counted.
emulation::LoopPath* current_path() {
    if (emulation::current_thread == nullptr || !emulation::is_counting()) return nullptr;
    return &emulation::current_worker->recorder->path(*emulation::current_thread);
}

/// Every thread copies the arguments, so that looking at each part would take most of the time.
bool is_copy_of_argument(std::uintptr_t address, std::size_t bytes) {
    return emulation::current_thread != nullptr &&
           address - emulation::memory_begin >= emulation::memory_bytes &&
           emulation::is_argument(address, bytes);
}

/// Calls act(address, bytes) for the parts of a structure that single instructions access: up to
/// 16 bytes, as address and size are multiples of it.
template <class Act>
void in_pieces(std::uintptr_t address, std::size_t bytes, Act act) {
    constexpr std::size_t widest = 16;
    const std::size_t piece = std::size_t{1} << std::countr_zero(address | bytes | widest);
    for (std::size_t done = 0; done < bytes; done += piece) act(address + done, piece);
}

}  // namespace

extern "C" {

#define EMULATION_ACCESSES(bytes)                                                               \
    void __tsan_read##bytes(void* address) {                                                    \
        emulation::on_read(number(address), bytes, __builtin_return_address(0), Kind::plain);   \
    }                                                                                           \
    void __tsan_write##bytes(void* address) {                                                   \
        emulation::on_write(number(address), bytes, __builtin_return_address(0), Kind::plain);  \
    }                                                                                           \
    void __tsan_unaligned_read##bytes(void* address) {                                          \
        emulation::on_read(number(address), bytes, __builtin_return_address(0), Kind::plain);   \
    }                                                                                           \
    void __tsan_unaligned_write##bytes(void* address) {                                         \
        emulation::on_write(number(address), bytes, __builtin_return_address(0), Kind::plain);  \
    }                                                                                           \
    void __tsan_volatile_read##bytes(void* address) {                                           \
        emulation::on_read(number(address), bytes, __builtin_return_address(0), Kind::atomic);  \
    }                                                                                           \
    void __tsan_volatile_write##bytes(void* address) {                                          \
        emulation::on_write(number(address), bytes, __builtin_return_address(0), Kind::atomic); \
    }

EMULATION_ACCESSES(1)
EMULATION_ACCESSES(2)
EMULATION_ACCESSES(4)
EMULATION_ACCESSES(8)
EMULATION_ACCESSES(16)
#undef EMULATION_ACCESSES

void __tsan_read_range(void* address, std::size_t bytes) {
    if (is_copy_of_argument(number(address), bytes)) return;
    const void* code = __builtin_return_address(0);
    in_pieces(number(address), bytes, [code](std::uintptr_t at, std::size_t piece) {
        emulation::on_read(at, piece, code, Kind::plain);
    });
}
void __tsan_write_range(void* address, std::size_t bytes) {
    const void* code = __builtin_return_address(0);
    in_pieces(number(address), bytes, [code](std::uintptr_t at, std::size_t piece) {
        emulation::on_write(at, piece, code, Kind::plain);
    });
}

void __sanitizer_cov_trace_pc() {
    emulation::LoopPath* const path = current_path();
    if (path != nullptr) path->enter_block(emulation::short_address(__builtin_return_address(0)));
}
void __tsan_func_entry(void*) {
    emulation::LoopPath* const path = current_path();
    if (path != nullptr) path->enter_function();
}
void __tsan_func_exit() {
    emulation::LoopPath* const path = current_path();
    if (path != nullptr) path->leave_function();
}

// Other functions that the compiler may call. Most calls are in host code, which is not checked.
void __tsan_init() {}
void __tsan_vptr_read(void**) {}
void __tsan_vptr_update(void**, void*) {}

// Atomic operations of host code, reference counts for instance.
#define EMULATION_ATOMICS(bits, type)                                                              \
    type __tsan_atomic##bits##_load(const volatile type* at, int) {                                \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                              \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile type* at, type value, int) {                         \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                             \
    }                                                                                              \
    type __tsan_atomic##bits##_exchange(volatile type* at, type value, int) {                      \
        return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                   \
    }                                                                                              \
    type __tsan_atomic##bits##_fetch_add(volatile type* at, type value, int) {                     \
        return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);                                    \
    }                                                                                              \
    type __tsan_atomic##bits##_fetch_sub(volatile type* at, type value, int) {                     \
        return __atomic_fetch_sub(at, value, __ATOMIC_SEQ_CST);                                    \
    }                                                                                              \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type* at, type* expected,           \
                                                      type value, int, int) {                      \
        return __atomic_compare_exchange_n(at, expected, value, false, __ATOMIC_SEQ_CST,           \
                                           __ATOMIC_SEQ_CST);                                      \
    }                                                                                              \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type* at, type* expected, type value, \
                                                    int, int) {                                    \
        return __atomic_compare_exchange_n(at, expected, value, true, __ATOMIC_SEQ_CST,            \
                                           __ATOMIC_SEQ_CST);                                      \
    }

EMULATION_ATOMICS(8, unsigned char)
EMULATION_ATOMICS(32, unsigned)
EMULATION_ATOMICS(64, unsigned long)
#undef EMULATION_ATOMICS

struct SourcePlace {
    const char* file;
    std::uint32_t line, column;
};

struct TypeName {
    std::uint16_t kind, info;
    char text[1];
};

struct WrongPointer {
    SourcePlace place;
    const TypeName* type;
    unsigned char log_of_alignment;
    unsigned char kind;
};

struct WrongIndex {
    SourcePlace place;
    const TypeName* array;
    const TypeName* index;
};

static std::string name_of(const SourcePlace& place) {
    const std::string file = place.file;
    return fmt::format("{}:{}", file.substr(file.find_last_of('/') + 1), place.line);
}

/// 8192 of "'unsigned int [8192]'".
static std::size_t elements_of(const std::string& array) {
    const auto begin = array.find('[');
    return begin == array.npos ? 0 : std::strtoul(array.c_str() + begin + 1, nullptr, 10);
}

void __ubsan_handle_type_mismatch_v1(const WrongPointer* found, const void* address) {
    if (emulation::current_thread == nullptr) return;
    const std::size_t needed = std::size_t{1} << found->log_of_alignment;
    emulation::Fault fault;
    fault.what = fmt::format(
        "misaligned access as {}, which needs an address that is a multiple "
        "of {}",
        found->type->text, needed);
    const std::uintptr_t at = number(address);
    fault.where =
        emulation::describe(at) + fmt::format(", {} bytes after such a multiple", at % needed);
    fault.place = name_of(found->place);
    fault.cause =
        "a wide load or store takes an address that is a multiple of its size: pad rows "
        "and choose first bytes accordingly, or load smaller pieces";
    emulation::raise(std::move(fault));
}

void __ubsan_handle_out_of_bounds(const WrongIndex* found, std::uintptr_t index) {
    if (emulation::current_thread == nullptr) return;
    emulation::Fault fault;
    fault.what = fmt::format("out of bounds: index {} of an array {}",
                             static_cast<std::ptrdiff_t>(index), found->array->text);
    fault.place = name_of(found->place);
    fault.cause = emulation::cause_of_index(elements_of(found->array->text), index);
    emulation::raise(std::move(fault));
}

}  // extern "C"

namespace emulation {

void atomic_access(const void* address, std::size_t bytes) {
    // Called by atomic_change, which is a function of its own: the kernel is one frame further.
    const auto* frame = static_cast<void* const* const*>(__builtin_frame_address(0));
    const void* code = frame[0][1];
    on_atomic(number(address), bytes, code);
}

}  // namespace emulation
