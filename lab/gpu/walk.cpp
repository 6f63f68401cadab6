#include "lab/gpu/walk.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "spec/content_hash.hpp"

namespace cellproof::lab {
namespace {

constexpr double least_seconds = 5;  // to start a program and a device takes a few

std::string hash_of(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return content_hash(all);
}

void begin_unless_begun(nlohmann::json& progress, const CaseWalk& walk) {
  const std::string list = hash_of(walk.lines);
  if (progress.is_object() && progress.value("list", "") == list) return;
  progress = {{"list", list}, {"cases", walk.lines.size()}, {"done", 0},
              {"ran", 0},     {"piece", walk.piece},        {"findings", nlohmann::json::array()}};
}

}  // namespace

bool walk_cases(nlohmann::json& progress, const CaseWalk& walk) {
  begin_unless_begun(progress, walk);
  while (progress["done"].get<std::size_t>() < walk.lines.size()) {
    const double left = walk.left();
    if (left < least_seconds) return false;
    const auto done = progress["done"].get<std::size_t>(), piece = progress["piece"].get<std::size_t>();
    const std::size_t count = std::min(piece, walk.lines.size() - done);
    const PieceEnd end = walk.work(done, count, static_cast<int>(left));
    if (end.in_time) {
      progress["done"] = done + count;
      progress["ran"] = progress["ran"].get<std::size_t>() + end.ran;
      for (const std::string& finding : end.findings) progress["findings"].push_back(finding);
    } else if (count == 1 && left > walk.whole_part / 2) {
      progress["done"] = done + 1;
      progress["findings"].push_back(fmt::format("not finished in {:.0f} s: {}", left, walk.lines[done]));
    } else {
      progress["piece"] = std::max<std::size_t>(1, count / 2);
    }
    walk.save();
  }
  return true;
}

bool is_clean(const nlohmann::json& progress) {
  return progress.value("done", 0U) == progress.value("cases", 1U) && progress.value("ran", 0U) > 0 &&
         progress.contains("findings") && progress["findings"].empty();
}

std::string progress_text(const nlohmann::json& progress) {
  if (progress.contains("absent")) return "not done: " + progress["absent"].get<std::string>();
  const auto cases = progress.value("cases", 0U), done = progress.value("done", 0U);
  return fmt::format("{}{} cases, {} ran, {} findings", done < cases ? fmt::format("{} of ", done) : "", cases,
                     progress.value("ran", 0U), progress.contains("findings") ? progress["findings"].size() : 0);
}

}  // namespace cellproof::lab
