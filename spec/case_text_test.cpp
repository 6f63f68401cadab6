#include "spec/case_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "spec/testing/case_generator.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof {

/// Prints a counterexample for RapidCheck.
void showValue(const Case& c, std::ostream& os) {
  os << to_text(c);
}

namespace {

using testing::HasSubstr;

std::string what_is_wrong_with(std::string_view line) {
  try {
    parse_case(line);
  } catch (const CaseTextError& error) {
    return error.what();
  }
  return "";
}

RC_GTEST_PROP(CaseText, EveryCaseComesBack, (const Case& c)) {
  const std::string line = to_text(c);
  RC_ASSERT(line.find('\n') == std::string::npos);
  const Case back = parse_case(line);
  RC_ASSERT(back == c);
  RC_ASSERT(to_text(back) == line);
  RC_ASSERT(case_hash(back) == case_hash(c));
}

RC_GTEST_PROP(CaseText, KeysMayComeInAnyOrder, (const Case& c, std::uint32_t seed)) {
  std::istringstream words(to_text(c));
  std::string version, word;
  words >> version;
  std::vector<std::string> keys;
  while (words >> word) keys.push_back(word);
  std::shuffle(keys.begin(), keys.end(), std::minstd_rand(seed));
  std::string line = "  " + version;
  for (const std::string& key : keys) line += " \t" + key;
  RC_ASSERT(parse_case(line + "\n") == c);
}

/// Whatever stands in a line: a case or CaseTextError, nothing else.
RC_GTEST_PROP(CaseText, DamagedLinesAreReadOrRefused, (const Case& c, std::uint32_t seed)) {
  std::minstd_rand random(seed);
  std::string line = to_text(c);
  for (int damage = 1 + static_cast<int>(random() % 3); damage > 0 && !line.empty(); --damage) {
    const std::size_t at = random() % line.size();
    const std::string alphabet = "=,:/#%x-.0 9aT[]\xff";
    switch (random() % 4) {
      case 0:
        line[at] = alphabet[random() % alphabet.size()];
        break;
      case 1:
        line.erase(at, 1 + random() % 20);
        break;
      case 2:
        line.insert(at, 1, alphabet[random() % alphabet.size()]);
        break;
      default:
        line += " " + line.substr(at);
        break;
    }
  }
  try {
    const Case read = parse_case(line);
    RC_ASSERT(parse_case(to_text(read)) == read);
  } catch (const CaseTextError& error) {
    RC_ASSERT(std::string_view(error.what()).starts_with("case text: "));
  }
}

RC_GTEST_PROP(CaseText, AnyBytesAreReadOrRefused, (const std::string& bytes)) {
  for (const std::string& line :
       {bytes, "cellproof-case/1 op=LSTM-7 " + bytes, "cellproof-case/1 op=RNN-1 X=" + bytes}) {
    try {
      parse_case(line);
    } catch (const CaseTextError&) {
    }
  }
}

TEST(CaseText, APlainCaseSaysOnlyItsSizes) {
  const Case c = plain_case({Operator::LSTM, 22}, ElementType::Float, 3, 2, 4, 5);
  EXPECT_EQ(to_text(c), "cellproof-case/1 op=LSTM-22 type=float T=3 N=2 I=4 H=5");
  EXPECT_EQ(parse_case("cellproof-case/1 op=LSTM-22 type=float T=3 N=2 I=4 H=5"), c);
  EXPECT_EQ(case_hash(c), "a54f64cb8213e460");
}

/// These lines are in other people's issue trackers: they may never change.
TEST(CaseText, TheCanonicalFormIsFrozen) {
  for (const char* line : {
           "cellproof-case/1 op=GRU-1 type=double T=1 N=1 I=1 H=1 hidden_size=none",
           "cellproof-case/1 op=GRU-7 type=float16 T=5 N=3 I=2 H=4 seed=7 regime=exact activations=Relu,HardSigmoid "
           "clip=0.5 direction=reverse linear_before_reset=1 B=given sequence_lens=given,values:5/3/0 outputs=-,Y_h",
           "cellproof-case/1 op=LSTM-7 type=float T=2 N=1 I=1 H=1 activation_alpha=[] activation_beta=0.1,nan,-inf,-0 "
           "activations=,a%20b others=layout:int:1;x%3Ay:strings:a/b B=empty sequence_lens=empty "
           "initial_h=given,initializer,type:double,shape:1x1x1,regime:zero,seed:3 outputs=none",
           "cellproof-case/1 op=RNN-14 type=float T=1 N=1 I=2 H=1 X=given,hex:0000803f00000040 "
           "W=given,graph,hex:bfloat16:2x1:803f0040 input6=given",
           "cellproof-case/1 op=DynamicQuantizeLSTM-1 type=float T=1 N=2 I=3 H=4 weight_type=int8 "
           "W_scale=given,shape:1x16",
           "cellproof-case/1 op=GRU-22 type=float T=3 N=2 I=4 H=5 direction=reverse dims=TN nesting=nested-if "
           "sequence_lens=given",
           "cellproof-case/1 op=LSTM-22 type=float T=1 N=1 I=1 H=1 states=shared weights=computed initial_h=given "
           "initial_c=given",
       }) {
    EXPECT_EQ(to_text(parse_case(line)), line);
  }
}

TEST(CaseText, ReadsDecimalTensors) {
  const Case c = parse_case("cellproof-case/1 op=RNN-7 type=float16 T=1 N=1 I=3 H=1 X=given,values:0.1/-0/inf");
  EXPECT_EQ(std::get<Tensor>(c.inputs[input::X].values),
            Tensor::from_values(ElementType::Float16, {1, 1, 3},
                                std::vector{0.1, -0.0, std::numeric_limits<double>::infinity()}));
}

TEST(CaseText, EachMistakeIsNamed) {
  const std::string good = "cellproof-case/1 op=LSTM-7 type=float T=3 N=2 I=4 H=5";
  ASSERT_EQ(what_is_wrong_with(good), "");
  EXPECT_EQ(what_is_wrong_with(""), "case text: the line is empty, expected it to begin with cellproof-case/1");
  EXPECT_EQ(what_is_wrong_with("cellproof-case/2 op=LSTM-7"),
            "case text: cellproof-case/2 is another version of the format, expected cellproof-case/1");
  EXPECT_EQ(what_is_wrong_with("op=LSTM-7"), "case text: the line begins with 'op=LSTM-7', expected cellproof-case/1");
  EXPECT_EQ(what_is_wrong_with("cellproof-case/1 T=3"),
            "case text: the key op is missing, expected for example op=LSTM-22");
  EXPECT_THAT(what_is_wrong_with(good + " colour=red"), HasSubstr("unknown key 'colour', expected one of op, type"));
  EXPECT_THAT(what_is_wrong_with("cellproof-case/1 op=GRU-7 initial_c=given"), HasSubstr("unknown key 'initial_c'"));
  EXPECT_EQ(what_is_wrong_with(good + " T=3"), "case text: key 'T' is repeated, expected it once");
  EXPECT_EQ(what_is_wrong_with(good + " clip"), "case text: 'clip' has no value, expected KEY=VALUE");
  EXPECT_EQ(what_is_wrong_with("cellproof-case/1 op=LSTM-7 T=-1"),
            "case text: T=-1: expected an integer from 0 to 1000000000");
  EXPECT_THAT(what_is_wrong_with("cellproof-case/1 op=LSTM-3"), HasSubstr("op=LSTM-3: expected one of LSTM-1"));
  EXPECT_THAT(what_is_wrong_with(good + " clip=1,5"), HasSubstr("clip=1,5: expected a number that a float can hold"));
  EXPECT_THAT(what_is_wrong_with(good + " clip=1e99"), HasSubstr("expected a number"));
  EXPECT_THAT(what_is_wrong_with(good + " regime=wild"), HasSubstr("expected one of normal, discriminating"));
  EXPECT_THAT(what_is_wrong_with(good + " nesting=while"), HasSubstr("one of flat, if, nested-if, loop, function"));
  EXPECT_THAT(what_is_wrong_with(good + " dims=H"), HasSubstr("one of static, T, N, TN, X, all, unranked"));
  EXPECT_THAT(what_is_wrong_with(good + " weights=lost"), HasSubstr("one of stored, computed"));
  EXPECT_THAT(what_is_wrong_with(good + " states=one"), HasSubstr("one of own, shared"));
  EXPECT_THAT(what_is_wrong_with(good + " activations=a%2"), HasSubstr("two hex digits after each %"));
  EXPECT_THAT(what_is_wrong_with(good + " others=a:bool:1"), HasSubstr("int, float, string, ints, floats or strings"));
  EXPECT_THAT(what_is_wrong_with(good + " outputs=Y_h"), HasSubstr("Y or - at position 0"));
  EXPECT_THAT(what_is_wrong_with(good + " B=given,given"), HasSubstr("presence is repeated"));
  EXPECT_THAT(what_is_wrong_with(good + " B=seed:1"), HasSubstr("given, empty or absent among its fields"));
  EXPECT_THAT(what_is_wrong_with(good + " B=given,seed:1,hex:00"), HasSubstr("either a literal tensor or regime"));
  EXPECT_THAT(what_is_wrong_with(good + " B=given,hex:00"), HasSubstr("160 bytes for float[1,40], there are 1"));
  EXPECT_THAT(what_is_wrong_with(good + " B=given,hex:float:-1:00"), HasSubstr("a shape such as 2x3x5"));
  EXPECT_THAT(what_is_wrong_with(good + " B=given,hex:float:9999999x9999999:00"), HasSubstr("at most 2^40 elements"));
  EXPECT_THAT(what_is_wrong_with(good + " sequence_lens=given,values:1/2/3"),
              HasSubstr("2 values for shape [2], there are 3"));
  EXPECT_THAT(what_is_wrong_with(good + " sequence_lens=given,values:1/9999999999"), HasSubstr("to 2147483647"));
  EXPECT_THAT(what_is_wrong_with(good + " clip=\x01" + std::string(100, 'x')), HasSubstr("clip=%01xxx"));
}

class LargeLiteral : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(directory_);
    case_ = plain_case({Operator::RNN, 22}, ElementType::Double, 30, 5, 7, 2);
    case_.inputs[input::X].values = *make_problem(case_).input(input::X);
  }

  TemporaryFolder folder_;
  std::filesystem::path directory_ = folder_ / "case text %";
  Case case_;
};

