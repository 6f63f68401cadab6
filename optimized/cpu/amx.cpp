// Products in the tile registers of AMX. The instructions are written as assembly because gcc 12 has intrinsics for
// them that take the number of a register as a token of the preprocessor only.
#include "optimized/cpu/amx.hpp"

#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace cellproof::cpu {
namespace {

/// A tile has up to 16 rows of 64 bytes.
constexpr std::size_t most_rows_of_tile = 16, row_bytes = 64, group_bytes = 4, groups_of_tile = row_bytes / group_bytes;
constexpr std::size_t tile_bytes = most_rows_of_tile * row_bytes;

template <int tile>
void clear() {
  asm volatile("tilezero %%tmm%c0" : : "i"(tile));
}

template <int tile>
void load(const void* from, std::size_t stride) {
  asm volatile("tileloadd (%0,%1,1), %%tmm%c2" : : "r"(from), "r"(stride), "i"(tile) : "memory");
}

template <int tile>
void store(void* to, std::size_t stride) {
  asm volatile("tilestored %%tmm%c2, (%0,%1,1)" : : "r"(to), "r"(stride), "i"(tile) : "memory");
}

struct DotOfPairs {
  template <int sums, int rows, int weights>
  static void add() {
    asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(sums), "i"(rows), "i"(weights));
  }
};

struct DotOfQuads {
  template <int sums, int rows, int weights>
  static void add() {
    asm volatile("tdpbusd %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(sums), "i"(rows), "i"(weights));
  }
};

/// Use of the registers: sums in 0 to 3, rows in 4 and 5, weights in 6 and 7. Rows of fewer than 17 fill one tile,
/// which is multiplied with up to four vectors at once; others fill two, and take two vectors.
constexpr int first_rows = 4, second_rows = 5, first_weights = 6, second_weights = 7;
constexpr std::size_t vectors_of_one = 4, vectors_of_two = 2;

/// The registers' shapes, as LDTILECFG reads them. It takes 200 cycles, as many as a dozen products do.
struct alignas(64) Shapes {
  Shapes(std::size_t first, std::size_t second) {
    std::fill_n(bytes, 8, std::uint16_t{row_bytes});
    std::fill_n(rows, 8, static_cast<std::uint8_t>(most_rows_of_tile));
    const bool has_two = second > 0;
    for (const int i : {0, 1, first_rows}) rows[i] = static_cast<std::uint8_t>(first);
    for (const int i : {2, 3, second_rows}) rows[i] = static_cast<std::uint8_t>(has_two ? second : first);
  }
  void load() const { asm volatile("ldtilecfg %0" : : "m"(*this)); }

  std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
  std::uint16_t bytes[16] = {};
  std::uint8_t rows[16] = {};
};

/// Rows of the first and of the second tile that the thread's registers are made for; none where they are released.
thread_local std::size_t rows_of_shapes[2] = {};

void use_shapes(std::size_t first, std::size_t second) {
  if (rows_of_shapes[0] == first && rows_of_shapes[1] == second) return;
  Shapes(first, second).load();
  rows_of_shapes[0] = first;
  rows_of_shapes[1] = second;
}

/// Some vectors of a panel.
struct Vectors {
  std::size_t piece;     ///< that they are in: its first vector
  std::size_t of_piece;  ///< vectors that it has
  std::size_t first;     ///< of them, in the piece
};

/// Rows of one tile and the weights that they are multiplied with. Rows that do not lie equally far apart are copied,
/// and so is what is left where `length` is no multiple of a tile's.
class Term {
 public:
  Term() = default;
  template <class Row>
  Term(const TileFactors<Row>& factors, std::size_t first, std::size_t count)
      : length(factors.length), panel_(static_cast<const char*>(factors.panel)), count_(count) {
    for (std::size_t i = 0; i < count; ++i)
      rows_[i] = reinterpret_cast<const char*>(factors.rows[first + i] + factors.offset);
    stride_ = count > 1 ? rows_[1] - rows_[0] : 0;
    for (std::size_t i = 2; i < count; ++i) is_even_ = is_even_ && rows_[i] - rows_[i - 1] == stride_;
  }

