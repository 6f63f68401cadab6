#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstddef>
#include <string>

#include "engines/cpu/cpu_engine.hpp"
#include "lab/fuzz_targets/differential_check.hpp"
#include "spec/case_text.hpp"

namespace cellproof::fuzz {
namespace {

using testing::AllOf, testing::HasSubstr, testing::Optional;

/// Our engine, and what becomes of what it did.
class Spoilt : public engines::Engine {
 public:
  explicit Spoilt(void (*spoil)(Outcome&)) : spoil_(spoil) {}
  engines::EngineDescription describe() override { return {"spoilt", "1", {}, false}; }
  engines::Support supports(const Problem& problem) override { return right_.supports(problem); }
  Outcome run(const Problem& problem) override {
    Outcome outcome = right_.run(problem);
    spoil_(outcome);
    return outcome;
  }

 private:
  engines::CpuEngine right_{CELLPROOF_CPU_PATH_SCALAR, "right"};
  void (*spoil_)(Outcome&);
};

Case some_case() {
  return plain_case({Operator::GRU, 14}, ElementType::Float, 2, 1, 2, 2);
}

TEST(Differential, HasNoComplaintAboutARightEngine) {
  Spoilt right([](Outcome&) {});
  EXPECT_EQ(complaint_about(right, some_case(), false), std::nullopt);
  EXPECT_EQ(complaint_about(right, some_case(), true), std::nullopt);
}

TEST(Differential, ReportsAWrongNumberWithALineThatShowsItAgain) {
  Spoilt wrong([](Outcome& outcome) {
    // The highest bit of the exponent of the first number.
    outcome.outputs.at(0)->bytes()[sizeof(float) - 1] ^= std::byte{0x40};
  });
  EXPECT_THAT(complaint_about(wrong, some_case(), false),
              Optional(AllOf(HasSubstr(fmt::format("./cellproof replay '{}' --engine spoilt", to_text(some_case()))),
                             HasSubstr("DIVERGES"))));
}

template <OutcomeKind kind>
void refuse(Outcome& outcome) {
  outcome = {};
  outcome.kind = kind;
  outcome.message = "not mine";
}

TEST(Differential, ReportsARefusalOfAValidCase) {
  Spoilt unsupporting(refuse<OutcomeKind::NotSupported>), rejecting(refuse<OutcomeKind::Rejected>);
  EXPECT_THAT(complaint_about(unsupporting, some_case(), false), Optional(HasSubstr("NOT_SUPPORTED: not mine")));
  EXPECT_THAT(complaint_about(rejecting, some_case(), false), Optional(HasSubstr("REJECTED: not mine")));
}

}  // namespace
}  // namespace cellproof::fuzz
