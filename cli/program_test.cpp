// The program as a user meets it: exit codes, one clear line for bad input, nothing left behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "cli/testing/run_program.hpp"
#include "engines/registry.hpp"
#include "reports/store.hpp"
#include "spec/reason_words.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::cli {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

class Program : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  /// A short run of the reference engine.
  ProgramResult short_run(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"run",      "--suite",   "smoke", "--shard",     "1/40",
                                       "--engine", "reference", "-o",    path("report")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }

  TemporaryFolder folder_;
};

int lines(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

void write(const fs::path& file, const std::string& content) {
  std::ofstream(file, std::ios::binary) << content;
}

TEST_F(Program, WithoutArgumentsItExplainsItself) {
  const ProgramResult result = run_program({});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("cellproof run"));
}

TEST_F(Program, ListsEnginesOperatorsAndReadings) {
  EXPECT_THAT(run_program({"list", "engines"}).out, HasSubstr("reference"));
  const ProgramResult operators = run_program({"list", "operators"});
  EXPECT_EQ(operators.exit_code, 0) << operators.err;
  EXPECT_EQ(lines(operators.out), 15) << operators.out;
  EXPECT_THAT(run_program({"list", "readings"}).out, HasSubstr("clip-scope"));
  EXPECT_THAT(run_program({"list", "axes", "--json"}).out, HasSubstr("\"direction\""));
}

TEST_F(Program, DecidesWithMoreBitsWhereTheFirstVerifyTooLittle) {
  for (const char* line :
       {"cellproof-case/1 op=LSTM-7 type=double T=2 N=1 I=2 H=2 seed=46 regime=special "
        "activation_alpha=0.78125,1.34375,0.275,0.40625 activation_beta=0.15625,0.89375 "
        "activations=Softsign,Affine,Softplus,ScaledTanh,LeakyRelu,ThresholdedRelu direction=bidirectional "
        "input_forget=1 R=given,graph B=given,graph sequence_lens=empty initial_h=given initial_c=given,initializer "
        "P=given,graph outputs=Y,absent,Y_c",
        // Only what one narrower way of computing can reach tells here that more bits say more.
        "cellproof-case/1 op=GRU-22 type=double T=7 N=2 I=4 H=4 seed=195512399 regime=special activations=Sigmoid,Elu "
        "layout=1 sequence_lens=given,initializer"}) {
    const ProgramResult result = run_program({"replay", line, "--engine", "cellproof-cpu"});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    EXPECT_THAT(result.out, HasSubstr("CONFORMS"));
    EXPECT_THAT(result.out, HasSubstr("224 bits"));
  }
}

TEST_F(Program, BadUsageIsOneLineAndTwo) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"run", "--suite", "nonsense", "-o", path("r")},
           {"run", "--shard", "5/4", "-o", path("r")},
           {"run", "--engine", "nobody", "-o", path("r")},
           {"run", "--engine", "onnxruntime=" + path("no.so"), "-o", path("r")},
           {"run", "--engine", "mine=one", "--engine", "mine=other", "-o", path("r")},
           {"run", "--contract", "reference=float", "-o", path("r")},
           {"replay", "cellproof-case/1 op=LSTM-22 type=float T=1 N=1 I=1 H=1 colour=red"},
           {"replay", "cellproof-case/9 op=LSTM-22"},
           {"replay", path("missing")},
           {"replay", "cellproof-case/1 op=LSTM-22 type=float T=1 N=1 I=1 H=1", "--contract", "reference=float"},
           {"replay", "cellproof-case/1 op=LSTM-22 type=float T=1 N=1 I=1 H=1", "--reading", "clip-scope"},
           {"replay", "cellproof-case/1 op=LSTM-22 type=float T=1 N=1 I=1 H=1", "--reading", "clip-scope=refuse"},
           {"replay", "cellproof-case/1 op=LSTM-22 type=float T=1 N=1 I=1 H=1", "--reading", "colour=red"},
           {"check", path("missing")},
           {"check", folder_.path().string()},
           {"report", path("missing.sqlite"), "-o", path("r")},
           {"export", "--suite", "nonsense", "-o", path("r")}}) {
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments[0] << " " << arguments[1] << "\n" << result.out << result.err;
    EXPECT_EQ(lines(result.err), 1) << result.err;
    EXPECT_THAT(result.err, HasSubstr("cellproof: "));
  }
}

