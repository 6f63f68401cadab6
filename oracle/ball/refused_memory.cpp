#include "oracle/ball/refused_memory.hpp"

#include <flint/flint.h>
#include <gmp.h>

#include <cstddef>
#include <cstdlib>

namespace cellproof::oracle {
namespace {

void (*end_without_memory)() = std::abort;

void* given(void* memory) {
  if (memory == nullptr) end_without_memory();
  return memory;
}

void* allocate(std::size_t size) {
  return given(std::malloc(size));
}

void* allocate_cleared(std::size_t count, std::size_t size) {
  return given(std::calloc(count, size));
}

void* enlarge(void* old, std::size_t size) {
  return given(std::realloc(old, size));
}

void* enlarge_known(void* old, std::size_t /*old_size*/, std::size_t size) {
  return enlarge(old, size);
}

void release_known(void* memory, std::size_t /*size*/) {
  std::free(memory);
}

}  // namespace

void on_refused_memory(void (*end)()) {
  end_without_memory = end;
  mp_set_memory_functions(allocate, enlarge_known, release_known);
  __flint_set_memory_functions(allocate, allocate_cleared, enlarge, std::free);
}

}  // namespace cellproof::oracle
