#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/suite.hpp"

namespace cellproof::corpus::catalogue {

/// Axis values (spec/axes.hpp) to be applied to a case in this order.
using Choices = std::vector<std::pair<std::string_view, std::string_view>>;

/// The case with every choice made; choices on axes that the version does not have are passed over.
Case chosen(Case c, const Choices& choices);

/// "clip=biting,direction=reverse"
std::string to_string(const Choices& choices);

/// The basis with every optional input given: biases, ragged lengths, states and peepholes.
Case rich(OperatorVersion version);

/// The case with activation_alpha and activation_beta written where some function takes one.
Case with_given_parameters(Case c);

/// Softplus in the last slot, and a state that grows beyond 88, where a literally evaluated e^x overflows in float.
Case growing_softplus(OperatorVersion version);

/// The cases of a suite in the making; a case that is there already under another name is not added again.
class CaseList {
 public:
  /// The name gets the version in front.
  void add(const std::string& name, Case c);
  std::vector<SuiteCase> take() { return std::move(cases_); }

 private:
  std::vector<SuiteCase> cases_;
};

/// Each appends its part of the suite for one operator version.
void add_alone(OperatorVersion version, CaseList& list);        ///< one axis value at a time
void add_against(OperatorVersion version, CaseList& list);      ///< one value against each direction and layout
void add_activations(OperatorVersion version, CaseList& list);  ///< every function in every slot, alpha and beta
void add_sizes(OperatorVersion version, CaseList& list);        ///< one, vector widths and their neighbours
void add_mixed(OperatorVersion version, CaseList& list);        ///< all axes at once, for the older versions

}  // namespace cellproof::corpus::catalogue
