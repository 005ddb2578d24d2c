#pragma once

// Memory on the GPU, emulated or real, for kernels in tests.

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

/// An array. Without a value it is never written.
template <class T>
class Memory {
  public:
    explicit Memory(int count) { cudaMalloc(&data_, sizeof(T) * static_cast<std::size_t>(count)); }
    Memory(int count, T value) : Memory(count) {
        const std::vector<T> values(static_cast<std::size_t>(count), value);
        cudaMemcpy(data_, values.data(), sizeof(T) * values.size(), cudaMemcpyHostToDevice);
    }
    ~Memory() { cudaFree(data_); }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    operator T*() const { return data_; }

    T at(int i) const {
        T value{};
        cudaMemcpy(&value, data_ + i, sizeof value, cudaMemcpyDeviceToHost);
        return value;
    }

  private:
    T* data_ = nullptr;
};

/// An image whose rows are padded. All bytes are 7.
template <class T>
struct Padded {
    T* data = nullptr;
    std::size_t pitch = 0;  ///< bytes
    int width, height;

    Padded(int w, int h) : width(w), height(h) {
        const std::size_t bytes = static_cast<std::size_t>(w) * sizeof(T);
        const auto rows = static_cast<std::size_t>(h);
        cudaMallocPitch(&data, &pitch, bytes, rows);
        cudaMemset2D(data, pitch, 7, bytes, rows);
    }
    ~Padded() { cudaFree(data); }
    Padded(const Padded&) = delete;
    Padded& operator=(const Padded&) = delete;
};
using Image = Padded<unsigned char>;
