#include "campaign/vectors/make_set.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <sstream>

#include "campaign/vectors/ways.hpp"
#include "corpus/files.hpp"
#include "reference/reference.hpp"
#include "spec/case_text.hpp"

namespace cellproof::campaign {
namespace {

corpus::VectorSelection selection_of_line(const std::string& line) {
  return {"1.0.0", {{"X-01", {"clip-ignored"}, {"padding-of-y=carry"}, parse_case(line)}}};
}

const std::string ragged = "cellproof-case/1 op=RNN-22 type=float T=3 N=2 I=2 H=2 sequence_lens=given";

TEST(MakeSet, KeepsTheReadingsApartAndNamesThem) {
  const reports::VectorSet set = make_set(selection_of_line(ragged));
  const reports::Vector& vector = set.vectors.at(0);
  EXPECT_THAT(vector.versions, ::testing::ElementsAre(1, 7, 14, 22));
  EXPECT_THAT(vector.clauses, ::testing::Contains("padding-of-y"));
  ASSERT_EQ(vector.ways.size(), 2u);
  EXPECT_THAT(vector.ways[0].readings, ::testing::Contains("default"));
  EXPECT_THAT(vector.ways[1].readings, ::testing::Contains("padding-of-y=carry"));
  EXPECT_TRUE(set.faults.contains("clip-ignored"));
  EXPECT_TRUE(set.clauses.contains("padding-of-y"));
}

TEST(MakeSet, KnowsTheVersionsOfACase) {
  const Case layout = parse_case("cellproof-case/1 op=LSTM-22 type=float T=2 N=2 I=2 H=2 layout=1");
  EXPECT_THAT(versions_of(layout),
              ::testing::ElementsAre(OperatorVersion{Operator::LSTM, 14}, OperatorVersion{Operator::LSTM, 22}));
}

TEST(MakeSet, MakesTheSameBytesTwice) {
  EXPECT_EQ(render_json(make_set(selection_of_line(ragged))), render_json(make_set(selection_of_line(ragged))));
}

TEST(MakeSet, MakesTheBytesOfTheProjectsVersionOnEveryMachineAndInEveryBuild) {
  const std::string file = (corpus::vector_selection_file().parent_path() / "sha256.txt").string();
  std::string sum = corpus::read_file(file, 1000);
  sum.erase(sum.find_last_not_of('\n') + 1);
  const std::string json = render_json(make_set(corpus::read_vector_selection()));
  EXPECT_NE(json.find("\"sha256\":\"" + sum + "\""), std::string::npos)
      << "a change of the numbers is a new version: see docs/vectors.md";
}

TEST(MakeSet, RefusesWhatCanBeNoVector) {
  EXPECT_THROW(make_set(selection_of_line("cellproof-case/1 op=RNN-14 type=float T=3 N=2 I=2 H=2")),
               std::invalid_argument)
      << "a newer version has the case, too";
}

TEST(Ways, OfTheProjectsVectorsAreTheSameInEachVersion) {
  const corpus::VectorSelection selection = corpus::read_vector_selection();
  for (std::size_t k = 0; k < selection.cases.size(); k += 9) {
    const Case& c = selection.cases[k].c;
    const auto newest_ways = ways_of(make_problem(c));
    for (const OperatorVersion version : versions_of(c)) {
      Case other = c;
      other.version = version;
      const auto ways = ways_of(make_problem(other));
      ASSERT_EQ(ways->size(), newest_ways->size()) << to_text(other);
      for (std::size_t way = 0; way < ways->size(); ++way)
        EXPECT_EQ((*ways)[way].outputs, (*newest_ways)[way].outputs) << to_text(other);
    }
  }
}

/// The readings that an id of a way stands for.
Readings readings_of(const std::string& id) {
  if (id == "default") return {};
  std::istringstream words(id);
  return Readings::of_differences(std::vector<std::string>(std::istream_iterator<std::string>(words), {}));
}

TEST(Ways, OfTheProjectsVectorsAdmitTheReferenceUnderEachListedReading) {
  std::size_t runs = 0;
  for (const corpus::SelectedVector& each : corpus::read_vector_selection().cases) {
    const Problem problem = make_problem(each.c);
    const auto ways = ways_of(problem);
    for (const Way& way : *ways) {
      for (const std::string& id : way.readings) {
        // H is quantised together of ceil(N / k) sequences, as k threads share them; read under block-chunked alone.
        const std::int64_t threads = id.find("block-chunked") == std::string::npos ? 1 : each.c.N;
        for (std::int64_t k = 1; k <= threads; ++k) {
          ++runs;
          const std::int64_t together = (each.c.N + k - 1) / k;
          EXPECT_TRUE(any_admits(*ways, reference::run(problem, readings_of(id), together))) << each.name << " " << id;
        }
      }
    }
  }
  EXPECT_GT(runs, 500u);
}

}  // namespace
}  // namespace cellproof::campaign
