// Output of a worker, as the harness sees it: any bytes, in pieces of any size.

#include <algorithm>
#include <cstring>

#include "engines/messages.hpp"
#include "lab/fuzz_targets/target.hpp"
#include "spec/case.hpp"

using namespace cellproof;
using namespace cellproof::engines;

namespace {

void read_as_everything(const Frame& frame, const RunRequest& request) {
  const auto attempt = [](auto read) {
    try {
      read();
    } catch (const ProtocolError&) {
    } catch (const Incompatible&) {
    }
  };
  attempt([&] { read_hello(frame); });
  attempt([&] { read_support(frame); });
  attempt([&] { read_outcome(frame, request); });
  attempt([&] { read_death(frame); });
  static_cast<void>(number_of(frame));
  static_cast<void>(printed_until(frame));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const RunRequest request =
      run_request(make_problem(plain_case({Operator::LSTM, 14}, ElementType::Float, 1, 1, 1, 1)));
  if (size == 0) return 0;
  const std::size_t piece = 1 + data[0];
  FrameReader reader;
  try {
    for (std::size_t at = 1; at < size;) {
      const auto space = reader.space();
      const std::size_t count = std::min({piece, size - at, space.size()});
      std::memcpy(space.data(), data + at, count);
      reader.received(count);
      at += count;
      while (const auto frame = reader.next()) read_as_everything(*frame, request);
    }
  } catch (const ProtocolError&) {
  }
  return 0;
}
