#include <algorithm>
#include <array>
#include <utility>

#include "optimized/cuda/backend.hpp"

namespace cellproof::cuda {
namespace {

/// Calls work(std::integral_constant) of a phase that is known only now.
template <class Work>
auto with_phase(Phase phase, Work work) {
  switch (phase) {
    case Phase::Lstm:
      return work(std::integral_constant<Phase, Phase::Lstm>{});
    case Phase::GruAfterReset:
      return work(std::integral_constant<Phase, Phase::GruAfterReset>{});
    case Phase::GruGates:
      return work(std::integral_constant<Phase, Phase::GruGates>{});
    case Phase::GruState:
      return work(std::integral_constant<Phase, Phase::GruState>{});
    case Phase::Rnn:
      break;
  }
  return work(std::integral_constant<Phase, Phase::Rnn>{});
}

/// Phases of a step.
std::vector<Phase> phases_of(Recurrence recurrence) {
  switch (recurrence) {
    case Recurrence::Lstm:
      return {Phase::Lstm};
    case Recurrence::GruAfterReset:
      return {Phase::GruAfterReset};
    case Recurrence::GruBeforeReset:
      return {Phase::GruGates, Phase::GruState};
    case Recurrence::Rnn:
      break;
  }
  return {Phase::Rnn};
}

template <Storage storage>
using Slice = std::vector<typename Kept<storage>::Word>;

/// The rows of R that a block keeps.
template <Storage storage>
Slice<storage> slice_of(const PersistentDirections<storage>& persistent, Index block) {
  const Persistent<storage>& direction = persistent.of_block(block);
  const Index within = persistent.within(block), H = direction.walk.H;
  Slice<storage> slice;
  for (Index row = 0; row < direction.kept_rows(within); ++row)
    for (Index word = 0; word < Kept<storage>::words_of_row(H); ++word)
      slice.push_back(Kept<storage>::word(direction.kept_row(within, row), H, word));
  return slice;
}

/// Every `stride`th unit of a block in a phase, from unit `first` on.
template <Storage storage>
void take_units(const PersistentDirections<storage>& persistent, Index block, Phase phase, const Moment& moment,
                const Slice<storage>& kept, const RealOf<storage>* multiplied,
                const Exchange<RealOf<storage>>& exchange, Index first, Index stride) {
  const auto take = [&](const auto& sums) {
    for (Index i = first; i < sums.count(); i += stride) host_group(sums, i);
  };
  with_phase(phase, [&](auto known) {
    const Persistent<storage>& own = persistent.of_block(block);
    const Index within = persistent.within(block);
    if (moment.running == 1)
      take(UnitSums<storage, known, 1>(own, within, moment, kept.data(), multiplied, exchange));
    else
      take(UnitSums<storage, known, rows_at_once>(own, within, moment, kept.data(), multiplied, exchange));
  });
}

constexpr Index warps_of_block = 2;

/// State that the warps of a block have in common.
template <Storage storage>
struct Block {
  Index number;
  Slice<storage> kept;
  std::array<std::vector<RealOf<storage>>, gatherings> gathered;  ///< [rank][H]
  Index arrived = 0;  ///< warps that have come to a barrier of the block, all phases together
};

/// A warp that goes on whenever it is let, by a number that it gathers or a unit that it computes: as on a device it
/// may be ahead of all others, but for the words that it needs and its block's barrier.
template <Storage storage>
class Warp {
 public:
  using Real = RealOf<storage>;

  Warp(const PersistentDirections<storage>& all, Recurrence recurrence, const Faults& faults, Block<storage>& block,
       Index warp)
      : all_(all),
        own_(all.of_block(block.number)),
        phases_(phases_of(recurrence)),
        faults_(faults),
        block_(block),
        warp_(warp),
        next_(warp) {}

  bool is_done() const { return own_.begin + taken_ / count_of_phases() >= own_.end; }

  /// False: what it needs is not there yet.
  bool go_on() {
    const Phase phase = phases_[static_cast<std::size_t>(taken_ % count_of_phases())];
    const Moment moment = own_.at(own_.begin + taken_ / count_of_phases());
    const Index places = faults_.one_gathering ? 1 : gatherings;
    std::vector<Real>& gathered = block_.gathered[static_cast<std::size_t>(taken_ % places)];
    if (stage_ == Stage::Gather) {
      if (next_ < moment.running * own_.walk.H) return gather(phase, moment, gathered);
      ++block_.arrived;
      stage_ = Stage::Wait;
      return true;
    }
    if (stage_ == Stage::Wait) {
      if (block_.arrived < (taken_ + 1) * warps_of_block) return false;
      stage_ = Stage::Compute;
      next_ = warp_;
      return true;
    }
    const Index units = own_.units(all_.within(block_.number));
    if (next_ < units) {
      take_units(all_, block_.number, phase, moment, block_.kept, gathered.data(), own_.exchange, next_, units);
      next_ += warps_of_block;
      return true;
    }
    ++taken_;
    stage_ = Stage::Gather;
    next_ = warp_;
    return true;
  }

