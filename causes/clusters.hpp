#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "causes/answered.hpp"

#include "spec/axis_value.hpp"
#include "spec/cause.hpp"
#include "spec/finding.hpp"

namespace cellproof::causes {

/// Has a case of these axis values all that a reduction has proved to be needed?
bool has_what_is_needed(const AxisValues& axes, const AxisValues& need);

/// Cases that nothing explains, by what they have in common: the way in which they fail, and what they need to.
///
/// A reduction that came to its end proves what its case needs. One defect has several such needs: each function that
/// an engine ignores, each output in which it shows. Needs that may be of one defect make one cluster, since nothing
/// proves a second. Cases of which nobody proved anything go where they have what is needed.
class Clusters {
 public:
  explicit Clusters(std::span<const Answered> answers);

  /// `size`: numbers in the inputs of the case.
  void add(const Finding& finding, std::size_t size);

  /// All of them, each a cause without a name, by number of cases.
  std::vector<Cause> take() const;

 private:
  struct Member {
    const Finding* finding;
    std::size_t size;
  };
  /// Cases that need the same, or of which the run blames the same.
  struct Need {
    AxisValues axes = {};
    bool is_proved = false;
    bool is_of_form = false;  ///< fails by shape, type or number of outputs, not by their values
    std::set<Operator> operators = {};
    std::vector<Member> members = {};
  };
  using Needs = std::vector<Need>;
  using Lot = std::vector<const Need*>;  ///< of one defect, as far as anybody knows

  const AxisValues* proved_need_of(const Finding& finding) const;
  AxisValues blamed_need_of(const Finding& finding) const;
  /// `left`: takes cases that have none of the needs.
  Needs needs_of(const std::vector<Member>& members, std::vector<Member>& left) const;
  static Need* home_of(Needs& needs, const Need& of);
  static std::vector<Lot> lots_of(const Needs& needs);
  static std::string title_of(const Need& named, const Lot& lot);

  std::map<std::string, AxisValues> proved_;  ///< needs, by signature
  std::map<std::string, std::vector<Member>> ways_;
};

}  // namespace cellproof::causes
