// Writes seeds for every fuzz target, made from the suites: cellproof-fuzz-seeds DIR. Those in corpus/seeds/ are what
// `setup/fuzz_campaign.sh --merge` keeps of them and of what campaigns found.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "corpus/backend_test.hpp"
#include "corpus/model.hpp"
#include "corpus/suite.hpp"
#include "engines/protocol.hpp"
#include "fuzz/targets/case_bytes.hpp"
#include "reference/reference.hpp"
#include "reports/store.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace fs = std::filesystem;
using namespace cellproof;

namespace {

class Seeds {
 public:
  Seeds(const fs::path& root, const char* target) : folder_(root / target) { fs::create_directories(folder_); }
  void add(std::string_view bytes) {
    std::ofstream(folder_ / fmt::format("suite-{:04}", count_++), std::ios::binary) << bytes;
  }
  template <class Bytes>
  void add_bytes(const Bytes& bytes) {
    add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }

 private:
  fs::path folder_;
  int count_ = 0;
};

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// As backend_directory.cpp reads them.
std::string packed(int name, const std::string& file) {
  return std::string{static_cast<char>(name), static_cast<char>(file.size() & 0xff),
                     static_cast<char>(file.size() >> 8)} +
         file;
}

void write_cases(const fs::path& root) {
  Seeds differential(root, "differential"), lines(root, "case_text"), models(root, "onnx_model");
  std::size_t number = 0;
  std::vector<corpus::SuiteCase> cases = corpus::load_suite("smoke").cases;
  std::ranges::move(corpus::load_suite("invalid").cases, std::back_inserter(cases));
  for (const corpus::SuiteCase& row : cases) {
    ++number;
    const bool valid = expectation_of(make_problem(row.c)).kind != Expectation::Kind::Refuse;
    if (valid) differential.add_bytes(fuzz::bytes_of(row.c));
    if (number % 5 == 0) lines.add(to_text(row.c));
    if (number % 5 != 0) continue;
    const std::string model = corpus::to_model(make_problem(row.c));
    if (model.size() < 4096) models.add(model);
  }
}

void write_frames(const fs::path& root) {
  Seeds frames(root, "worker_frames");
  const std::string tensor = corpus::to_tensor_proto(Tensor(ElementType::Float, {1, 1, 1, 1}), "Y");
  using engines::Frame, engines::FrameKind;
  const Frame some[] = {
      {FrameKind::HelloReply, R"({"protocol":1,"name":"x","version":"1","contract":"f32"})", {}},
      {FrameKind::SupportsReply, R"({"supported":false,"reason":"no kernel"})", {}},
      {FrameKind::Ran,
       R"({"number":1,"printed":7,"inputs_crc32":[1],"timings":{"prepare":0.1,"run":0.2,"release":0}})",
       {tensor, tensor, tensor}},
      {FrameKind::NotSupported, R"({"message":"no kernel"})", {}},
      {FrameKind::Rejected, R"({"message":"invalid"})", {}},
      {FrameKind::OutOfMemory, R"({"message":"too large"})", {}},
      {FrameKind::Died, R"({"number":1,"exit_code":0,"signal":11})", {}}};
  for (const Frame& frame : some) frames.add(std::string(1, '\x40') + engines::encode(frame));
}

void write_directories(const fs::path& root) {
  Seeds directories(root, "backend_directory"), stores(root, "store");
  const TemporaryFolder folder;
  const fs::path scratch = folder / "seeds";
  for (const OperatorVersion version : all_operator_versions()) {
    fs::remove_all(scratch);
    const Case c = plain_case(version, ElementType::Float, 2, 1, 2, 1);
    const Problem problem = make_problem(c);
    corpus::write_backend_test(scratch, problem, reference::run(problem, {}), std::nullopt, std::nullopt, to_text(c));
    const fs::path set = scratch / "test_data_set_0";
    directories.add(packed(0, content_of(scratch / "model.onnx")) + packed(1, content_of(scratch / "data.json")) +
                    packed(2, content_of(set / "input_0.pb")) + packed(3, content_of(set / "output_0.pb")) +
                    packed(4, content_of(set / "output_1.pb")));
  }
  fs::remove_all(scratch);
  fs::create_directories(scratch);
  {
    reports::Store store = reports::Store::create(scratch / "run.sqlite", {});
    Finding finding;
    finding.engine = "engine";
    finding.suite = "smoke";
    store.add(finding);
  }
  stores.add(content_of(scratch / "run.sqlite"));
  fs::remove_all(scratch);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::fputs("usage: cellproof-fuzz-seeds DIR\n", stderr);
    return 2;
  }
  write_cases(argv[1]);
  write_frames(argv[1]);
  write_directories(argv[1]);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
