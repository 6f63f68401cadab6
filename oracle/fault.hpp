#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/departures.hpp"
#include "spec/problem.hpp"

namespace cellproof::oracle {

enum class FaultClass {
  GateOrder,
  Bias,
  Peephole,
  Clip,
  Activation,
  Direction,
  Layout,
  Lengths,
  States,
  Outputs,
  Precision,
  Quantisation,
  Corner,
};
std::string_view name(FaultClass c);
std::span<const FaultClass> fault_classes();

using Outputs = std::vector<std::optional<Tensor>>;

/// A question to the judge as a fault presents it: what a faulty engine has made of the problem, what its outputs would
/// have been without the fault's last part, and how its steps depart.
struct View {
  Problem problem;
  Outputs outputs;
  Departures departures;
};

/// One way to be wrong, as data: outputs of an implementation with this fault and no other conform when they are judged
/// through it.
struct Fault {
  std::string id;  ///< "gate-order-ifoc"
  /// The axes on which it shows, with blanks between them: a family stands for each of its axes, "?" behind what it may
  /// need besides, "|" between alternatives. "-": it shows at every axis's default.
  std::string blames;
  FaultClass cls;
  std::string what;                           ///< what such an implementation does, as a sentence
  std::vector<Operator> operators;            ///< where it can occur
  std::function<bool(const Problem&)> needs;  ///< can it act on this problem at all?
  /// Changes the view. False where the outputs show that this fault is not there.
  std::function<bool(View&)> put_on;
  std::string base = "";  ///< the fault that this one is where it acts at all; "" where there is no such fault

  bool applies(const Problem& problem) const;
};

/// All of them, by class.
std::span<const Fault> faults();
/// nullptr for an unknown id.
const Fault* fault_named(std::string_view id);

}  // namespace cellproof::oracle
