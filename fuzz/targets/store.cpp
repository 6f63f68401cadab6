// A file that is given to `report` as a store: it is one, or one line says why it is none.

#include "reports/store.hpp"

#include <fstream>

#include "fuzz/targets/target.hpp"

using namespace cellproof;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string file = fuzz::scratch_folder() + "/run.sqlite";
  std::ofstream(file, std::ios::binary) << fuzz::text_of(data, size);
  try {
    const reports::Store store = reports::Store::open_read_only(file);
    for (const Finding& finding : store.findings()) static_cast<void>(store.done(finding.engine));
  } catch (const reports::StoreError&) {
  }
  return 0;
}
