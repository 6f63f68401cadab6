// Writes seeds for every fuzz target, made from the suites and from sample findings: cellproof-fuzz-seeds DIR. Those in
// corpus/seeds/ are what `setup/minimise_seeds.sh` keeps of them and of what campaigns found.
// cellproof-fuzz-seeds --cases FILE...: the case lines of inputs of the target `differential`, one for each.

#include <SQLiteCpp/Database.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/backend_test.hpp"
#include "corpus/model.hpp"
#include "corpus/suite.hpp"
#include "engines/protocol.hpp"
#include "lab/fuzz_targets/case_bytes.hpp"
#include "reference/reference.hpp"
#include "reports/finding_json.hpp"
#include "reports/store.hpp"
#include "reports/testing/sample_findings.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"
#include "spec/finding_words.hpp"
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
    const bool valid = expectation_of(row.c).kind != Expectation::Kind::Refuse;
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
  Seeds directories(root, "backend_directory");
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
}

/// A store as `run` leaves it, or the same with small pages: what libFuzzer keeps and changes is a quarter as long.
std::string store_of(const reports::ReportData& data, std::span<const Finding> findings, bool small_pages) {
  const TemporaryFolder folder;
  const fs::path file = folder / "run.sqlite";
  {
    reports::Store store = reports::Store::create(file, data.runs.empty() ? RunMetadata{} : data.runs.front().second);
    for (const auto& [engine, notes] : data.engines)
      for (const auto& [note, words] : notes) store.set_engine_note(engine, note, words);
    store.add(findings);
  }
  if (small_pages)
    SQLite::Database(file.string(), SQLite::OPEN_READWRITE)
        .exec("PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM");
  return content_of(file);
}

/// One finding of the sample for each thing that a report shows of findings.
std::vector<Finding> telling(const std::vector<Finding>& all) {
  std::vector<Finding> some;
  std::set<std::string> shown;
  for (const Finding& f : all) {
    const Judgement& j = f.judgement;
    const std::string what = fmt::format("{} {} {} {} {} {} {} {}", name(f.outcome), j.verdict ? name(*j.verdict) : "",
                                         kind_name(f), j.first.has_value(), f.reduction.has_value(), f.evidence.size(),
                                         f.misconduct.size(), f.given_contract.has_value());
    if (shown.insert(what).second) some.push_back(f);
  }
  return some;
}

void write_stores(const fs::path& root) {
  Seeds stores(root, "store");
  const reports::ReportData sample = reports::sample_report();
  const std::vector<Finding> findings = telling(sample.findings);
  stores.add(store_of({}, {}, false));
  stores.add(store_of(sample, {}, true));
  stores.add(store_of(sample, findings, true));
  std::string records;
  for (const Finding& finding : findings) {
    const std::string record = reports::to_json(finding);
    stores.add(record);
    records += record + '\n';
    stores.add(store_of(sample, {&finding, 1}, true));
  }
  stores.add(records);
}

int print_cases(std::span<char* const> files) {
  for (const char* const file : files) {
    const std::string bytes = content_of(file);
    const auto* const first = reinterpret_cast<const std::uint8_t*>(bytes.data());
    fmt::print("{}\n", to_text(fuzz::case_of_bytes({first, bytes.size()})));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::span arguments(argv, static_cast<std::size_t>(argc));
  if (argc > 1 && std::strcmp(argv[1], "--cases") == 0) return print_cases(arguments.subspan(2));
  if (argc != 2) {
    std::fputs("usage: cellproof-fuzz-seeds DIR | --cases FILE...\n", stderr);
    return 2;
  }
  write_cases(argv[1]);
  write_frames(argv[1]);
  write_directories(argv[1]);
  write_stores(argv[1]);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