TEST_F(Program, RunJudgesTheReferenceAndWritesTheReport) {
  const ProgramResult result = short_run();
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  for (const char* file : {"index.html", "junit.xml", "findings.jsonl", "run.sqlite"}) {
    EXPECT_TRUE(fs::exists(folder_ / "report" / file)) << file;
  }
  EXPECT_FALSE(fs::exists(folder_ / "report" / "run.sqlite.journal"));
}

TEST_F(Program, ASecondRunKeepsTheStoreBefore) {
  ASSERT_EQ(short_run().exit_code, 0);
  EXPECT_EQ(short_run().exit_code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "report" / "run.previous.sqlite"));
}

TEST_F(Program, ANamedStoreIsNeverOverwritten) {
  ASSERT_EQ(short_run({"--store", path("mine.sqlite")}).exit_code, 0);
  const ProgramResult again = short_run({"--store", path("mine.sqlite")});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, HasSubstr("--resume"));
  EXPECT_EQ(short_run({"--store", path("mine.sqlite"), "--resume"}).exit_code, 0);
  const ProgramResult other = run_program({"run", "--suite", "smoke", "--shard", "2/40", "--engine", "reference", "-o",
                                           path("report"), "--store", path("mine.sqlite"), "--resume"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("shard"));
}

TEST_F(Program, ADamagedStoreIsRefusedAndLeftAlone) {
  write(path("broken.sqlite"), "this is no database, whatever its name says");
  const ProgramResult result = run_program({"report", path("broken.sqlite"), "-o", path("r")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("broken.sqlite"));
  EXPECT_EQ(text_of(path("broken.sqlite")), "this is no database, whatever its name says");
  EXPECT_FALSE(fs::exists(path("r") + "/index.html"));
}

TEST_F(Program, AFileWhereTheFolderShouldBeIsBadInput) {
  write(path("report"), "a file");
  const ProgramResult result = short_run();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("report"));
}

TEST_F(Program, AnAbsentEngineAloneIsNothingRan) {
  const ProgramResult result =
      run_program({"run", "--suite", "smoke", "--shard", "1/40", "--engine", "onnxruntime", "-o", path("report")},
                  {{"CELLPROOF_ROOT", path("nowhere")}});
  EXPECT_EQ(result.exit_code, 77) << result.err;
  EXPECT_THAT(result.err, HasSubstr("absent"));
}

