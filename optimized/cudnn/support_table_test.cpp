#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "optimized/cudnn/cellproof_cudnn.h"

namespace cellproof::cudnn {
namespace {

/// The rows of docs/gpu.md, as the capability answers give them.
std::string support_table() {
  std::string text = "| a node with | is NOT_SUPPORTED, and the reason given is |\n| --- | --- |\n";
  std::size_t count = 0;
  const cellproof_cudnn_limit* const limits = cellproof_cudnn_limits(&count);
  for (std::size_t i = 0; i < count; ++i)
    text += std::string("| ") + limits[i].what + " | " + limits[i].reason + " |\n";
  return text;
}

TEST(CudnnSupportTable, OfTheDocumentIsTheOneThatTheLibraryGives) {
  std::ostringstream document;
  document << std::ifstream(CELLPROOF_SOURCE_DIR "/docs/gpu.md").rdbuf();
  EXPECT_NE(document.str().find("\n\n" + support_table() + "\n"), std::string::npos)
      << "docs/gpu.md must have this table:\n"
      << support_table();
}

}  // namespace
}  // namespace cellproof::cudnn
