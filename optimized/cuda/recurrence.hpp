#pragma once

#include <array>
#include <vector>

#include "optimized/cuda/executor.hpp"

namespace cellproof::cuda {

/// Base of float and quantised recurrences: state, biases and peepholes of a direction in Real, and the walk over
/// them.
template <class Real>
class RecurrenceOf : public Executor {
 public:
  RecurrenceOf(const Node& node, Backend& backend, const Setting& setting);

 protected:
  /// B and P widened.
  void pack_vectors();
  /// The initial states into the first half of h, and into c.
  void load_states(Index direction);
  void store_states(Index direction);
  /// The walk of a direction while steps of the chunk that begins with row `first_row` are taken.
  Walk<Real> walk_of(Index direction, Index first_row) const;
  Index columns() const { return node_.geometry.G * node_.geometry.H; }

  /// Memory that the steps of a direction work on; each has its own, so that both can run at once.
  struct Scratch {
    Memory<Real> inputs;     ///< the products of X of a chunk: [row of the chunk][G * H]
    Memory<Real> recurrent;  ///< [rank][G * H]
    Memory<Real> h, c, z, reset;
    Memory<std::uint16_t> words;    ///< h as it is stored, where R is multiplied with that
    Memory<std::uint16_t> split;    ///< Walk::split
    Memory<FlaggedWord> published;  ///< Exchange::words
  };
  const Scratch& scratch(Index direction) const { return scratch_[static_cast<std::size_t>(direction)]; }
  Scratch& scratch(Index direction) { return scratch_[static_cast<std::size_t>(direction)]; }
  /// The products of X and their chunk, whose rows take so many bytes more than these products.
  void reserve_chunks(std::size_t more_bytes_of_row);
  int directions() const { return static_cast<int>(node_.geometry.D); }
  /// Calls work(direction) for each, on its own branch.
  template <class Work>
  void each_direction(Work work) {
    for (int d = 0; d < directions(); ++d) {
      backend_.use_branch(d);
      work(Index{d});
    }
  }

  Index parts_ = 0;  ///< Walk::parts
  Index chunk_ = 1;  ///< steps whose products of X are computed ahead

 private:
  Memory<Real> bias_, peepholes_;  ///< [D][2][G * H], [D][3][H]
  std::vector<Scratch> scratch_;   ///< by direction
};

/// A node of floating-point numbers, computed in Real.
template <class Real>
class FloatRecurrence : public RecurrenceOf<Real> {
 public:
  FloatRecurrence(const Node& node, Backend& backend, const Setting& setting);
  const char* path() const override;

 protected:
  void pack() override;
  void compute() override;
  Index launches() const override;

 private:
  void choose_persistence(const Setting& setting);
  /// Memory for the rows of X of a chunk, and for H as it is stored.
  void make_room_for_rows();
  /// R of gate h in parts, and memory for what is multiplied with them.
  void make_room_for_split();
  bool has_few_rows() const { return this->node_.geometry.N <= this->backend_.limits().few_rows; }
  Recurrence recurrence() const;
  void multiply_ahead(Index direction, Index begin, Index end);
  void persist(const std::array<Walk<Real>, 2>& walks, Index begin, Index end);
  template <Storage storage>
  void persist_stored(const std::array<Walk<Real>, 2>& walks, Index begin, Index end);
  Exchange<Real> exchange_of(Index direction, Index begin) const;
  /// All steps, persistent or one by one. Throws PersistentRefused.
  void compute_steps();
  void take_step(const Walk<Real>& walk, Index direction, Index step);
  template <Phase phase>
  void take_phase(const Walk<Real>& walk, Index direction, Index step);
  /// W or R of a direction as it is stored, [G * H][width].
  template <class Element>
  const Element* weights(std::size_t input, Index direction, Index width) const;

  Persistence persistence_;              ///< no blocks: each step is launched
  bool is_persistence_refused_ = false;  ///< when it was tried
  bool is_in_words_ = false;             ///< X, W and R are stored in 16 bits
  bool rounds_h_ = false;                ///< R is multiplied with H as it is stored in 16 bits
  Memory<std::uint16_t> split_r_;        ///< R of gate h in bfloat16 parts: [D][part][H][H]
  std::vector<Memory<Real>> x_;          ///< by direction: the rows of a chunk
  std::vector<Memory<std::uint16_t>> x_words_;
};

}  // namespace cellproof::cuda
