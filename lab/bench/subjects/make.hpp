#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "lab/bench/subject.hpp"

namespace cellproof::lab::bench {

/// One function a kind of subject, one file each. They throw Unavailable.

/// The project's own implementation on a path that it knows by this name. Throws std::invalid_argument for others.
std::unique_ptr<Subject> make_cellproof_cpu(const Problem& problem, const std::string& path, int threads);
/// The pinned ONNX Runtime through its C interface: the session is made before, the weights are what the problem makes
/// them, the outputs are written into tensors that are there already.
std::unique_ptr<Subject> make_onnxruntime(const Problem& problem, int threads);
/// OpenVINO's CPU plugin through the C interface of its wheel, in float or with its default, which is bfloat16.
std::unique_ptr<Subject> make_openvino(const Problem& problem, int threads, bool in_float);
/// oneDNN, opened from this library; constant weights are in the order that it chose itself. `remedy` is said where the
/// library is not there.
std::unique_ptr<Subject> make_onednn(const Problem& problem, int threads, const std::string& library,
                                     std::string_view remedy);
/// Makes what one writes on a BLAS in an afternoon: one product for X ahead, one for H at each step, and the cell in a
/// loop that the compiler vectorises.
std::unique_ptr<Subject> make_openblas(const Problem& problem, int threads);

/// The judge over the outputs of the project's own implementation.
std::unique_ptr<Subject> make_residual_judge(const Problem& problem);
/// The same in Arb's balls of 128 bits.
std::unique_ptr<Subject> make_ball_judge(const Problem& problem);
/// The exact trajectory in Arb's balls, until its correct rounding is certain.
std::unique_ptr<Subject> make_ball_trajectory(const Problem& problem);
/// The naive reference over one of its number types: "mpfr50", "bin-float50", "double".
std::unique_ptr<Subject> make_reference(const Problem& problem, std::string_view real);

/// Makes the limit: what this machine can do at best for the problem, on so many cores at once.
std::unique_ptr<Subject> make_machine(const Problem& problem, int threads);

/// By the name of subject_names.cpp. Throws std::invalid_argument for a name that is not among them.
std::unique_ptr<Subject> make_subject(std::string_view name, const Problem& problem, int threads);

}  // namespace cellproof::lab::bench
