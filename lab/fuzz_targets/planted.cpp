// A target that finds something where its bytes begin with "found", throws where they begin with "throw", and goes on
// otherwise: it shows in tests what a find looks like.

#include <stdexcept>

#include "lab/fuzz_targets/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = cellproof::fuzz::text_of(data, size);
  if (text.starts_with("found")) cellproof::fuzz::found("planted");
  if (text.starts_with("throw")) throw std::runtime_error("planted, too");
  return 0;
}
