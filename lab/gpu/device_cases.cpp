// cellproof-device-cases ENGINE [--reverse] [--other-padding] [--threads N] < LINES
// Runs case lines on an engine in this process, for tools that watch a process. For each case and thread it prints a
// line of JSON: {"case": place in the list, "thread", "kind", "message", "digest" of the outputs' bits, "repeats"
// (whether all runs of one plan gave the same bits)}.
//   --reverse        the list from its end
//   --other-padding  with other numbers where X is past the end of a sequence
//   --threads N      N threads at once, each with an engine of its own and beginning elsewhere in the list
// Exit codes: 0 every case came to an outcome, 1 the device failed, 2 bad usage, 77 the engine is absent.
#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "lab/gpu/device_engine.hpp"
#include "spec/case.hpp"
#include "spec/case_text.hpp"
#include "spec/content_hash.hpp"

namespace cellproof::lab {
namespace {

constexpr int failed = 1, usage = 2, absent = 77;
constexpr int runs_of_a_plan = 3;  // the second one is the first that a device replays

struct Settings {
  std::string engine;
  bool reverse = false, other_padding = false;
  std::size_t threads = 1;
};

Settings settings_of(const std::vector<std::string>& words) {
  if (words.empty()) throw std::invalid_argument("expected the name of an engine");
  Settings settings{.engine = words[0]};
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "--reverse") {
      settings.reverse = true;
    } else if (words[i] == "--other-padding") {
      settings.other_padding = true;
    } else if (words[i] == "--threads" && i + 1 < words.size() && words[i + 1].size() == 1 && words[i + 1][0] > '0' &&
               words[i + 1][0] <= '9') {
      settings.threads = static_cast<std::size_t>(words[++i][0] - '0');
    } else {
      throw std::invalid_argument(
          fmt::format("'{}': expected --reverse, --other-padding or --threads 1 to 9", words[i]));
    }
  }
  return settings;
}

/// X past the end of each sequence becomes three.
void change_padding(Problem& problem) {
  const Tensor* lengths = problem.input(input::sequence_lens);
  if (lengths == nullptr) return;
  const auto [T, N, I, H, D] = dimensions_of(problem);
  const bool batch_first = problem.attributes.layout.value_or(0) != 0;
  Tensor& X = *problem.inputs[input::X].tensor;
  for (std::int64_t n = 0; n < N; ++n)
    for (auto t = static_cast<std::int64_t>(lengths->value(static_cast<std::size_t>(n))); t < T; ++t)
      for (std::int64_t i = 0; i < I; ++i)
        X.set_value(static_cast<std::size_t>(((batch_first ? n * T + t : t * N + n)) * I + i), 3);
}

std::string digest_of(const Outcome& outcome) {
  std::vector<std::byte> bytes;
  for (const auto& output : outcome.outputs)
    if (output) bytes.insert(bytes.end(), output->bytes().begin(), output->bytes().end());
  return content_hash(bytes);
}

class Runner {
 public:
  Runner(Settings settings, std::vector<std::string> lines)
      : settings_(std::move(settings)), lines_(std::move(lines)) {}

  int run() {
    // One after the other, before there are threads: to make one may change the environment, which others read.
    std::vector<DeviceEngine> devices;
    while (devices.size() < settings_.threads && code_ == 0) {
      guard([&] {
        devices.push_back(make_device_engine(settings_.engine, runs_of_a_plan));
        if (!devices.back().engine) stop(absent, devices.back().absent);
      });
    }
    if (code_ != 0) return code_;
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < settings_.threads; ++k)
      threads.emplace_back([&, k] { guard([&] { run_thread(*devices[k].engine, k); }); });
    for (std::thread& thread : threads) thread.join();
    return code_;
  }

 private:
  template <class Work>
  void guard(Work work) {
    try {
      work();
    } catch (const std::invalid_argument& error) {
      stop(usage, error.what());
    } catch (const std::exception& error) {
      stop(failed, error.what());
    }
  }

  void run_thread(engines::Engine& engine, std::size_t thread) {
    const std::size_t count = lines_.size();
    for (std::size_t k = 0; k < count && code_ == 0; ++k) {
      const std::size_t shifted = (k + thread * count / settings_.threads) % count;
      run_case(engine, thread, settings_.reverse ? count - 1 - shifted : shifted);
    }
  }

  void run_case(engines::Engine& engine, std::size_t thread, std::size_t place) {
    const Case c = parse_case(lines_[place]);
    Problem problem = make_problem(c);
    // DynamicQuantizeLSTM takes the range of X with its padding in it.
    if (settings_.other_padding && !is_quantised(c.version.op)) change_padding(problem);
    const Outcome outcome = engine.run(problem);
    const nlohmann::json line{{"case", place},
                              {"thread", thread},
                              {"kind", name(outcome.kind)},
                              {"message", outcome.message},
                              {"digest", digest_of(outcome)},
                              {"repeats", outcome.misconduct.empty()}};
    const std::lock_guard lock(mutex_);
    fmt::print("{}\n", line.dump());
    std::fflush(stdout);  // what has been done is known when a device takes the process with it
  }

  void stop(int code, const std::string& why) {
    const std::lock_guard lock(mutex_);
    code_ = code;
    fmt::print(stderr, "{}\n", why);
  }

  Settings settings_;
  std::vector<std::string> lines_;
  std::mutex mutex_;
  std::atomic<int> code_ = 0;
};

}  // namespace
}  // namespace cellproof::lab

int main(int count, char** arguments) {
  using namespace cellproof::lab;
  try {
    Settings settings = settings_of({arguments + 1, arguments + count});
    std::vector<std::string> lines;
    for (std::string line; std::getline(std::cin, line);)
      if (!line.empty()) lines.push_back(line);
    return Runner(std::move(settings), std::move(lines)).run();
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "cellproof-device-cases: {}\n", error.what());
    return usage;
  }
}