TEST_F(LargeLiteral, StandsInAFileThatIsCheckedOnReading) {
  const std::string line = to_text(case_, directory_);
  EXPECT_THAT(line, HasSubstr("X=given,file:"));
  EXPECT_EQ(parse_case(line), case_);
  const std::filesystem::directory_iterator files(directory_);
  ASSERT_EQ(std::distance(begin(files), end(files)), 1);
  const std::filesystem::path file = std::filesystem::directory_iterator(directory_)->path();

  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary) << "X";
  EXPECT_THAT(what_is_wrong_with(line), HasSubstr("a file with this hash"));
  std::filesystem::resize_file(file, 8);
  EXPECT_THAT(what_is_wrong_with(line), HasSubstr("8400 bytes in the file, it has 8"));
  std::filesystem::remove(file);
  EXPECT_THAT(what_is_wrong_with(line), HasSubstr("expected a file at"));
}

TEST_F(LargeLiteral, TheHashDoesNotDependOnTheDirectory) {
  const std::string line = to_text(case_);
  EXPECT_THAT(line, testing::ContainsRegex("X=given,file:[0-9a-f]{16}\\.bin#[0-9a-f]{16}"));
  EXPECT_EQ(case_hash(parse_case(to_text(case_, directory_))), case_hash(case_));
}

TEST_F(LargeLiteral, AnUnwritableDirectoryIsAnErrorThatLeavesNothing) {
  EXPECT_THROW(to_text(case_, directory_ / "missing"), std::runtime_error);
  EXPECT_TRUE(std::filesystem::is_empty(directory_));
}

}  // namespace
}  // namespace cellproof
