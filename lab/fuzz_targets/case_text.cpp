// Any text is a case line or is refused with a reason; what is read is written so that it is read again.

#include "spec/case_text.hpp"

#include <stdexcept>
#include <string>

#include "lab/fuzz_targets/target.hpp"
#include "spec/expectation.hpp"

using namespace cellproof;

namespace {

/// A line may ask for tensors of a gigabyte, which take seconds to fill.
bool is_small(const Case& c) {
  constexpr double most_elements = 1 << 16;
  for (std::size_t position = 0; position < c.inputs.size(); ++position) {
    double elements = 1;
    for (const std::int64_t size : generated_shape(c, position)) elements *= static_cast<double>(size);
    if (elements > most_elements) return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Case c;
  try {
    c = parse_case(fuzz::text_of(data, size));
  } catch (const CaseTextError&) {
    return 0;
  }
  const std::string line = to_text(c);
  if (parse_case(line) != c) fuzz::found("written and read again, it is another case: " + line);
  if (to_text(parse_case(line)) != line) fuzz::found("its line is not canonical: " + line);
  if (!is_small(c)) return 0;
  try {
    const Problem problem = make_problem(c);
    static_cast<void>(expectation_of(problem));
  } catch (const std::invalid_argument&) {
  } catch (const std::length_error&) {
  }
  return 0;
}
