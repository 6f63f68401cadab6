#include "reports/json_writer.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "reports/json_values.hpp"

namespace cellproof::reports {
namespace {

TEST(JsonWriter, WritesWhatAnotherLibraryReads) {
  JsonWriter out;
  out.begin_object().key("nothing").null().key("yes").boolean(true).key("count").integer(-7);
  out.key("texts").texts({"a\"b\\c\n\t\x01", "", "\u00e9"}).key("pairs").pairs({{"k", "v"}, {"k", "w"}});
  out.key("numbers").begin_array();
  for (const double value : {0.1, -0.0, 1e-7, 5e-324, std::numeric_limits<double>::infinity()}) out.number(value);
  out.number(std::nullopt).end_array().end_object();
  const Json read = Json::parse(out.result());
  EXPECT_TRUE(read.at("nothing").is_null());
  EXPECT_EQ(read.at("yes"), true);
  EXPECT_EQ(read.at("count"), -7);
  EXPECT_EQ(texts_from_json(read.at("texts")), (std::vector<std::string>{"a\"b\\c\n\t\x01", "", "\u00e9"}));
  EXPECT_EQ(pairs_from_json(read.at("pairs")),
            (std::vector<std::pair<std::string, std::string>>{{"k", "v"}, {"k", "w"}}));
  const Json& numbers = read.at("numbers");
  EXPECT_EQ(required_number(numbers.at(0)), 0.1);
  EXPECT_TRUE(std::signbit(required_number(numbers.at(1))));
  EXPECT_EQ(required_number(numbers.at(2)), 1e-7);
  EXPECT_EQ(required_number(numbers.at(3)), 5e-324);
  EXPECT_EQ(numbers.at(4), "inf");
  EXPECT_TRUE(numbers.at(5).is_null());
}

TEST(JsonWriter, LosesNoByteOfWhatIsNotText) {
  const std::string bytes = "caf\xe9\xff";
  JsonWriter out;
  out.text(bytes);
  const Json read = Json::parse(out.result());
  EXPECT_EQ(read.at("hex"), "636166e9ff");
  EXPECT_EQ(text_from_json(read), bytes);
}

}  // namespace
}  // namespace cellproof::reports
