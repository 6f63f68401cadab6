#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/contract.hpp"
#include "spec/problem.hpp"

namespace cellproof::lab::bench {

/// Why a subject is unavailable: what it is made of is not on this machine, or it has no way to compute the problem.
/// One line.
class Unavailable : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Named figures, in seconds or per second, of one measurement.
using Figures = std::vector<std::pair<std::string, double>>;

/// Somebody whose time is measured over one problem. Its constructor does all that a user does once: libraries opened,
/// constant weights packed, sessions made, memory reserved.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual std::string version() const = 0;
  /// Measures for about so many seconds; by default {"seconds", the median time of one run()}.
  virtual Figures measure(double seconds);
  /// One run from input tensors to output tensors, the thing that is measured.
  virtual void run() {}
  /// Returns what the last run left, by position as the node's outputs; empty where there is nothing to compare.
  virtual Outputs outputs() { return {}; }
};

/// The names of all subjects that the subject program knows, by what they compete in. The first of them is the
/// one that the others are compared with.
std::span<const std::string_view> engine_subjects();
std::span<const std::string_view> judge_subjects();
/// The project's own implementation on each of its paths: measured where they are asked for.
std::span<const std::string_view> path_subjects();
/// The contract under which one of them computes tensors of a type; nullopt: the type's default.
std::optional<ContractId> declared_contract(std::string_view subject, ElementType type);
/// The one that measures what the machine can do: {"multiply_adds", "bytes_read", "sigmoids", "tanhs"} per second.
inline constexpr std::string_view machine_subject = "machine";

}  // namespace cellproof::lab::bench