TEST_F(Program, ReplayGivesTheVerdict) {
  const ProgramResult result =
      run_program({"replay", "cellproof-case/1 op=LSTM-22 type=float T=3 N=2 I=4 H=5", "--engine", "reference"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("CONFORMS"));
}

/// Findings without what may differ between two runs of the same cases.
std::map<std::string, std::string> comparable(const fs::path& store) {
  std::map<std::string, std::string> rows;
  for (const Finding& f : reports::Store::open_read_only(store).findings()) {
    rows[f.engine + "/" + f.suite + "/" + std::to_string(f.number)] =
        f.case_line + "|" + std::string(f.judgement.verdict ? name(*f.judgement.verdict) : name(f.outcome)) + "|" +
        f.signature + "|" + sentence_of(f.judgement) + "|" + std::to_string(f.judgement.worst_ratio.value_or(-1));
  }
  return rows;
}

TEST_F(Program, KilledAndResumedItFindsTheSame) {
  const auto arguments = [&](const std::string& name, bool resume) {
    std::vector<std::string> list{
        "run",     "--suite", "smoke", "--shard", "1/6", "--engine", "reference", "-o", path(name + "-report"),
        "--store", path(name)};
    if (resume) list.emplace_back("--resume");
    return list;
  };
  const ProgramResult whole = run_program(arguments("whole.sqlite", false));
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  for (const int milliseconds : {60, 150, 300}) {
    run_program(arguments("killed.sqlite", fs::exists(path("killed.sqlite"))), {},
                std::chrono::milliseconds(milliseconds));
  }
  const ProgramResult resumed = run_program(arguments("killed.sqlite", true));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(comparable(path("killed.sqlite")), comparable(path("whole.sqlite")));
  EXPECT_FALSE(comparable(path("whole.sqlite")).empty());
}

TEST_F(Program, ShardsMergedAreTheWholeRun) {
  const auto run_shard = [&](const std::string& shard, const std::string& store) {
    return run_program({"run", "--suite", "onnx-backend", "--shard", shard, "--engine", "onnxruntime", "--engine",
                        "reference", "--explain", "0", "-o", path("report"), "--store", path(store)});
  };
  std::vector<std::string> merge{"merge", "-o", path("merged.sqlite")};
  for (const char* shard : {"1/4", "2/4", "3/4", "4/4"}) {
    const std::string store = std::string(1, *shard) + ".sqlite";
    EXPECT_EQ(run_shard(shard, store).exit_code, 0);
    merge.push_back(path(store));
  }
  EXPECT_EQ(run_shard("1/1", "whole.sqlite").exit_code, 0);
  const ProgramResult merged = run_program(merge);
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_THAT(merged.out, HasSubstr("36 findings of 4 stores"));
  EXPECT_EQ(comparable(path("merged.sqlite")), comparable(path("whole.sqlite")));
  const ProgramResult report =
      run_program({"report", path("merged.sqlite"), "--baseline", path("whole.sqlite"), "-o", path("merged-report")});
  EXPECT_EQ(report.exit_code, 0) << report.err;
  EXPECT_THAT(report.out, HasSubstr("0 new, 0 known, 0 gone"));
}

TEST_F(Program, CheckTellsHonestFromAlteredOutputs) {
  ASSERT_EQ(run_program({"export", "--suite", "onnx-backend", "-o", path("exported")}).exit_code, 0);
  const ProgramResult honest = run_program({"check", "--json", "-", path("exported")});
  EXPECT_EQ(honest.exit_code, 0) << honest.out << honest.err;
  EXPECT_EQ(lines(honest.out), 18);
  EXPECT_THAT(honest.out, Not(HasSubstr("DIVERGES")));

  const fs::path altered =
      fs::path(path("exported")) / "onnx-backend" / "test_lstm_reverse" / "test_data_set_0" / "output_0.pb";
  std::string bytes = text_of(altered);
  bytes[bytes.size() - 2] = static_cast<char>(bytes[bytes.size() - 2] ^ 0x10);
  write(altered, bytes);
  const ProgramResult wrong = run_program({"check", "--json", "-", path("exported")});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.out, HasSubstr("DIVERGES"));

  write(altered, bytes.substr(0, 5));
  const ProgramResult damaged = run_program({"check", "--json", "-", path("exported")});
  EXPECT_EQ(damaged.exit_code, 2);
  EXPECT_EQ(lines(damaged.out), 18);
  EXPECT_THAT(damaged.out, HasSubstr("UNREADABLE"));
}

TEST_F(Program, AHostileEngineDoesNotStopTheRun) {
  const std::string hostile = std::string(CELLPROOF_BINARY_DIR) + "/bin/cellproof-engine-hostile";
  const ProgramResult result =
      run_program({"run", "--suite", "onnx-backend", "--engine", "bad=" + hostile + " segfault", "--engine",
                   "reference", "-o", path("report")});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  std::map<OutcomeKind, int> outcomes;
  for (const Finding& f : reports::Store::open_read_only(path("report") + "/run.sqlite").findings())
    ++outcomes[f.outcome];
  EXPECT_EQ(outcomes[OutcomeKind::Crashed], 18);
  EXPECT_EQ(outcomes[OutcomeKind::Ran], 18);
}

