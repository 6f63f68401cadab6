#include "engines/fresh_memory.hpp"

namespace cellproof::engines {

WorkerOptions with_other_memory(WorkerOptions options) {
  options.environment.fill = second_fill;
  return options;
}

}  // namespace cellproof::engines
