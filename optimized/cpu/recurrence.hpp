#pragma once

#include <utility>
#include <vector>

#include "optimized/cpu/buffer.hpp"
#include "optimized/cpu/factors.hpp"
#include "optimized/cpu/kernels.hpp"
#include "optimized/cpu/plan.hpp"
#include "optimized/cpu/schedule.hpp"
#include "optimized/cpu/sequences.hpp"
#include "optimized/cpu/team.hpp"
#include "optimized/cpu/weights.hpp"

namespace cellproof::cpu {

/// LSTM, GRU and RNN with float weights (or 16-bit ones, widened or in pairs) and double ones: the walk over
/// directions, steps and panels. At every step, panel by panel, the product with X, the product with H(t-1), and the
/// cell on top of the two while they are in the cache.
///
/// Threads share the rows, and never meet, or, where the rows are few or the weights too many for one core's cache, the
/// hidden units, and meet at each step. The input's product is computed ahead for a chunk of steps, unless one step has
/// rows enough. How a row's sums are rounded depends on N, T and on whether the weights come with the run, not on the
/// threads.
template <class Real>
class Recurrence : public Executor {
 public:
  Recurrence(const Node& node, const Kernels<Real>& kernels, ScheduleOf* schedule_of, std::size_t threads);
  void pack_constants(const Arguments& constants) override;
  void run(const Arguments& arguments) override;

 private:
  struct Direction {
    Weights<Real> weights;
    Factors<Real> factors;
    Buffer<Real> h[2];                 ///< step s reads h[s % 2] and writes the other
    Buffer<Real> c, z, reset;          ///< by row
    std::vector<Buffer<Real>> inputs;  ///< by product: [row of a step of the chunk][vector][lane], computed ahead
  };
  /// A thread's share of a direction: some rows, and the part'th of `parts` shares of the hidden units.
  struct Share {
    std::size_t direction, row_begin, row_end, part, parts;
    std::size_t thread;
  };
  /// Memory of one thread.
  struct Scratch {
    Buffer<Real> input, recurrent;  ///< products of one tile
    FactorRows<Real> x_rows;        ///< of the chunk, or of the step where nothing is computed ahead
    FactorRows<Real> h_rows;        ///< of the step
  };
  /// A share's rows that still run at a step, and how many of its chunk come before them.
  struct Step {
    std::size_t number, rows, ahead;
  };
  enum class Side : char { X, H };
  /// Some rows of one panel of one product.
  struct Tile {
    std::size_t product, panel, row, rows, step, ahead;
  };

  /// Those of W and R, and those of B and P, where they are to be loaded.
  void load_weights(const Arguments& arguments, bool matrices, bool vectors, bool is_R_needed);
  void walk(const Share& share);
  void load_state(const Share& share);
  void store_state(const Share& share);
  void load_x(const Share& share, std::size_t step, std::size_t rows);
  void multiply_ahead(const Share& share, std::size_t step);
  Real* ahead(const Share& share, std::size_t product, std::size_t row);
  Multiplication<Real> multiplication(const Product<Real>& product, std::size_t panel, Side side,
                                      const Real* const* rows, std::size_t count, Real* out, std::size_t stride) const;
  /// out[row] = bias + rows[row] times the weights that belong to X or to H, for one panel's columns.
  void multiply(std::size_t direction, const Product<Real>& product, std::size_t panel, Side side,
                const FactorRows<Real>& rows, std::size_t first, std::size_t count, Real* out,
                std::size_t stride) const;
  void add_h(const Product<Real>& product, const Factors<Real>& factors, std::size_t panel,
             const FactorRows<Real>& rows, std::size_t first, TileProduct<Real>& sum) const;
  void multiply_both(const Share& share, const Tile& tile, Real* out, std::size_t stride);
  void step_product(const Share& share, std::size_t product, const Step& step);
  void compute(const Share& share, const Tile& tile);
  LstmStep<Real> lstm_step(const Share& share, const Tile& tile, const Gates<Real>& gates);
  void apply_cell(const Share& share, const Tile& tile, const Gates<Real>& gates);
  /// Those [begin, end) that a share computes of a product.
  std::pair<std::size_t, std::size_t> units_of(const Share& share, const Product<Real>& product) const;
  /// Hands on what this share has just computed of r * H to the step's second product.
  void store_reset(const Share& share, std::size_t rows);
  /// The same of H, to Y and to the next step's first product.
  void store_h(const Share& share, std::size_t step, std::size_t rows);

  bool is_ahead() const { return schedule_.chunk > 0; }

  const Node& node_;
  const Kernels<Real>& kernels_;
  Sequences sequences_;
  Schedule schedule_;
  std::size_t state_stride_;  ///< elements between the rows of a state
  /// nullptr, or makes the cell together with the product of H, where there is one row
  decltype(Kernels<Real>::lstm_of_row) lstm_of_row_ = nullptr;
  bool matrices_are_packed_ = false, vectors_are_loaded_ = false;
  bool packs_nothing_ = false;  ///< weights that come with the run: they are multiplied where they are
  Arguments arguments_;
  std::vector<Direction> directions_;
  std::vector<Scratch> scratch_;  ///< by thread
  Buffer<Real> zeros_;
  Team team_;
};

}  // namespace cellproof::cpu
