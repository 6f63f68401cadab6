#include "campaign/vectors/write_vectors.hpp"

#include <fmt/format.h>

#include "campaign/vectors/backend_tests.hpp"
#include "campaign/vectors/make_set.hpp"
#include "corpus/files.hpp"

namespace cellproof::campaign {

void write_vectors(const std::filesystem::path& folder) {
  const reports::VectorSet set = make_set(corpus::read_vector_selection());
  corpus::PendingDirectory pending(folder);
  corpus::write_file(pending.path() / "vectors.json", reports::render_json(set));
  corpus::write_file(pending.path() / "vectors.schema.json", reports::vectors_schema());
  corpus::write_file(pending.path() / "vectors.npz", reports::render_npz(set));
  corpus::write_file(pending.path() / "cellproof_vectors.h", reports::render_c_header(set));
  std::filesystem::create_directory(pending.path() / "webnn");
  for (const auto& [name, text] : reports::render_webnn(set)) corpus::write_file(pending.path() / "webnn" / name, text);
  corpus::write_file(pending.path() / "CHANGELOG.md", corpus::read_vector_changelog());
  write_backend_tests(set, pending.path() / "backend-tests");
  pending.commit();
  fmt::print("{} vectors, version {}, in {}\n", set.vectors.size(), set.version, folder.string());
}

}  // namespace cellproof::campaign
