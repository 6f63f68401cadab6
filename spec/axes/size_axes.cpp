#include <algorithm>
#include <array>

#include "spec/axes/groups.hpp"

namespace cellproof::axes_detail {
namespace {

using Values = std::vector<std::string>;

/// A class of sizes and the range that it stands for. 8 and 16 are widths of vector registers in floats.
struct SizeClass {
  std::string_view name;
  std::int64_t first;
  std::int64_t last;
};
constexpr std::int64_t no_limit = INT64_MAX;
constexpr std::array<SizeClass, 10> classes = {{{"2-6", 2, 6},
                                                {"0", 0, 0},
                                                {"1", 1, 1},
                                                {"7", 7, 7},
                                                {"8", 8, 8},
                                                {"9", 9, 9},
                                                {"10-15", 10, 15},
                                                {"16", 16, 16},
                                                {"17", 17, 17},
                                                {"18-", 18, no_limit}}};

using SizeField = std::int64_t Case::*;

struct SizeAxis {
  std::string_view name;
  std::string_view what;
  SizeField field;
  bool may_be_empty;
  std::int64_t small;   ///< the representative of "2-6": different for each size, so that none is taken for another
  std::int64_t medium;  ///< of "10-15": of H the one beside 16, with the longest rest behind a vector of 8
};

Axis size_axis(const SizeAxis& row) {
  return make_axis(
      row.name, row.what,
      [row](OperatorVersion) {
        Values values;
        for (const SizeClass& size : classes) {
          if (size.first != 0 || row.may_be_empty) values.emplace_back(size.name);
        }
        return values;
      },
      [row](const Case& c) {
        const std::int64_t size = std::max<std::int64_t>(c.*row.field, row.may_be_empty ? 0 : 1);
        const auto found =
            std::ranges::find_if(classes, [&](const SizeClass& k) { return k.first <= size && size <= k.last; });
        return std::string(found->name);
      },
      [row](Case& c, std::string_view value) {
        const auto found = std::ranges::find(classes, value, &SizeClass::name);
        std::int64_t size = found->first;
        if (value == "2-6") size = row.small;
        if (value == "10-15") size = row.medium;
        if (value == "18-") size = 33;
        c.*row.field = size;
      });
}

}  // namespace

std::vector<Axis> size_axes() {
  return {
      size_axis({"T", "number of steps, seq_length; 0: clause empty-sequence-state", &Case::T, true, 3, 13}),
      size_axis({"N", "number of sequences, batch_size; 0: clause empty-sequence-state", &Case::N, true, 2, 11}),
      size_axis({"I", "input_size", &Case::I, false, 4, 12}),
      size_axis({"H", "hidden_size", &Case::H, false, 5, 15}),
  };
}

}  // namespace cellproof::axes_detail
