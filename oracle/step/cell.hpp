#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/step/activation.hpp"
#include "spec/problem.hpp"
#include "spec/readings.hpp"

namespace cellproof::oracle {

/// Places in which clip acts besides the inputs of f and g (clip-scope).
enum class ClipScope { GatesOnly, ArgumentOfH, StoredCell };

/// input_forget: which of the two coupled gates is computed, and which is one minus it.
enum class Coupling { Uncoupled, InputLeads, ForgetLeads };

/// The matrices of a cell by column, and what is known of their rows.
struct CellWeights {
  std::vector<double> W;             ///< [inputs][rows]
  std::vector<double> R;             ///< [hidden][rows]
  std::vector<int> W_grid, R_grid;   ///< [rows] grid of all weights of a row (oracle/step/grid.hpp)
  std::vector<double> W_sum, R_sum;  ///< [rows] sums of magnitudes

  bool operator==(const CellWeights&) const = default;
};
CellWeights weights_of(const Problem& problem, const Readings& readings, int direction);

/// One direction of a node, resolved under a choice of readings: weights by column, so that one step's sums run over
/// all rows of all gates at once. A row is gate * units + unit, gates in the order of W, R and B.
struct Cell : CellWeights {
  Operator op = Operator::LSTM;
  int inputs = 0, hidden = 0, gates = 0;
  int units = 0, first_unit = 0;  ///< those that the rows are of: all, or the one that it is narrowed to
  int rows = 0;                   ///< gates * units
  int terms = 0;                  ///< addends of one pre-activation, biases and peephole included
  std::vector<double> Wb, Rb;     ///< [rows]; zeros where B is absent
  std::vector<double> P;          ///< [3 * units] in the order i o f; empty where absent
  std::array<Activation, 3> activation;
  std::optional<double> clip;
  ClipScope clip_scope = ClipScope::ArgumentOfH;
  Coupling coupling = Coupling::Uncoupled;
  bool linear_before_reset = false;
  bool absent_initial_c = false;
  bool skips_absent_c = false;  ///< then the first cell is i (.) c~ alone (absent-initial-c)

  /// W_grid, R_grid and the sums of magnitudes, after the weights were changed.
  void summarise_weights();
  /// Leaves the rows of one unit, which is all that its elements depend on. False where they depend on other units'
  /// gates: then it stays as it is.
  bool narrow_to(int unit);

  bool operator==(const Cell&) const = default;
};

/// Throws std::invalid_argument where activations cannot be resolved.
Cell cell_of(const Problem& problem, const Readings& readings, int direction);
/// The same where the weights are known.
Cell cell_of(const Problem& problem, const Readings& readings, int direction, CellWeights weights);

}  // namespace cellproof::oracle
