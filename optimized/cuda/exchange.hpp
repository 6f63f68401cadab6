#pragma once

#include "optimized/cuda/steps.hpp"

// Exchange of numbers between the blocks of a persistent kernel, without a barrier of all of them. A number is
// published together with its moment, the phase's step, in words that are written and read as a whole. Who needs it
// reads the words until they are of that moment: no other order of memory is needed.
//
// Nothing is overwritten too early. H has two halves: at step s + 1 a block writes where the numbers of step s - 1 are,
// and it does so only after it has read all numbers of step s. Each of these was published by a block that had read
// all numbers of step s - 1 before. The products of the reset gate have one place each, for the same reason.

namespace cellproof::cuda {

using FlaggedWord = std::uint64_t;

/// A number as it is published: 32 bits of it in each word, and its moment in the upper half.
template <class Real>
struct Flagged {
  static constexpr int words = sizeof(Real) / sizeof(std::uint32_t);

  FlaggedWord word[words];

  CELLPROOF_HD static Flagged of(Real value, std::uint32_t moment) {
    std::uint32_t parts[words];
    memcpy(parts, &value, sizeof value);
    Flagged made;
    for (int w = 0; w < words; ++w) made.word[w] = FlaggedWord{moment} << 32 | parts[w];
    return made;
  }
  CELLPROOF_HD static std::uint32_t moment_of(FlaggedWord word) { return static_cast<std::uint32_t>(word >> 32); }
  CELLPROOF_HD bool is_of(std::uint32_t moment) const {
    bool all = true;
    for (int w = 0; w < words; ++w) all = all && moment_of(word[w]) == moment;
    return all;
  }
  CELLPROOF_HD Real value() const {
    std::uint32_t parts[words];
    for (int w = 0; w < words; ++w) parts[w] = static_cast<std::uint32_t>(word[w]);
    Real value;
    memcpy(&value, parts, sizeof value);
    return value;
  }

  /// Words of 64 bits at their natural alignment, which the whole device sees old or new, and nothing in between.
  CELLPROOF_HD void publish(FlaggedWord* to) const {
    for (int w = 0; w < words; ++w) {
#ifdef __CUDA_ARCH__
      asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(to + w), "l"(word[w]) : "memory");
#else
      __atomic_store_n(to + w, word[w], __ATOMIC_RELAXED);
#endif
    }
  }
  CELLPROOF_HD static Flagged at(const FlaggedWord* from) {
    Flagged read;
    for (int w = 0; w < words; ++w) {
#ifdef __CUDA_ARCH__
      asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(read.word[w]) : "l"(from + w));
#else
      read.word[w] = __atomic_load_n(from + w, __ATOMIC_RELAXED);
#endif
    }
    return read;
  }
};

/// Published numbers, and of which moment they must be.
struct Published {
  FlaggedWord* words;  ///< null: what is needed lies in Walk::h, from before the kernel
  std::uint32_t moment;
};

/// Words that the blocks of one direction exchange. Its words are zeros when the kernel begins, of no moment: what the
/// last one left could have the moment that is needed.
template <class Real>
struct Exchange {
  static constexpr Index places = 3;  ///< for each number: two halves of H, and what the reset gate has left of it

  FlaggedWord* words;  ///< [place][rank][H]; null: the blocks wait for each other at a barrier instead
  Index numbers;       ///< of a place
  Index begin;         ///< first step of the kernel
  Index halves;        ///< of H; but for a fault that a test must see there are two

  CELLPROOF_HD static Index words_for(Index numbers) { return places * numbers * Flagged<Real>::words; }
  CELLPROOF_HD FlaggedWord* place(Index at) const { return words + at * numbers * Flagged<Real>::words; }
  CELLPROOF_HD std::uint32_t moment(Index step) const { return static_cast<std::uint32_t>(step - begin + 1); }

  /// Gives what a phase multiplies at a step.
  CELLPROOF_HD Published needed(Phase phase, Index step) const {
    if (phase == Phase::GruState) return {place(2), moment(step)};
    if (step == begin) return {nullptr, 0};
    return {place(step % halves), moment(step - 1)};
  }
  /// Gives number `at` ([rank][H]) of a phase away.
  CELLPROOF_HD void publish(Phase phase, Index step, Index at, Real value) const {
    FlaggedWord* const to = place(phase == Phase::GruGates ? 2 : (step + 1) % halves);
    Flagged<Real>::of(value, moment(step)).publish(to + at * Flagged<Real>::words);
  }
};

}  // namespace cellproof::cuda
