#pragma once

// A worker: a process with one file of a student and nothing that is worth stealing. A lab's worker
// is a main() that calls `work` with a function that calls a variant of that lab.

#include <cstddef>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "common/scratch.hpp"
#include "common/variant.hpp"
#include "worker/protocol.hpp"

#pragma GCC visibility push(hidden)  // from modules of students

namespace grading {

/// The shared memory of a call.
struct Place {
    const Call& call;
    std::byte* memory;
    common::Scratch& scratch;
    bool on_gpu;  ///< the memory is that of a GPU

    template <class T, common::Memory Where = common::Memory::host>
    common::View<T, Where> view(const Plane& plane) const {
        return {reinterpret_cast<T*>(memory + plane.offset), plane.width, plane.height,
                plane.channels, static_cast<std::ptrdiff_t>(plane.pitch)};
    }
};

/// An image in GPU memory, with the content of one in host memory.
class OnDevice {
  public:
    OnDevice(const Plane& plane, std::byte* host);
    ~OnDevice();
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

    void upload() const;
    void download() const;

    template <class T>
    common::DeviceView<T> view() const {
        return {static_cast<T*>(data_), plane_.width, plane_.height, plane_.channels,
                static_cast<std::ptrdiff_t>(pitch_ / sizeof(T))};
    }

  private:
    Plane plane_;
    std::byte* host_;
    void* data_ = nullptr;
    std::size_t pitch_ = 0;

    std::size_t row_bytes() const;
    std::size_t host_pitch() const;
};

/// GPU memory of the judge, mapped into this process.
class JudgesMemory {
  public:
    /// Takes the descriptor over. Throws Failed.
    JudgesMemory(int descriptor, std::size_t bytes);
    ~JudgesMemory();
    JudgesMemory(const JudgesMemory&) = delete;
    JudgesMemory& operator=(const JudgesMemory&) = delete;

    std::byte* data() const { return reinterpret_cast<std::byte*>(address_); }

  private:
    std::size_t bytes_;
    unsigned long long handle_ = 0;
    unsigned long long address_ = 0;

    void release() const;
};

/// Calls the function, and counts what its emulated kernels do. Throws Failed on a GPU.
Counts counted(const std::function<void()>& call);

/// Waits for the GPU, and throws the error that a kernel has caused.
void wait_for_device();

template <class In, class Out, class Options>
void run(const common::Variant<In, Out, Options>& variant, const Place& place) {
    static_assert(std::is_trivially_copyable_v<Options>);
    const Call& call = place.call;
    if (call.option_bytes != sizeof(Options) || call.in.value_bytes != sizeof(In) ||
        call.out.value_bytes != sizeof(Out)) {
        throw std::logic_error("the judge and the worker were built from different sources");
    }
    Options options;
    std::memcpy(static_cast<void*>(&options), call.options.data(), sizeof options);
    options.scratch = &place.scratch;
    if (variant.device == nullptr) {
        if (variant.host == nullptr || place.on_gpu) {
            throw std::logic_error("has no function for such images");
        }
        return variant.host(place.view<const In>(call.in), place.view<Out>(call.out), options);
    }
    if (place.on_gpu) {
        constexpr auto device = common::Memory::device;
        return variant.device(place.view<const In, device>(call.in),
                              place.view<Out, device>(call.out), options, nullptr);
    }
    const OnDevice in(call.in, place.memory);
    const OnDevice out(call.out, place.memory);
    in.upload();
    out.upload();  // what the judge filled it with
    variant.device(in.view<const In>(), out.view<Out>(), options, nullptr);
    wait_for_device();
    in.download();  // so that the judge sees a change of the input
    out.download();
}

/// The whole life of a worker. `loaded` says, after the student's file is there, whether it has
/// registered a variant; `call` calls it.
int work(int count, char** arguments, const std::function<bool()>& loaded,
         const std::function<void(const Place&)>& call);

/// The variant that the file has registered. Its name is of no account; if there are several, the
/// one that has the name of the file is taken.
template <class Register>
const auto* registered_variant(const std::string& name) {
    const auto& all = Register::registered();
    for (const auto& variant : all) {
        if (variant.name == name) return &variant;
    }
    return all.empty() ? nullptr : &all.front();
}

}  // namespace grading

#pragma GCC visibility pop
