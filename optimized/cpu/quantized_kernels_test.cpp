// Products of bytes on every set of kernels against plain loops.
#include "optimized/cpu/quantized_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "optimized/cpu/buffer.hpp"
#include "optimized/cpu/cellproof_cpu.h"
#include "optimized/cpu/testing/node_case.hpp"
#if CELLPROOF_CPU_SIMD
#include "optimized/cpu/kernels_simd.hpp"
#endif

namespace cellproof::cpu::testing {
namespace {

struct Table {
  std::string name;
  const QuantizedKernels& kernels;
  const QuantizedFormat& format;
  const Kernels<float>& cells;
};

std::vector<Table> tables() {
  std::vector<Table> result;
  const auto add = [&](const std::string& name, const QuantizedKernels& kernels, const Kernels<float>& cells) {
    result.push_back({name, kernels, kernels.of_few_rows, cells});
    if (kernels.of_many_rows.multiply != kernels.of_few_rows.multiply)
      result.push_back({name + ", many rows", kernels, kernels.of_many_rows, cells});
  };
  add("scalar", scalar_quantized_kernels(), scalar_kernels<float>());
#if CELLPROOF_CPU_SIMD
  const auto has = [](cellproof_cpu_path path) { return *cellproof_cpu_path_missing(path) == '\0'; };
  if (has(CELLPROOF_CPU_PATH_AVX2)) add("avx2", avx2_quantized_kernels(), avx2_kernels<float>());
  if (has(CELLPROOF_CPU_PATH_AVX_VNNI)) add("avx-vnni", avx_vnni_quantized_kernels(), avx2_kernels<float>());
  if (has(CELLPROOF_CPU_PATH_AVX512)) {
    add("avx512", avx512_quantized_kernels(), avx512_kernels<float>());
    if (__builtin_cpu_supports("avx512vnni")) add("vnni", vnni_quantized_kernels(), avx512_kernels<float>());
  }
  if (has(CELLPROOF_CPU_PATH_AMX)) add("amx", amx_quantized_kernels(), avx512_kernels<float>());
#endif
  return result;
}

/// A way to choose bytes and weights.
struct Choice {
  const char* name;
  std::uint8_t (*byte)(std::size_t);
  std::int8_t (*weight)(std::size_t);
  bool reaches_lowest;
};

const Choice choices[] = {
    {"mixed", [](std::size_t i) { return static_cast<std::uint8_t>(i % 3 == 0 ? 255 : i * 37); },
     [](std::size_t i) { return static_cast<std::int8_t>(i % 255 - 127); }, false},
    {"mixed, with -128", [](std::size_t i) { return static_cast<std::uint8_t>(i % 3 == 0 ? 255 : i * 37); },
     [](std::size_t i) { return static_cast<std::int8_t>(i % 5 < 2 ? -128 : i * 91); }, true},
    // Sums of two products at the ends of what 16 bits may have to hold.
    {"0 and 127", [](std::size_t) { return std::uint8_t{0}; }, [](std::size_t) { return std::int8_t{127}; }, false},
    {"0 and -127", [](std::size_t) { return std::uint8_t{0}; }, [](std::size_t) { return std::int8_t{-127}; }, false},
    {"255 and 127", [](std::size_t) { return std::uint8_t{255}; }, [](std::size_t) { return std::int8_t{127}; }, false},
    {"0 and -128", [](std::size_t) { return std::uint8_t{0}; }, [](std::size_t) { return std::int8_t{-128}; }, true},
    {"255 and -128", [](std::size_t) { return std::uint8_t{255}; }, [](std::size_t) { return std::int8_t{-128}; },
     true},
    {"128 and -128", [](std::size_t) { return std::uint8_t{128}; }, [](std::size_t) { return std::int8_t{-128}; },
     true},
};

/// A product whose scales are powers of two, so that nothing is rounded and fused or not is the same.
struct Operands {
  Operands(const Table& table, const Choice& choice, bool one_for_all_, std::size_t rows, std::size_t groups_,
           std::size_t blocks_)
      : format(table.format),
        one_for_all(one_for_all_),
        reaches_lowest(choice.reaches_lowest),
        groups(groups_),
        blocks(blocks_),
        lanes(table.kernels.lanes),
        width(quantized_vectors * lanes),
        columns(blocks * width),
        length(groups * format.group),
        bytes(rows * length),
        words(format.in_words ? rows * length : 0),
        weights(length * columns),
        scale(columns),
        bias(columns),
        zero_point(columns),
        column_sum(columns) {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = choice.byte(i);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = choice.weight(i);
    if (format.in_words) {
      std::copy_n(bytes.data(), bytes.size(), words.data());
      pack_words();
    }
    for (std::size_t r = 0; r < rows; ++r) {
      pointers.push_back(format.in_words ? reinterpret_cast<const std::uint8_t*>(words.data() + r * length)
                                         : bytes.data() + r * length);
      row_sums.push_back({static_cast<std::int32_t>(700 * r), 0});
      for (std::size_t k = 0; format.in_words && k < length; k += 4) {
        const std::uint8_t* x = bytes.data() + r * length + k;
        row_sums[r].pair_products += x[0] * x[2] + x[1] * x[3];
      }
    }
    for (std::size_t i = 0; i < columns; ++i) {
      zero_point[i] = one_for_all ? -3 : static_cast<std::int32_t>(i % 9) - 4;
      column_sum[i] = static_cast<std::int32_t>(i % 301) - 150;
      scale[i] = one_for_all || i % 2 == 0 ? 0.25F : 0.03125F;
      bias[i] = static_cast<float>(i % 5) - 2;
    }
  }

