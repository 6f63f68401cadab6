#include "lab/zoo/flushing.hpp"

#include <stdexcept>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace cellproof::lab::zoo {
namespace {

#if defined(__SSE2__)
constexpr unsigned int zeros_for_subnormals = 0x8040;  // of results and of operands

unsigned long control_word() {
  return _mm_getcsr();
}
void set_control_word(unsigned long word) {
  _mm_setcsr(static_cast<unsigned int>(word));
}
#elif defined(__aarch64__)
constexpr unsigned long zeros_for_subnormals = 1UL << 24;

unsigned long control_word() {
  unsigned long word = 0;
  asm volatile("mrs %0, fpcr" : "=r"(word));
  return word;
}
void set_control_word(unsigned long word) {
  asm volatile("msr fpcr, %0" : : "r"(word));
}
#else
constexpr unsigned long zeros_for_subnormals = 0;

unsigned long control_word() {
  throw std::runtime_error("no way is known to flush subnormals on this processor");
}
void set_control_word(unsigned long) {}
#endif

}  // namespace

Flushing::Flushing() : before_(control_word()) {
  set_control_word(before_ | zeros_for_subnormals);
}

Flushing::~Flushing() {
  set_control_word(before_);
}

}  // namespace cellproof::lab::zoo