  /// The tile of rows that begins with group k.
  template <int tile>
  void load_rows(std::size_t k) const {
    if (is_even_ && k + groups_of_tile <= length)
      return load<tile>(rows_[0] + k * group_bytes, static_cast<std::size_t>(stride_));
    alignas(64) char copy[tile_bytes] = {};
    const std::size_t bytes = std::min(groups_of_tile, length - k) * group_bytes;
    for (std::size_t i = 0; i < count_; ++i) std::memcpy(copy + i * row_bytes, rows_[i] + k * group_bytes, bytes);
    load<tile>(copy, row_bytes);
  }
  /// Weights from group k on, of one of a piece's vectors. What is behind the piece is no number of ours, so it is not
  /// read, not even to be multiplied by zero.
  template <int tile>
  void load_weights(const Vectors& vectors, std::size_t vector, std::size_t k) const {
    const std::size_t stride = vectors.of_piece * row_bytes;
    const char* weights =
        panel_ + vectors.piece * length * row_bytes + k * stride + (vectors.first + vector) * row_bytes;
    if (k + groups_of_tile <= length) return load<tile>(weights, stride);
    alignas(64) char copy[tile_bytes] = {};
    for (std::size_t i = 0; i < length - k; ++i) std::memcpy(copy + i * row_bytes, weights + i * stride, row_bytes);
    load<tile>(copy, row_bytes);
  }

  std::size_t length = 0;

 private:
  const char* rows_[most_rows_of_tile] = {};
  const char* panel_ = nullptr;
  std::size_t count_ = 0;
  std::ptrdiff_t stride_ = 0;
  bool is_even_ = true;
};

/// The terms of one tile of rows.
struct Terms {
  template <class Row>
  Terms(const TileProduct<Row>& p, std::size_t first, std::size_t rows) : count(p.term_count) {
    for (std::size_t i = 0; i < count; ++i) all[i] = Term(p.terms[i], first, rows);
  }
  Term all[TileProduct<float>::most_terms];
  std::size_t count;
};

/// The sums with which some vectors of tiles of rows begin, and the place they go to.
struct Start {
  const char* data;  ///< nullptr: zero
  std::size_t stride;

  template <int tile>
  void load_to(std::size_t vector, std::size_t row = 0) const {
    if (data == nullptr) return clear<tile>();
    load<tile>(data + row * stride + vector * row_bytes, stride);
  }
};
struct Out {
  char* data;
  std::size_t stride;

