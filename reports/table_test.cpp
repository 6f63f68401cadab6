#include "reports/table.hpp"

#include <gtest/gtest.h>

namespace cellproof::reports {
namespace {

TEST(Table, IsTextAndJson) {
  const Table table{{"name", "what"}, {{"a", "one"}, {"longer", "two"}}};
  EXPECT_EQ(as_text(table), "name    what\na       one\nlonger  two\n");
  EXPECT_EQ(as_json(table),
            "[\n  {\n    \"name\": \"a\",\n    \"what\": \"one\"\n  },\n  {\n    \"name\": \"longer\",\n    \"what\": "
            "\"two\"\n  }\n]\n");
}

}  // namespace
}  // namespace cellproof::reports
