#pragma once

#include <filesystem>

namespace cellproof::campaign {

/// Makes the vectors of corpus/vectors/ and writes them in every format into a new folder (docs/vectors.md). Throws
/// corpus::CorpusError when it cannot be written, or is there already.
void write_vectors(const std::filesystem::path& folder);

}  // namespace cellproof::campaign
