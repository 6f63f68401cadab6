#include <algorithm>
#include <barrier>
#include <chrono>
#include <functional>
#include <thread>

#include "lab/bench/limit.hpp"
#include "lab/bench/statistics.hpp"
#include "lab/bench/subjects/make.hpp"
#include "lab/bench/subjects/rates.hpp"
#include "optimized/cpu/team.hpp"

namespace cellproof::lab::bench {
namespace {

using MachineClock = std::chrono::steady_clock;

/// Work of a core in a second: a loop is called until the time is over, the median of its calls counts.
double rate_of(const std::function<double()>& loop, double seconds) {
  const auto end = MachineClock::now() + std::chrono::duration<double>(seconds);
  std::vector<double> rates;
  do {
    const auto begin = MachineClock::now();
    const double done = loop();
    rates.push_back(done / std::chrono::duration<double>(MachineClock::now() - begin).count());
  } while (MachineClock::now() < end);
  return quantile_of(std::move(rates), 0.5);
}

class Machine : public Subject {
 public:
  Machine(const Problem& problem, int threads)
      : threads_(static_cast<std::size_t>(threads)), loops_(best_loops()), team_(threads_) {
    // float16 is widened to float: its products are exact there, and its sums are float's.
    if (problem.input(input::X)->type() == ElementType::Double) throw Unavailable("no rates are measured for double");
    try {
      work_ = work_of(problem);
    } catch (const std::invalid_argument& reason) {
      throw Unavailable(reason.what());
    }
    // Each core reads a part of R, so it is the part that must fit its caches.
    constexpr std::size_t unit = 512, shortest = 4096;
    const auto part = static_cast<std::size_t>(work_.bytes_of_R) / threads_;
    const std::size_t bytes = std::max(shortest, (part + unit - 1) / unit * unit);
    for (std::size_t thread = 0; thread < threads_; ++thread) {
      memory_.emplace_back(bytes, std::byte{1});
      values_.emplace_back(values_at_once, 0.5F);
    }
  }

  std::string version() const override { return loops_.name; }

  Figures measure(double seconds) override {
    const double each = seconds / (team_.size() > 1 ? 5 : 4);
    const auto products = work_.of_bytes      ? loops_.byte_multiply_adds
                          : work_.of_bfloat16 ? loops_.bfloat16_multiply_adds
                                              : loops_.multiply_adds;
    Figures figures{
        {"multiply_adds", on_all_cores(each, [&](std::size_t) { return products(20'000); })},
        {"bytes_read", on_all_cores(each, [&](std::size_t thread) { return read(thread); })},
        {"sigmoids", on_all_cores(each, [&](std::size_t thread) { return apply(cpu::Function::Sigmoid, thread); })},
        {"tanhs", on_all_cores(each, [&](std::size_t thread) { return apply(cpu::Function::Tanh, thread); })}};
    if (team_.size() > 1) figures.emplace_back("meetings", rate_of([&] { return meet(); }, each));
    return figures;
  }

 private:
  static constexpr std::size_t values_at_once = 2048;  // 8 KiB: the nearest cache

  /// The sum of what all cores get done in a second while all of them are at it.
  double on_all_cores(double seconds, const std::function<double(std::size_t)>& loop) {
    std::vector<double> rates(threads_);
    std::barrier start(static_cast<std::ptrdiff_t>(threads_));
    std::vector<std::thread> others;
    const auto measure_one = [&](std::size_t thread) {
      start.arrive_and_wait();
      rates[thread] = rate_of([&] { return loop(thread); }, seconds);
    };
    for (std::size_t thread = 1; thread < threads_; ++thread) others.emplace_back(measure_one, thread);
    measure_one(0);
    for (std::thread& other : others) other.join();
    double sum = 0;
    for (const double rate : rates) sum += rate;
    return sum;
  }

  /// Long enough that the clock's own time is no part of it, however small R is.
  double read(std::size_t thread) const {
    double bytes = 0;
    while (bytes < 4e6) bytes += loops_.read(memory_[thread]);
    return bytes;
  }

  /// As the threads of our implementation meet after each step.
  double meet() {
    constexpr int times = 10'000;
    team_.run([&](std::size_t) {
      for (int i = 0; i < times; ++i) team_.meet();
    });
    return times;
  }

  double apply(cpu::Function function, std::size_t thread) {
    constexpr int times = 8;
    std::vector<float>& values = values_[thread];
    for (int i = 0; i < times; ++i) loops_.functions.activate({function, 0, 0}, values.data(), values.size());
    return static_cast<double>(times) * static_cast<double>(values.size());
  }

  std::size_t threads_;
  const BareLoops& loops_;
  Work work_;
  std::vector<std::vector<std::byte>> memory_;
  std::vector<std::vector<float>> values_;
  cpu::Team team_;
};

}  // namespace

std::unique_ptr<Subject> make_machine(const Problem& problem, int threads) {
  return std::make_unique<Machine>(problem, threads);
}

}  // namespace cellproof::lab::bench
