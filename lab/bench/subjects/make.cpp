#include "lab/bench/subjects/make.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "engines/paths.hpp"

namespace cellproof::lab::bench {

std::unique_ptr<Subject> make_subject(std::string_view name, const Problem& problem, int threads) {
  constexpr std::string_view own = "cellproof-cpu", forced = "cellproof-cpu@";
  if (name == own) return make_cellproof_cpu(problem, "auto", threads);
  if (name.starts_with(forced)) return make_cellproof_cpu(problem, std::string(name.substr(forced.size())), threads);
  if (name == "onnxruntime") return make_onnxruntime(problem, threads);
  if (name == "openvino") return make_openvino(problem, threads, true);
  if (name == "openvino-bf16") return make_openvino(problem, threads, false);
  if (name == "onednn-3")
    return make_onednn(problem, threads, (engines::project_root() / ".deps/onednn-3.2.0/lib/libdnnl.so.3").string(),
                       "setup/dependencies.sh onednn fetches it");
  if (name == "onednn-3-sycl")
    return make_onednn(problem, threads, (engines::project_root() / ".deps/onednn-3.13.2/lib/libdnnl.so.3").string(),
                       "setup/dependencies.sh onednn-sycl fetches it");
  if (name == "onednn-2")
    return make_onednn(problem, threads, "libdnnl.so.2", "setup/packages.sh bench installs Debian's libdnnl2");
  if (name == "openblas-per-step") return make_openblas(problem, threads);
  if (name == "residual-judge") return make_residual_judge(problem);
  if (name == "arb-judge") return make_ball_judge(problem);
  if (name == "arb-trajectory") return make_ball_trajectory(problem);
  if (name == "reference-mpfr50") return make_reference(problem, "mpfr50");
  if (name == "reference-bin-float50") return make_reference(problem, "bin-float50");
  if (name == "reference-double") return make_reference(problem, "double");
  if (name == machine_subject) return make_machine(problem, threads);
  throw std::invalid_argument(fmt::format("there is no subject '{}'", name));
}

}  // namespace cellproof::lab::bench