  QuantizedProduct product(float* out, std::size_t stride) const {
    return {pointers.data(),
            row_sums.data(),
            pointers.size(),
            format.in_words ? static_cast<const void*>(pieces.data()) : weights.data(),
            blocks,
            groups,
            reaches_lowest,
            offset,
            quantization,
            zero_point.data(),
            scale.data(),
            one_for_all,
            column_sum.data(),
            bias.data(),
            out,
            stride};
  }

  std::int8_t weight(std::size_t column, std::size_t k) const {
    const std::size_t group = format.group;
    return weights[((column / width * groups + k / group) * width + column % width) * group + k % group];
  }

  /// Pieces of two vectors: the products of each column, then for each four k two pairs of each vector.
  void pack_words() {
    std::vector<std::int16_t> all;
    const auto put_both = [&](std::int32_t value) {
      all.push_back(static_cast<std::int16_t>(value & 0xFFFF));
      all.push_back(static_cast<std::int16_t>(value >> 16));
    };
    for (std::size_t first = 0; first < columns; first += 2 * lanes) {
      for (std::size_t c = first; c < first + 2 * lanes; ++c) {
        std::int32_t products = 0;
        for (std::size_t k = 0; k < length; k += 4)
          products += weight(c, k) * weight(c, k + 2) + weight(c, k + 1) * weight(c, k + 3);
        put_both(-products);
      }
      for (std::size_t k = 0; k < length; k += 4)
        for (const std::size_t vector : {0, 1})
          for (const std::size_t pair : {0, 2})
            for (std::size_t lane = 0; lane < lanes; ++lane)
              for (const std::size_t i : {0, 1}) all.push_back(weight(first + vector * lanes + lane, k + pair + i));
    }
    ASSERT_EQ(all.size(), columns / (word_vectors * lanes) * words_of_piece(lanes, groups));
    pieces = Buffer<std::int16_t>(all.size());
    std::copy(all.begin(), all.end(), pieces.data());
  }

  float expected(std::size_t row, std::size_t column) const {
    std::int32_t sum = 0;
    for (std::size_t k = 0; k < length; ++k) sum += (bytes[row * length + k] - format.byte_offset) * weight(column, k);
    sum -= (row_sums[row].bytes - offset) * zero_point[column] + quantization.zero_point * column_sum[column];
    return static_cast<float>(sum) * (quantization.scale * scale[column]) + bias[column];
  }

