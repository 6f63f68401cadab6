#include "lab/bench/subject_process.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "corpus/model.hpp"
#include "engines/paths.hpp"
#include "engines/worker_link.hpp"

namespace cellproof::lab::bench {
namespace {

using engines::Frame;
using engines::FrameKind;
using SubjectJson = nlohmann::json;

// Generous: packing weights takes milliseconds, a run of the 50-digit reference a second.
constexpr std::chrono::seconds time_to_prepare{120}, time_to_answer{300};
constexpr std::uint64_t memory_limit = std::uint64_t{16} << 30;

/// Reads an answer. Throws BrokeDown if it cannot be read.
template <class Take>
auto read_answer(const Frame& reply, Take take) {
  try {
    return take(SubjectJson::parse(reply.json));
  } catch (const SubjectJson::exception& error) {
    throw BrokeDown(fmt::format("an answer that cannot be read: {}", error.what()));
  }
}

std::vector<std::string> command_of(const std::string& name, const std::string& case_line, int threads) {
  return {subject_program().string(), name, case_line, fmt::format("{}", threads)};
}

}  // namespace

std::filesystem::path subject_program() {
  return engines::worker_directory() / "cellproof-bench-subject";
}

struct SubjectProcess::Impl {
  Impl(const std::string& name, const std::string& case_line, int threads)
      : log(""), link(command_of(name, case_line, threads), log, memory_limit) {}

  Frame ask(FrameKind kind, const SubjectJson& json, std::chrono::seconds time, std::string_view what) {
    link.send(engines::encode({.kind = kind, .json = json.dump(), .blobs = {}}));
    return answer(time, what);
  }

  Frame answer(std::chrono::seconds time, std::string_view what) {
    const auto reply = link.await(engines::Clock::now() + time, what);
    if (const auto* trouble = std::get_if<engines::Trouble>(&reply)) throw BrokeDown(trouble->message());
    return std::get<Frame>(reply);
  }

  engines::WorkerLog log;
  engines::WorkerLink link;
};

SubjectProcess::SubjectProcess(const std::string& name, const std::string& case_line, int threads) {
  try {
    impl_ = std::make_unique<Impl>(name, case_line, threads);
    impl_->link.send(engines::encode({.kind = FrameKind::Hello, .json = "{}", .blobs = {}}));
  } catch (const engines::SpawnError& error) {
    throw BrokeDown(error.what());
  }
}

SubjectProcess::~SubjectProcess() = default;
SubjectProcess::SubjectProcess(SubjectProcess&&) noexcept = default;

std::string SubjectProcess::version() {
  const Frame reply = impl_->answer(time_to_prepare, "while it was prepared");
  const char* const key = reply.kind == FrameKind::NotSupported ? "reason" : "version";
  const auto text = read_answer(reply, [&](const SubjectJson& json) { return json.at(key).get<std::string>(); });
  if (reply.kind == FrameKind::NotSupported) throw Unavailable(text);
  return text;
}

Figures SubjectProcess::measure(double seconds) {
  const Frame reply = impl_->ask(FrameKind::Run, {{"seconds", seconds}}, time_to_answer, "while it was measured");
  return read_answer(reply, [](const SubjectJson& json) {
    Figures figures;
    for (const auto& [name, value] : json.items()) figures.emplace_back(name, value.get<double>());
    return figures;
  });
}

Outputs SubjectProcess::outputs(const Problem& problem) {
  const Frame reply = impl_->ask(FrameKind::Run, {{"outputs", true}}, time_to_answer, "when asked for its outputs");
  Outputs outputs(problem.outputs.size());
  if (reply.blobs.empty()) return {};
  std::size_t next = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!problem.asks_for(i)) continue;
    if (next == reply.blobs.size()) throw BrokeDown("it returned fewer outputs than were asked for");
    outputs[i] = corpus::from_tensor_proto(reply.blobs[next++], "an output");
  }
  return outputs;
}

}  // namespace cellproof::lab::bench
