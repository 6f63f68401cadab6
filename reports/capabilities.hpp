#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/render.hpp"
#include "spec/axis_value.hpp"

namespace cellproof::reports {

/// The fate of something that a case asks for.
enum class Support { Supported, Refused, Broken };
std::string_view name(Support support);

/// The fate of a case that differs from a plain one in one axis.
struct Capability {
  AxisValue change;
  Support support = Support::Supported;
  std::string message;    ///< the engine's, or what is wrong; "" where it is supported
  std::string case_line;  ///< one case for it
};

/// Capabilities of an engine in one operator, by single changes from a plain case: float, sizes aside everything at its
/// default.
struct Capabilities {
  std::string engine;
  OperatorVersion version;                   ///< the newest of which it runs the plain case, else the newest
  Support plain = Support::Supported;        ///< the plain case of that version
  std::string message;                       ///< of the plain case, as for a change
  std::vector<Capability> changes;           ///< by axis, then value; versions are changes, too
  std::size_t count(Support support) const;  ///< of the changes
};

/// By engine and operator, where a plain case was asked. Cases that must be refused say nothing here, and neither do
/// laws and cases of unusual data.
std::vector<Capabilities> capabilities_of(const ReportData& data);

}  // namespace cellproof::reports