  const QuantizedFormat& format;
  bool one_for_all, reaches_lowest;
  std::size_t groups, blocks, lanes, width, columns, length;
  std::int32_t offset = 128;
  Quantization quantization{0.5F, 11};
  Buffer<std::uint8_t> bytes;
  Buffer<std::int16_t> words, pieces;  ///< bytes and weights, where the format wants words
  Buffer<std::int8_t> weights;
  Buffer<float> scale, bias;
  Buffer<std::int32_t> zero_point, column_sum;
  std::vector<const std::uint8_t*> pointers;
  std::vector<RowSums> row_sums;
};

void expect_exact(const Table& table, const Choice& choice, bool one_for_all, std::size_t rows, std::size_t groups,
                  std::size_t blocks) {
  const Operands operands(table, choice, one_for_all, rows, groups, blocks);
  const std::size_t stride = operands.columns + operands.width;
  Buffer<float> out(rows * stride);
  table.format.multiply(operands.product(out.data(), stride));
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < operands.columns; ++c)
      ASSERT_EQ(out[r * stride + c], operands.expected(r, c))
          << table.name << ", " << choice.name << ", row " << r << " of " << rows << ", column " << c << ", groups "
          << groups << ", blocks " << blocks << ", one for all " << one_for_all;
    for (std::size_t c = operands.columns; c < stride; ++c)
      ASSERT_EQ(out[r * stride + c], 0) << table.name << " wrote past the columns";
  }
}

TEST(QuantizedKernels, MultiplyExactlyAlsoAtTheEndsOfTheRanges) {
  for (const Table& table : tables())
    for (const Choice& choice : choices)
      for (const bool one_for_all : {false, true})
        for (std::size_t rows = 1; rows <= table.format.tile_rows; rows += rows < 16 ? 1 : 4)
          for (const std::size_t groups : {0, 1, 2, 3, 21, 64})
            for (const std::size_t blocks : {1, 3}) expect_exact(table, choice, one_for_all, rows, groups, blocks);
}

/// C and H of one row after `make` has made its cell from C = `before`.
template <class Make>
std::vector<float> states_after(const std::vector<float>& before, const Functions<float>& functions,
                                const Buffer<float>& input, const Make& make) {
  const std::size_t units = before.size();
  Buffer<float> c(units), h(units);
  std::copy(before.begin(), before.end(), c.data());
  LstmStep<float> step{{input.data(), 4 * units, nullptr, 0, 1, units},
                       functions,
                       nullptr,
                       nullptr,
                       nullptr,
                       false,
                       c.data(),
                       h.data(),
                       units};
  make(step);
  std::vector<float> result(c.data(), c.data() + units);
  result.insert(result.end(), h.data(), h.data() + units);
  return result;
}

TEST(QuantizedKernels, MakeTheCellOfOneRowWithTheSameBitsInOneGo) {
  const Activation sigmoid{Function::Sigmoid, 0, 0}, tanh{Function::Tanh, 0, 0}, relu{Function::Relu, 0, 0};
  const Functions<float> by_default{&sigmoid, &tanh, &tanh, INFINITY}, others{&sigmoid, &relu, &tanh, 2};
  int compared = 0;
  for (const Table& table : tables()) {
    if (!table.format.lstm_of_row) continue;
    for (const Choice& choice : {choices[0], choices[1]})
      for (const bool one_for_all : {false, true})
        for (const std::size_t blocks : {1, 2, 5})
          for (const Functions<float>& functions : {by_default, others}) {
            Operands operands(table, choice, one_for_all, 1, 7, blocks);
            operands.quantization.scale = 1e-5F;  // arguments between -1 and 1 or so
            const std::vector<float> before = numbers<float>(blocks * table.kernels.lanes, 5);
            const std::vector<float> inputs = numbers<float>(operands.columns, 6);
            Buffer<float> input(operands.columns), recurrent(operands.columns);
            std::copy(inputs.begin(), inputs.end(), input.data());
            QuantizedProduct product = operands.product(recurrent.data(), operands.columns);
            product.bias = nullptr;
            const auto apart = states_after(before, functions, input, [&](LstmStep<float>& step) {
              table.format.multiply(product);
              step.gates.recurrent = recurrent.data();
              table.cells.lstm(step);
            });
            product.out = nullptr;
            for (const bool backwards : {false, true}) {
              EXPECT_EQ(
                  states_after(before, functions, input,
                               [&](LstmStep<float>& step) { table.format.lstm_of_row(product, step, backwards); }),
                  apart)
                  << table.name << ", blocks " << blocks << ", backwards " << backwards;
              ++compared;
            }
          }
  }
  EXPECT_EQ(compared > 0, tables().size() > 1);
}

