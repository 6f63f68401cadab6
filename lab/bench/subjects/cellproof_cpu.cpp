#include "optimized/cpu/cellproof_cpu.h"

#include <array>

#include "engines/node/node_description.hpp"
#include "lab/bench/subjects/make.hpp"

namespace cellproof::lab::bench {
namespace {

class CellproofCpu : public Subject {
 public:
  CellproofCpu(const Problem& problem, cellproof_cpu_path path, int threads)
      : problem_(problem), description_(problem_), outputs_(engines::empty_outputs(problem_)) {
    const cellproof_cpu_options options{path, threads};
    cellproof_cpu_plan* prepared = nullptr;
    if (cellproof_cpu_prepare(&description_.node(), &options, &prepared, message_.data(), message_.size()) !=
        CELLPROOF_OK)
      throw Unavailable(message_.data());
    plan_.reset(prepared);
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      if (outputs_[i]) data_.at(i) = outputs_[i]->bytes().data();
  }

  std::string version() const override {
    return std::string(CELLPROOF_VERSION " ") + cellproof_cpu_path_of(plan_.get());
  }
  void run() override {
    if (cellproof_cpu_run(plan_.get(), description_.data().data(), data_.data(), message_.data(), message_.size()) !=
        CELLPROOF_OK)
      throw std::runtime_error(message_.data());
  }
  Outputs outputs() override { return outputs_; }

 private:
  struct Release {
    void operator()(cellproof_cpu_plan* plan) const { cellproof_cpu_release(plan); }
  };

  Problem problem_;
  engines::NodeDescription description_;
  Outputs outputs_;
  std::array<void*, CELLPROOF_OUTPUTS> data_{};
  std::array<char, 512> message_{};
  std::unique_ptr<cellproof_cpu_plan, Release> plan_;
};

}  // namespace

std::unique_ptr<Subject> make_cellproof_cpu(const Problem& problem, const std::string& path, int threads) {
  cellproof_cpu_path known = CELLPROOF_CPU_PATH_AUTO;
  if (cellproof_cpu_path_named(path.c_str(), &known) == 0)
    throw std::invalid_argument("cellproof-cpu has no path '" + path + "'");
  return std::make_unique<CellproofCpu>(problem, known, threads);
}

}  // namespace cellproof::lab::bench
