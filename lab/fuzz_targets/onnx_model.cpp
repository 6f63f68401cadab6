// Bytes to our reader of ONNX models; libFuzzer changes field by field what is a model.

#include <cstring>

#include "corpus/model.hpp"
#include "lab/fuzz_targets/model_mutator.hpp"
#include "lab/fuzz_targets/target.hpp"
#include "spec/expectation.hpp"

using namespace cellproof;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const corpus::ModelNode node = corpus::from_model(fuzz::text_of(data, size), "model");
    static_cast<void>(expectation_of(node.problem));
  } catch (const corpus::CorpusError&) {
  }
  return 0;
}

#ifdef CELLPROOF_FUZZ
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  if (seed % 16 == 0) return LLVMFuzzerMutate(data, size, max_size);  // what is no model is to be refused, too
  const std::string changed = fuzz::mutated_model(fuzz::text_of(data, size), seed);
  if (changed.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}
#endif
