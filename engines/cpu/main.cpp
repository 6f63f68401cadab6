#include <fmt/format.h>

#include <string_view>

#include "engines/cpu/cpu_engine.hpp"
#include "engines/serve.hpp"
#include "engines/threads.hpp"

namespace {

constexpr int usage = 2, absent = 77;

}  // namespace

/// The worker: its argument is the path that every case takes.
int main(int count, char** arguments) {
  const char* const asked = count > 1 ? arguments[1] : "auto";
  cellproof_cpu_path path = CELLPROOF_CPU_PATH_AUTO;
  if (cellproof_cpu_path_named(asked, &path) != 0) {
    if (const std::string_view missing = cellproof_cpu_path_missing(path); !missing.empty()) {
      fmt::print(stderr, "{}\n", missing);
      return absent;
    }
    const bool is_auto = path == CELLPROOF_CPU_PATH_AUTO;
    cellproof::engines::CpuEngine engine(path, is_auto ? "cellproof-cpu" : fmt::format("cellproof-cpu@{}", asked),
                                         cellproof::engines::threads_asked_for());
    return cellproof::engines::serve(engine);
  }
  fmt::print(stderr,
             "cellproof-engine-cpu: there is no path '{}': expected auto, scalar, avx2, avx-vnni, avx512, avx512-bf16, "
             "amx or openblas\n",
             asked);
  return usage;
}
