// cellproof-bench-subject NAME CASE THREADS: one subject over one case in a process of its own, on THREADS cores.
// Speaks frames as a worker does (engines/protocol.hpp), with requests of its own:
//   HELLO {}               -> HELLO_REPLY {"version"}, once it is prepared; NOT_SUPPORTED {"reason"}: it is not
//   available RUN {"seconds": S}     -> RAN {figure: number}: measured for about S seconds RUN {"outputs": true}  ->
//   RAN {}, the outputs of the last run as TensorProtos in the order of their positions
#include <fmt/format.h>
#include <sched.h>
#include <signal.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <system_error>

#include "corpus/model.hpp"
#include "engines/file_descriptor.hpp"
#include "engines/protocol.hpp"
#include "lab/bench/subjects/make.hpp"
#include "spec/case_text.hpp"

namespace cellproof::lab::bench {
namespace {

using engines::Frame;
using engines::FrameKind;
using Json = nlohmann::json;

/// Only the first so many of the cores that this process may use: threads that a library starts inherit it.
void stay_on_first_cores(int count) {
  cpu_set_t allowed, chosen;
  CPU_ZERO(&chosen);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    throw std::system_error(errno, std::generic_category(), "sched_getaffinity");
  for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&chosen) < count; ++core)
    if (CPU_ISSET(core, &allowed)) CPU_SET(core, &chosen);
  if (CPU_COUNT(&chosen) < count)
    throw Unavailable(fmt::format("it may use {} of {} cores", CPU_COUNT(&chosen), count));
  if (sched_setaffinity(0, sizeof chosen, &chosen) != 0)
    throw std::system_error(errno, std::generic_category(), "sched_setaffinity");
}

void reply(FrameKind kind, const Json& json, const std::vector<std::string>& blobs = {}) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string bytes = engines::encode({.kind = kind, .json = text, .blobs = {blobs.begin(), blobs.end()}});
  for (std::string_view rest = bytes; !rest.empty();) {
    const auto wrote = engines::write_some(engines::reply_descriptor, rest);
    if (wrote.what == engines::Transfer::Closed) throw std::runtime_error("nobody reads the answers");
    if (wrote.what == engines::Transfer::Moved) rest.remove_prefix(wrote.count);
  }
}

std::optional<Frame> receive(engines::FrameReader& reader) {
  for (;;) {
    if (auto frame = reader.next()) return frame;
    const auto room = reader.space();
    const auto got = engines::read_some(engines::request_descriptor, room.data(), room.size());
    if (got.what == engines::Transfer::Closed) return std::nullopt;
    if (got.what == engines::Transfer::Moved) reader.received(got.count);
  }
}

void answer_run(Subject& subject, const Json& request) {
  if (request.value("outputs", false)) {
    std::vector<std::string> blobs;
    for (const std::optional<Tensor>& output : subject.outputs())
      if (output) blobs.push_back(corpus::to_tensor_proto(*output, "output"));
    return reply(FrameKind::Ran, Json::object(), blobs);
  }
  Json figures = Json::object();
  for (const auto& [name, value] : subject.measure(request.at("seconds").get<double>())) figures[name] = value;
  reply(FrameKind::Ran, figures);
}

int serve(std::string_view name, std::string_view line, int threads) {
  engines::FrameReader reader;
  std::unique_ptr<Subject> subject;
  while (const auto frame = receive(reader)) {
    if (frame->kind == FrameKind::Bye) return 0;
    if (frame->kind == FrameKind::Run && subject != nullptr) {
      answer_run(*subject, Json::parse(frame->json));
    } else if (frame->kind == FrameKind::Hello) {
      try {
        stay_on_first_cores(threads);
        subject = make_subject(name, make_problem(parse_case(line)), threads);
        subject->run();  // the first run may still allocate, and a refusal shows
        reply(FrameKind::HelloReply, {{"version", subject->version()}});
      } catch (const Unavailable& reason) {
        reply(FrameKind::NotSupported, {{"reason", reason.what()}});
      }
    } else {
      throw std::runtime_error("a request that is none");
    }
  }
  return 0;
}

}  // namespace
}  // namespace cellproof::lab::bench

int main(int argc, char** argv) {
  signal(SIGPIPE, SIG_IGN);
  int threads = 0;
  const std::string_view count = argc == 4 ? argv[3] : "";
  if (std::from_chars(count.data(), count.data() + count.size(), threads).ec != std::errc() || threads < 1) {
    std::fprintf(stderr, "usage: cellproof-bench-subject NAME CASE THREADS, run by `cellproof lab bench`\n");
    return 2;
  }
  try {
    return cellproof::lab::bench::serve(argv[1], argv[2], threads);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
