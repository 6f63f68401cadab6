#include <fmt/format.h>

#include <string_view>

#include "engines/cpu/cpu_engine.hpp"
#include "engines/serve.hpp"
#include "engines/threads.hpp"

namespace {

struct NamedPath {
  std::string_view name;
  cellproof_cpu_path path;
};

constexpr NamedPath paths[] = {{"auto", CELLPROOF_CPU_PATH_AUTO},     {"scalar", CELLPROOF_CPU_PATH_SCALAR},
                               {"avx2", CELLPROOF_CPU_PATH_AVX2},     {"avx-vnni", CELLPROOF_CPU_PATH_AVX_VNNI},
                               {"avx512", CELLPROOF_CPU_PATH_AVX512}, {"avx512-bf16", CELLPROOF_CPU_PATH_AVX512_BF16},
                               {"amx", CELLPROOF_CPU_PATH_AMX},       {"openblas", CELLPROOF_CPU_PATH_OPENBLAS}};

constexpr int usage = 2, absent = 77;

}  // namespace

/// The worker: its argument is the path that every case takes.
int main(int count, char** arguments) {
  const std::string_view asked = count > 1 ? arguments[1] : "auto";
  for (const auto& [name, path] : paths) {
    if (name != asked) continue;
    if (const std::string_view missing = cellproof_cpu_path_missing(path); !missing.empty()) {
      fmt::print(stderr, "{}\n", missing);
      return absent;
    }
    cellproof::engines::CpuEngine engine(path, name == "auto" ? "cellproof-cpu" : fmt::format("cellproof-cpu@{}", name),
                                         cellproof::engines::threads_asked_for());
    return cellproof::engines::serve(engine);
  }
  fmt::print(stderr,
             "cellproof-engine-cpu: there is no path '{}': expected auto, scalar, avx2, avx-vnni, avx512, avx512-bf16, "
             "amx or openblas\n",
             asked);
  return usage;
}
