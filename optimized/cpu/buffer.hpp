#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace cellproof::cpu {

constexpr std::size_t buffer_alignment = 64;

/// So many bytes from malloc's family; where they are many, in large pages if the system will. Throws std::bad_alloc.
void* zeroed_memory(std::size_t bytes);

/// Zeroed memory that starts on a cache line, which is what the kernels' aligned loads ask for.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t count) : size_(count) {
    memory_.reset(static_cast<T*>(zeroed_memory(count * sizeof(T))));
  }

  T* data() { return memory_.get(); }
  const T* data() const { return memory_.get(); }
  T& operator[](std::size_t i) { return memory_.get()[i]; }
  const T& operator[](std::size_t i) const { return memory_.get()[i]; }
  std::size_t size() const { return size_; }

  static constexpr std::size_t alignment = buffer_alignment;

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  std::unique_ptr<T, Free> memory_;
  std::size_t size_ = 0;
};

}  // namespace cellproof::cpu
