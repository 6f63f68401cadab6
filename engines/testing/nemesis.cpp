#include "engines/testing/nemesis.hpp"

#include <fmt/format.h>
#include <xxhash.h>

namespace cellproof::engines::testing {

const std::vector<Misdeed>& misdeeds() {
  static const std::vector<Misdeed> list{
      {"kill", OutcomeKind::Crashed, "SIGKILL (Killed)"},
      {"kill", OutcomeKind::Crashed, "SIGKILL (Killed)"},
      {"kill", OutcomeKind::Crashed, "SIGKILL (Killed)"},
      {"segfault", OutcomeKind::Crashed, "SIGSEGV (Segmentation fault)"},
      {"segfault", OutcomeKind::Crashed, "SIGSEGV (Segmentation fault)"},
      {"abort", OutcomeKind::Crashed, "SIGABRT (Aborted)"},
      {"abort", OutcomeKind::Crashed, "SIGABRT (Aborted)"},
      {"exit-0", OutcomeKind::Crashed, "exited with code 0 without answering"},
      {"exit-5", OutcomeKind::Crashed, "exited with code 5 without answering"},
      {"exit-5", OutcomeKind::Crashed, "exited with code 5 without answering"},
      {"hang", OutcomeKind::TimedOut, "no answer within"},
      {"stop", OutcomeKind::TimedOut, "no answer within"},
      {"close", OutcomeKind::Crashed, "closed the protocol pipe"},
      {"garbage", OutcomeKind::Crashed, "which is no frame"},
      {"garbage", OutcomeKind::Crashed, "which is no frame"},
      {"wrong-kind", OutcomeKind::Crashed, "the reply to RUN was due"},
      {"truncate", OutcomeKind::Crashed, "exited with code 5, in the middle of an answer"},
      {"twice", OutcomeKind::Crashed, "wrote more than one answer"},
      {"twice", OutcomeKind::Crashed, "wrote more than one answer"},
      {"twice-late", OutcomeKind::Crashed, "wrote more than one answer"},
      {"twice-late", OutcomeKind::Crashed, "wrote more than one answer"},
      {"garbage-behind", OutcomeKind::Crashed, "which is no frame"},
      {"garbage-behind", OutcomeKind::Crashed, "which is no frame"},
      {"die-behind", OutcomeKind::Crashed, "SIGSEGV (Segmentation fault) after its answer"},
      {"die-behind", OutcomeKind::Crashed, "SIGSEGV (Segmentation fault) after its answer"},
      {"exit-behind", OutcomeKind::Crashed, "exited with code 5 after its answer"},
      {"twice-in-the-next", OutcomeKind::Crashed, "answered a second time", true},
      {"twice-in-the-next", OutcomeKind::Crashed, "answered a second time", true},
      {"early", OutcomeKind::Crashed, "answered before the case in front of it", true},
      {"early", OutcomeKind::Crashed, "answered before the case in front of it", true},
  };
  return list;
}

std::string identity_of(const Frame& run) {
  XXH64_hash_t sum = 0;
  for (const std::string_view blob : run.blobs) sum = XXH64(blob.data(), blob.size(), sum);
  return fmt::format("{:016x}", sum);
}

}  // namespace cellproof::engines::testing