struct Quantized {
  std::int32_t sum;
  std::vector<std::uint16_t> bytes;
  bool operator==(const Quantized&) const = default;
};

/// As the format's function writes them, and so many elements behind that must stay as they are.
Quantized quantized(const QuantizedFormat& format, const std::vector<float>& values, const Quantization& how) {
  constexpr std::size_t behind = 16;
  constexpr std::uint8_t untouched = 99;
  const std::size_t count = values.size() + behind;
  std::vector<std::uint8_t> bytes(count, untouched);
  std::vector<std::uint16_t> words(count, untouched);
  auto* const row = format.in_words ? reinterpret_cast<std::uint8_t*>(words.data()) : bytes.data();
  const std::int32_t sum = format.quantize(values.data(), values.size(), how, row).bytes;
  return {sum, format.in_words ? words : std::vector<std::uint16_t>(bytes.begin(), bytes.end())};
}

Quantized expected_bytes(const std::vector<float>& values, const Quantization& how) {
  return quantized(scalar_quantized_kernels().of_few_rows, values, how);
}

TEST(QuantizedKernels, AgreeOnRangesAndBytesWhateverTheValues) {
  const float infinity = INFINITY;
  for (const Table& table : tables()) {
    for (const std::size_t count : {0, 1, 3, 15, 16, 17, 40, 67}) {
      for (int special = 0; special < 6; ++special) {
        std::vector<float> values = numbers<float>(count, 17, 3);
        const std::array<float, 6> specials{0, NAN, infinity, -infinity, std::numeric_limits<float>::max(), 1e-40F};
        if (count > 0) values[count / 2] = specials.at(static_cast<std::size_t>(special));
        float low = 0, high = 0, expected_low = 0, expected_high = 0;
        table.kernels.range(values.data(), count, low, high);
        scalar_quantized_kernels().range(values.data(), count, expected_low, expected_high);
        ASSERT_EQ(low, expected_low) << table.name;
        ASSERT_EQ(high, expected_high) << table.name;
        const Quantization quantization = quantization_of(low, high);
        ASSERT_TRUE(quantized(table.format, values, quantization) == expected_bytes(values, quantization))
            << table.name << ", count " << count << ", special " << special;
      }
    }
  }
}

TEST(QuantizedKernels, DivideAlsoWhereAnInverseWouldRoundOtherwise) {
  int moved = 0;  // an inverse does round some of these to the other side
  for (const float scale : {1.0F, 0.1F, 0.0078431F, 3e-5F, 1e-38F, 1e-40F, 1e37F, 7.0F, 0.3333333F}) {
    std::vector<float> values;
    for (int middle = -255; middle < 255; ++middle) {
      float value = (static_cast<float>(middle) + 0.5F) * scale;
      for (int i = 0; i < 3; ++i) value = std::nextafter(value, -INFINITY);
      for (int i = 0; i < 7; ++i, value = std::nextafter(value, INFINITY)) values.push_back(value);
    }
    for (const float value : values)
      moved += std::nearbyint(value / scale) != std::nearbyint(value * (1 / scale)) ? 1 : 0;
    for (const Table& table : tables()) {
      for (const std::int32_t zero_point : {0, 127, 255}) {
        const Quantization how{scale, zero_point};
        ASSERT_TRUE(quantized(table.format, values, how) == expected_bytes(values, how))
            << table.name << ", scale " << scale << ", zero point " << zero_point;
      }
    }
  }
  EXPECT_GT(moved, 100);
}

TEST(QuantizedKernels, RoundHalvesToEvenAndSaturate) {
  for (const Table& table : tables()) {
    std::vector<float> values(16, 0);
    values[0] = 0.5F, values[1] = 1.5F, values[2] = -0.5F, values[3] = 1000, values[4] = -1000, values[5] = NAN;
    const std::vector<std::uint16_t> bytes = quantized(table.format, values, {1, 10}).bytes;
    EXPECT_EQ(std::vector<std::uint16_t>(bytes.begin(), bytes.begin() + 7),
              (std::vector<std::uint16_t>{10, 12, 10, 255, 0, 0, 10}))
        << table.name;
  }
}

}  // namespace
}  // namespace cellproof::cpu::testing
