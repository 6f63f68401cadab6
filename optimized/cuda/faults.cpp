#include "optimized/cuda/faults.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <string>

#include "optimized/cuda/backend.hpp"

namespace cellproof::cuda {
namespace {

struct FaultRow {
  const char* name;
  bool Faults::*fault;
};
constexpr FaultRow fault_rows[] = {{"recording", &Faults::recording},         {"replaying", &Faults::replaying},
                                   {"persistent", &Faults::persistent},       {"first-run", &Faults::first_run},
                                   {"any-moment", &Faults::any_moment},       {"one-half", &Faults::one_half},
                                   {"one-gathering", &Faults::one_gathering}, {"not-cleared", &Faults::not_cleared}};

}  // namespace

Faults faults_of_environment() {
  Faults faults;
  const char* const named = std::getenv("CELLPROOF_CUDA_FAULTS");
  std::istringstream names(named == nullptr ? "" : named);
  for (std::string name; std::getline(names, name, ',');) {
    const auto* const row = std::find_if(std::begin(fault_rows), std::end(fault_rows),
                                         [&](const FaultRow& one) { return name == one.name; });
    if (row == std::end(fault_rows))
      throw DeviceFailure("CELLPROOF_CUDA_FAULTS has '" + name + "', expected recording, replaying, persistent, " +
                          "first-run, any-moment, one-half, one-gathering or not-cleared");
    faults.*row->fault = true;
  }
  return faults;
}

}  // namespace cellproof::cuda