 private:
  enum class Stage { Gather, Wait, Compute };

  Index count_of_phases() const { return static_cast<Index>(phases_.size()); }

  bool gather(Phase phase, const Moment& moment, std::vector<Real>& into) {
    const Published needed = own_.exchange.needed(phase, moment.step);
    Real value = 0;
    if (needed.words == nullptr) {
      value = own_.walk.h_before(moment.step)[next_];
    } else {
      const auto read = Flagged<Real>::at(needed.words + next_ * Flagged<Real>::words);
      if (!read.is_of(needed.moment) && (!faults_.any_moment || read.is_of(0))) return false;
      value = read.value();
    }
    into[static_cast<std::size_t>(next_)] = value;
    next_ += warps_of_block;
    return true;
  }

  const PersistentDirections<storage>& all_;
  const Persistent<storage>& own_;
  std::vector<Phase> phases_;
  const Faults& faults_;
  Block<storage>& block_;
  Index warp_, next_;  ///< number or unit
  Index taken_ = 0;    ///< phases
  Stage stage_ = Stage::Gather;
};

/// Lets warps go on, one for a while and then another: a quarter of the times as far as it can.
template <Storage storage>
void let_go_on(std::vector<Warp<storage>>& warps, std::uint64_t seed) {
  std::uint64_t state = seed * 2862933555777941757U + 3037000493U;
  const auto run = [](Warp<storage>& warp, std::uint64_t most) {
    std::uint64_t done = 0;
    while (done < most && !warp.is_done() && warp.go_on()) ++done;
    return done > 0;
  };
  const auto is_done = [](const Warp<storage>& warp) { return warp.is_done(); };
  while (!std::ranges::all_of(warps, is_done)) {
    bool any = false;
    for (std::size_t turn = 0; turn < 2 * warps.size(); ++turn) {
      state = state * 3202034522624059733U + 1;
      const std::uint64_t most = state >> 62 == 0 ? UINT64_MAX : (state >> 32) % 40 + 1;
      any = run(warps[(state >> 40) % warps.size()], most) || any;
    }
    if (any) continue;
    for (Warp<storage>& warp : warps) any = run(warp, 1) || any;
    if (!any) throw DeviceFailure("the blocks of a persistent kernel wait for numbers that never come");
  }
}

template <Storage storage>
void persist_exchanging(Recurrence recurrence, const PersistentDirections<storage>& persistent, const Faults& faults,
                        std::uint64_t seed) {
  std::vector<Block<storage>> blocks(static_cast<std::size_t>(persistent.blocks()));
  std::vector<Warp<storage>> warps;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    Block<storage>& block = blocks[b];
    block.number = static_cast<Index>(b);
    block.kept = slice_of(persistent, block.number);
    const Walk<RealOf<storage>>& walk = persistent.of_block(block.number).walk;
    for (auto& gathered : block.gathered) gathered.resize(static_cast<std::size_t>(walk.N * walk.H));
    for (Index warp = 0; warp < warps_of_block; ++warp) warps.emplace_back(persistent, recurrence, faults, block, warp);
  }
  let_go_on(warps, seed);
}

template <Storage storage>
void persist_with_barrier(Recurrence recurrence, const PersistentDirections<storage>& persistent) {
  std::vector<Slice<storage>> kept;
  for (Index block = 0; block < persistent.blocks(); ++block) kept.push_back(slice_of(persistent, block));
  for (Index step = persistent.of[0].begin; step < persistent.of[0].end; ++step)
    for (const Phase phase : phases_of(recurrence))
      for (Index block = 0; block < persistent.blocks(); ++block) {
        const Persistent<storage>& own = persistent.of_block(block);
        take_units<storage>(persistent, block, phase, own.at(step), kept[static_cast<std::size_t>(block)],
                            own.walk.multiplied(phase, step), {}, 0, 1);
      }
}

}  // namespace

template <Storage storage>
void persist_on_host(Recurrence recurrence, const PersistentDirections<storage>& persistent, const Faults& faults,
                     std::uint64_t seed) {
  if (persistent.of[0].exchange.words == nullptr) return persist_with_barrier(recurrence, persistent);
  persist_exchanging(recurrence, persistent, faults, seed);
}

template void persist_on_host(Recurrence, const PersistentDirections<Storage::Float16>&, const Faults&, std::uint64_t);
template void persist_on_host(Recurrence, const PersistentDirections<Storage::BFloat16>&, const Faults&, std::uint64_t);
template void persist_on_host(Recurrence, const PersistentDirections<Storage::Float>&, const Faults&, std::uint64_t);
template void persist_on_host(Recurrence, const PersistentDirections<Storage::Double>&, const Faults&, std::uint64_t);

}  // namespace cellproof::cuda
