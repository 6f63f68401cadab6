#include "optimized/cpu/buffer.hpp"

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace cellproof::cpu {
namespace {

constexpr std::size_t large_page = std::size_t{2} << 20;

}  // namespace

void* zeroed_memory(std::size_t bytes) {
  const bool is_large = bytes >= large_page;
  void* memory = nullptr;
  if (posix_memalign(&memory, is_large ? large_page : buffer_alignment, bytes == 0 ? 1 : bytes) != 0)
    throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  // Weights that no cache holds cost a walk through the page tables too. A refusal costs only that.
  if (is_large) static_cast<void>(madvise(memory, bytes, MADV_HUGEPAGE));
#endif
  return std::memset(memory, 0, bytes);
}

}  // namespace cellproof::cpu
