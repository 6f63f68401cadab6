#include "campaign/output_bytes.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace cellproof::campaign {
namespace {

Outputs some_outputs() {
  const std::vector<double> values{1, -2, 0.5, 3};
  return {Tensor::from_values(ElementType::Float, {2, 2}, values), std::nullopt,
          Tensor::from_values(ElementType::Float16, {4}, values), Tensor(ElementType::Double, {0, 3})};
}

TEST(OutputBytes, GiveBackWhatTheyWereMadeOf) {
  const Outputs first = some_outputs(), second{first.front()};
  const std::vector<Outputs> read = outputs_of_bytes(to_bytes({&first, &second}));
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(to_bytes({&read[0], &read[1]}), to_bytes({&first, &second}));
  ASSERT_EQ(read[0].size(), first.size());
  EXPECT_FALSE(read[0][1].has_value());
  EXPECT_EQ(read[0][3]->shape(), (Shape{0, 3}));
  EXPECT_TRUE(outputs_of_bytes("").empty());
}

/// A store may come from anywhere: whatever is in it, the bytes are outputs or refused.
TEST(OutputBytes, AreRefusedWhereTheyAreCutOrDamaged) {
  const Outputs outputs = some_outputs();
  const std::string bytes = to_bytes({&outputs});
  for (std::size_t length = 1; length < bytes.size(); ++length)
    EXPECT_THROW(outputs_of_bytes(std::string_view(bytes).substr(0, length)), std::logic_error) << length;
  int refused = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x80);
    try {
      outputs_of_bytes(damaged);
    } catch (const std::logic_error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace cellproof::campaign
