#include "corpus/project_root.hpp"

#include <cstdlib>

namespace cellproof::corpus {

std::filesystem::path project_root() {
  const char* root = std::getenv("CELLPROOF_ROOT");
  return root != nullptr ? root : CELLPROOF_SOURCE_DIR;
}

}  // namespace cellproof::corpus