TEST_F(Program, WaiversAcceptWhatIsKnownUntilTheyExpire) {
  const std::string hostile = std::string(CELLPROOF_BINARY_DIR) + "/bin/cellproof-engine-hostile";
  const auto run_with = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{
        "run", "--suite",     "onnx-backend", "--shard", "1/6", "--engine", "bad=" + hostile + " segfault",
        "-o",  path("report")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  };
  ASSERT_EQ(run_with({}).exit_code, 1);
  std::map<std::string, std::string> known;
  for (const Finding& f : reports::Store::open_read_only(path("report") + "/run.sqlite").findings())
    known.emplace(f.signature, f.case_line);
  const auto waivers = [&](const std::string& expires) {
    std::string entries;
    for (const auto& [signature, line] : known)
      entries +=
          (entries.empty() ? "" : ",") + std::string("{\"signature\": \"") + signature +
          "\", \"case\": \"cellproof-case/1 op=LSTM-14 type=float T=1 N=1 I=1 H=1 seed=1\", \"versions\": \"*\", "
          "\"url\": \"https://example.org/1\", \"expires\": \"" +
          expires + "\", \"why\": \"it is made to crash\"}";
    write(path("waivers.json"), "{\"waivers\": [" + entries + "]}");
    return path("waivers.json");
  };
  const ProgramResult waived = run_with({"--waivers", waivers("2999-12-31")});
  EXPECT_EQ(waived.exit_code, 0) << waived.out << waived.err;
  EXPECT_THAT(waived.out, HasSubstr("waived"));
  const ProgramResult again =
      run_program({"report", "--waivers", path("waivers.json"), "-o", path("again"), path("report") + "/run.sqlite"});
  EXPECT_EQ(again.exit_code, 0) << again.out << again.err;
  const ProgramResult expired = run_with({"--waivers", waivers("2020-01-01")});
  EXPECT_EQ(expired.exit_code, 1);
  EXPECT_THAT(expired.out, HasSubstr("expired on 2020-01-01"));
  write(path("waivers.json"), "{");
  const ProgramResult broken = run_with({"--waivers", path("waivers.json")});
  EXPECT_EQ(broken.exit_code, 2);
  EXPECT_EQ(lines(broken.err), 1) << broken.err;
}

TEST_F(Program, FindsThatItsOwnImplementationConformsOnEveryPath) {
  std::vector<std::string> arguments{"run", "--suite", "quick", "-o", path("report")};
  for (const char* name : {"", "@scalar", "@avx2", "@avx-vnni", "@avx512", "@avx512-bf16", "@amx", "@openblas"}) {
    const std::string engine = std::string("cellproof-cpu") + name;
    const std::string absence = engines::make_engine(engine)->absence();
    if (!absence.empty()) {
      EXPECT_THAT(absence, AnyOf(HasSubstr("this processor lacks A"), HasSubstr("does not let this process use AMX")));
      continue;
    }
    arguments.insert(arguments.end(), {"--engine", engine});
  }
  const ProgramResult result = run_program(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, Not(HasSubstr("diverges")));
}

TEST_F(Program, FindsThatTheBodiesOfItsOwnKernelsConform) {
  const ProgramResult result =
      run_program({"run", "--suite", "quick", "--engine", "cellproof-cuda@host", "-o", path("report")});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("0 wrong results, 0 crashes, 0 gaps"));
}

TEST_F(Program, FindsThatItsOwnKernelsConformOnADevice) {
  const std::string absence = engines::make_engine("cellproof-cuda")->absence();
  if (!absence.empty()) GTEST_SKIP() << absence;
  const ProgramResult result =
      run_program({"run", "--suite", "quick", "--engine", "cellproof-cuda", "-o", path("report")});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("0 wrong results, 0 crashes, 0 gaps"));
}

TEST_F(Program, GoesOnWithoutAnEngineWhoseDeviceIsMissingAndExits77WithThatOneAlone) {
  const std::string absence = engines::make_engine("cellproof-cuda")->absence();
  if (absence.empty()) GTEST_SKIP() << "there is a device";
  const ProgramResult alone =
      run_program({"run", "--suite", "onnx-backend", "--engine", "cellproof-cuda", "-o", path("alone")});
  EXPECT_EQ(alone.exit_code, 77) << alone.out << alone.err;
  EXPECT_THAT(alone.err, HasSubstr("cellproof-cuda: absent: " + absence));
  const ProgramResult both = run_program({"run", "--suite", "onnx-backend", "--engine", "cellproof-cuda", "--engine",
                                          "cellproof-cuda@host", "-o", path("both")});
  EXPECT_EQ(both.exit_code, 0) << both.out << both.err;
  EXPECT_THAT(both.err, HasSubstr("cellproof-cuda: absent: " + absence));
  EXPECT_THAT(run_program({"list", "engines"}).out, HasSubstr("absent: " + absence));
}

}  // namespace
}  // namespace cellproof::cli