  template <int tile>
  void store_from(std::size_t vector, std::size_t row = 0) const {
    store<tile>(data + row * stride + vector * row_bytes, stride);
  }
};

/// `count` vectors of one tile of rows.
template <class Dot, std::size_t count>
void multiply_one(const Terms& terms, const Vectors& vectors, const Start& start, const Out& out) {
  start.load_to<0>(0);
  if constexpr (count > 1) start.load_to<1>(1);
  if constexpr (count > 2) start.load_to<2>(2);
  if constexpr (count > 3) start.load_to<3>(3);
  for (std::size_t i = 0; i < terms.count; ++i) {
    const Term& term = terms.all[i];
    for (std::size_t k = 0; k < term.length; k += groups_of_tile) {
      term.load_rows<first_rows>(k);
      term.load_weights<first_weights>(vectors, 0, k);
      Dot::template add<0, first_rows, first_weights>();
      if constexpr (count > 1) {
        term.load_weights<second_weights>(vectors, 1, k);
        Dot::template add<1, first_rows, second_weights>();
      }
      if constexpr (count > 2) {
        term.load_weights<first_weights>(vectors, 2, k);
        Dot::template add<2, first_rows, first_weights>();
      }
      if constexpr (count > 3) {
        term.load_weights<second_weights>(vectors, 3, k);
        Dot::template add<3, first_rows, second_weights>();
      }
    }
  }
  out.store_from<0>(0);
  if constexpr (count > 1) out.store_from<1>(1);
  if constexpr (count > 2) out.store_from<2>(2);
  if constexpr (count > 3) out.store_from<3>(3);
}

/// `count` vectors, one or two, of two tiles of rows.
template <class Dot, std::size_t count>
void multiply_two(const Terms& first, const Terms& second, const Vectors& vectors, const Start& start, const Out& out) {
  constexpr std::size_t second_row = most_rows_of_tile;
  start.load_to<0>(0);
  start.load_to<2>(0, second_row);
  if constexpr (count > 1) start.load_to<1>(1);
  if constexpr (count > 1) start.load_to<3>(1, second_row);
  for (std::size_t i = 0; i < first.count; ++i) {
    const Term &term = first.all[i], &other = second.all[i];
    for (std::size_t k = 0; k < term.length; k += groups_of_tile) {
      term.load_rows<first_rows>(k);
      other.load_rows<second_rows>(k);
      term.load_weights<first_weights>(vectors, 0, k);
      Dot::template add<0, first_rows, first_weights>();
      Dot::template add<2, second_rows, first_weights>();
      if constexpr (count > 1) {
        term.load_weights<second_weights>(vectors, 1, k);
        Dot::template add<1, first_rows, second_weights>();
        Dot::template add<3, second_rows, second_weights>();
      }
    }
  }
  out.store_from<0>(0);
  out.store_from<2>(0, second_row);
  if constexpr (count > 1) out.store_from<1>(1);
  if constexpr (count > 1) out.store_from<3>(1, second_row);
}

using OfOneTile = void (*)(const Terms&, const Vectors&, const Start& start, const Out& out);
using OfTwoTiles = void (*)(const Terms&, const Terms&, const Vectors&, const Start& start, const Out& out);

/// body(vectors, how many, start, out) for at most `most` vectors of a piece at once, from a row on.
template <class Row, class Body>
void for_each_vectors(const TileProduct<Row>& p, std::size_t most, std::size_t row, const Body& body) {
  const std::size_t start_stride = p.start_stride * group_bytes, out_stride = p.out_stride * group_bytes;
  const char* start = p.start ? static_cast<const char*>(p.start) + row * start_stride : nullptr;
  char* out = static_cast<char*>(p.out) + row * out_stride;
  for (std::size_t piece = 0; piece < p.vectors; piece += p.piece) {
    const std::size_t of_piece = std::min(p.piece, p.vectors - piece);
    for (std::size_t v = 0; v < of_piece; v += most) {
      const std::size_t at = (piece + v) * row_bytes;
      body(Vectors{piece, of_piece, v}, std::min(most, of_piece - v), Start{start ? start + at : nullptr, start_stride},
           Out{out + at, out_stride});
    }
  }
}

template <class Dot, class Row>
void multiply_all(const TileProduct<Row>& p) {
  constexpr OfOneTile of_one[] = {multiply_one<Dot, 1>, multiply_one<Dot, 2>, multiply_one<Dot, 3>,
                                  multiply_one<Dot, 4>};
  constexpr OfTwoTiles of_two[] = {multiply_two<Dot, 1>, multiply_two<Dot, 2>};
  for (std::size_t row = 0; row < p.row_count;) {
    const std::size_t first_count = std::min(most_rows_of_tile, p.row_count - row);
    const std::size_t second_count = std::min(most_rows_of_tile, p.row_count - row - first_count);
    use_shapes(first_count, second_count);
    const Terms first(p, row, first_count);
    if (second_count == 0) {
      for_each_vectors(p, vectors_of_one, row,
                       [&](const Vectors& v, std::size_t count, const Start& start, const Out& out) {
                         of_one[count - 1](first, v, start, out);
                       });
    } else {
      const Terms second(p, row + first_count, second_count);
      for_each_vectors(p, vectors_of_two, row,
                       [&](const Vectors& v, std::size_t count, const Start& start, const Out& out) {
                         of_two[count - 1](first, second, v, start, out);
                       });
    }
    row += first_count + second_count;
  }
}

bool processor_has_tiles() {
  constexpr unsigned features = 7, amx_bf16 = 1U << 22, amx_tile = 1U << 24, amx_int8 = 1U << 25;
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned all = amx_bf16 | amx_tile | amx_int8;
  return __get_cpuid_count(features, 0, &a, &b, &c, &d) != 0 && (d & all) == all;
}

/// The kernel gives the registers to a process that asks for them, from then on to all of its threads.
bool kernel_gives_tiles() {
  constexpr long ask_for_permission = 0x1023, tile_data = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, ask_for_permission, tile_data) == 0;
}

}  // namespace

template <class Row>
void multiply_in_tiles(const TileProduct<Row>& p) {
  multiply_all<std::conditional_t<std::is_same_v<Row, float>, DotOfPairs, DotOfQuads>>(p);
}

template void multiply_in_tiles(const TileProduct<float>&);
template void multiply_in_tiles(const TileProduct<std::uint8_t>&);

void release_tiles() {
  asm volatile("tilerelease");
  std::fill_n(rows_of_shapes, 2, 0);
}

const char* missing_for_tiles() {
  if (!processor_has_tiles()) return "this processor lacks AMX_TILE, AMX_BF16 or AMX_INT8";
  static const bool given = kernel_gives_tiles();
  return given ? "" : "the kernel does not let this process use AMX";
}

}  // namespace cellproof::cpu
